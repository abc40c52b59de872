// The registry of machines for thread blocks: a row for each value of CILK2GPU_DEVICE that can run them. Kernels are
// functions of the host, so GPUs cannot. A new machine is a function that runs a launch, and a row here.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKMACHINES_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKMACHINES_H

#include "blocks/BlockRunner.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

struct BlockMachine {
  Device device;
  bool needsLevels;
  /// Runs all blocks. The graph has no cycle.
  void (*run)(BlockRun &run);
};

inline constexpr BlockMachine kBlockMachines[] = {
    {.device = Device::Native, .needsLevels = false, .run = runBlocks},
    {.device = Device::Serial, .needsLevels = true, .run = runElidedBlocks},
};

/// Returns the row of a device; null: it runs no thread blocks.
constexpr const BlockMachine *findBlockMachine(Device device) {
  for (const BlockMachine &machine : kBlockMachines)
    if (machine.device == device)
      return &machine;
  return nullptr;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKMACHINES_H
