// The modelled machine without a dependency graph: a launch for each level, and a barrier at its end. These are the
// versions "Global" and "CDP" of the evaluation (Wireframe, MICRO 2017, section 5.1; code blocks 1 and 3).
//
// With CDP, one block of a parent kernel launches all levels from the device. It occupies a slot all the time. The
// nested form of code block 3 is modelled, so the limit of 24 nested launches does not apply.
//
// Thread-safety: none. Blocks run on the calling thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_WAVEMACHINE_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_WAVEMACHINE_H

#include "blocks/dats/DatsMachine.h"

namespace cilk2gpu::rt {

class WaveMachine {
public:
  enum class Launcher : uint8_t { Host, Device };

  WaveMachine(const DatsGraph &graph, const DatsSetup &setup, const DatsWork &work, Launcher launcher);
  DatsReport run();

private:
  void launch(uint64_t cycles);
  void runLevel(uint64_t firstNode, uint64_t endNode);
  void endNext();
  void advanceTo(uint64_t time);

  const DatsGraph &graph;
  const DatsSetup setup;
  const DatsWork work;
  const Launcher launcher;
  ComputeUnits units;
  DatsEvents events;
  DatsArray<uint32_t> unitOf;
  uint64_t now = 0;
  DatsReport report;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_WAVEMACHINE_H
