// Recursive functions without results that update a reducer, and seldom do anything else. The compiler lets some of
// them return what they add.
#ifndef CILK2GPU_TOOLS_CILKSMITH_ADDERS_H
#define CILK2GPU_TOOLS_CILKSMITH_ADDERS_H

#include "Reducers.h"

#include <string>

namespace cilksmith {

/// Functions that call and spawn each other, and update one reducer.
struct Adders {
  std::string reducer; ///< name of the global variable
  unsigned kind;       ///< of the reducer
  std::string text;    ///< definitions of the reducer and of the functions
  std::string call;    ///< a statement that runs them
};

/// Returns functions whose names begin with `prefix`. The same seed gives the same ones.
Adders makeAdders(uint64_t seed, const std::string &prefix, ReducerKind::From most);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_ADDERS_H
