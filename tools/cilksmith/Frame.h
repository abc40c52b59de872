// The frame of a function's body: prologue, base case, epilogue. It bounds the work of the function:
// - A function with fuel takes its base case unless fuel > D * K, where K bounds the calls of tasks in one run of its
//   body.
// - Its callees get (fuel - 1) / (D * K) each; one of them gets (fuel - 1) / D * (D - 1).
// - So a call makes at most `fuel` tasks in all.
#ifndef CILK2GPU_TOOLS_CILKSMITH_FRAME_H
#define CILK2GPU_TOOLS_CILKSMITH_FRAME_H

#include "Body.h"

namespace cilksmith {

/// Writes a function's whole body.
class Frame : public Writer {
public:
  using Writer::Writer;

  /// Returns the body with its braces.
  std::string write();

private:
  void parameters();
  void rootPrologue();
  void prologue();
  void baseCase();
  void epilogue();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_FRAME_H
