// Loops with cilk_for.
#ifndef CILK2GPU_TOOLS_CILKSMITH_CILKFOR_H
#define CILK2GPU_TOOLS_CILKSMITH_CILKFOR_H

#include "Body.h"

namespace cilksmith {

/// Writes cilk_for loops.
class ParallelLoops : public Writer {
public:
  using Writer::Writer;

  void cilkFor();

private:
  std::string iterationSpace(unsigned count, const Object &array, Object &counter, std::string &element);
  void iteration(int array, const std::string &element, Object counter);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_CILKFOR_H
