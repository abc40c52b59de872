// Receives the instructions that the calling thread executes in counted code (cilk2gpu/abi/Counts.h,
// -fcilk-count-instructions), one call for each block of code.
//
// Thread-safety: each thread has a sink of its own. A thread that aligns lanes (executors/model/LaneCounts.h) has none.
#ifndef CILK2GPU_RUNTIME_CORE_INSTRUCTIONSINK_H
#define CILK2GPU_RUNTIME_CORE_INSTRUCTIONSINK_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct InstructionSink {
  /// Counted code has executed `instructions` more.
  void (*add)(InstructionSink &sink, uint32_t instructions);
};

/// The sink of this thread; null: nothing is counted.
inline thread_local InstructionSink *instructionSink = nullptr;

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_INSTRUCTIONSINK_H
