#include "blocks/BlockInstructions.h"

#include <cilk2gpu/Wireframe.h>

namespace cilk2gpu::rt {

BlockInstructions::BlockInstructions() : InstructionSink{addTo}, outer(instructionSink) {
  threadIdx = dim3(0, 0, 0); // a block before this one may have left the number of its last thread
  instructionSink = this;
}
BlockInstructions::~BlockInstructions() { instructionSink = outer; }

void BlockInstructions::addTo(InstructionSink &sink, uint32_t instructions) {
  auto &self = static_cast<BlockInstructions &>(sink);
  uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (thread != self.running)
    self.goTo(thread);
  self.ofThread += instructions;
}

/// Threads come in the order of their numbers. A smaller number than before begins the next part of the block.
void BlockInstructions::goTo(uint32_t thread) {
  ofWave = longest();
  ofThread = 0;
  if (thread < running || thread / kWave != running / kWave) {
    finished += ofWave;
    ofWave = 0;
  }
  running = thread;
}

} // namespace cilk2gpu::rt
