// Counts the instructions that wavefronts issue for a thread block, if the program was compiled with
// -fcilk-count-instructions. The modelled machine takes the time of a block from them.
//
// The threads of a block run one after another, up to a barrier, and then take turns again:
//
//   thread      0   1   2   3 | 0   1   2   3
//   executes   20  20  20  50 | 8   8   8   8      parts of the block, between barriers
//   issued                 50 |             8      with wavefronts of 4 threads
//
// The threads of a wavefront execute together. So a wavefront issues as many instructions in a part as its longest
// thread executes there. Threads on different paths would need more; that is not modelled.
//
// A thread is known by threadIdx. A kernel that does not set threadIdx counts as one thread.
//
// Thread-safety: none. Counts the calling thread of the host.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKINSTRUCTIONS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKINSTRUCTIONS_H

#include "core/InstructionSink.h"

namespace cilk2gpu::rt {

/// Counts from its construction to its end.
class BlockInstructions : InstructionSink {
public:
  static constexpr uint32_t kWave = 32; ///< threads of a wavefront: those of the machine in the Wireframe paper

  BlockInstructions();
  ~BlockInstructions();
  BlockInstructions(const BlockInstructions &) = delete;

  /// Instructions issued so far.
  uint64_t issued() const { return finished + longest(); }

private:
  static void addTo(InstructionSink &sink, uint32_t instructions);
  void goTo(uint32_t thread);
  uint64_t longest() const { return ofThread > ofWave ? ofThread : ofWave; }

  InstructionSink *const outer;
  uint64_t finished = 0; ///< by wavefronts and parts that have ended
  uint64_t ofWave = 0;   ///< longest thread of the wavefront that runs, without the thread that runs
  uint64_t ofThread = 0; ///< the thread that runs, in this part
  uint32_t running = 0;  ///< number of the thread that runs
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKINSTRUCTIONS_H
