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
  /// Writes a throw under a condition, or an object whose destructor records its order. Only where tasks throw.
  void throwing();
  /// Declares the record of an iteration or a spawned block. Only where tasks throw.
  void log();
  std::string spawnedLambda(const Signature &callee, const std::string &called, State &after);
  std::string rangeSpace(unsigned count, const Object &array, std::string &element);

private:
  void quietStatements();
  void handler(const std::string &caught, const State &before, std::vector<State> &ends);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_CPP_H
