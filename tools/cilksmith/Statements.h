// Sequences of statements, branches and jumps.
#ifndef CILK2GPU_TOOLS_CILKSMITH_STATEMENTS_H
#define CILK2GPU_TOOLS_CILKSMITH_STATEMENTS_H

#include "Body.h"

namespace cilksmith {

/// Chooses the kinds of statements, and writes branches and jumps.
class Statements : public Writer {
public:
  using Writer::Writer;

  void statements(unsigned count);
  void returnStatement();

private:
  void statement();
  void block(unsigned count);
  void ifStatement();
  void switchStatement();
  void jump(Target &target, bool isContinue);
  void conditionalSync();
  std::string returnValue();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_STATEMENTS_H
