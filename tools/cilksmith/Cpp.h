// Statements of C++ only.
#ifndef CILK2GPU_TOOLS_CILKSMITH_CPP_H
#define CILK2GPU_TOOLS_CILKSMITH_CPP_H

#include "Body.h"

namespace cilksmith {

/// Writes try blocks, lambdas that are spawned, and iterators of cilk_for loops.
class CppForms : public Writer {
public:
  using Writer::Writer;

  void tryStatement();
  std::string spawnedLambda(const Signature &callee, const std::string &called, State &after);
  std::string rangeSpace(unsigned count, const Object &array, std::string &element);

private:
  void handler(const std::string &caught, const State &before);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_CPP_H
