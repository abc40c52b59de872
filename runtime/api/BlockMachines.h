// The registry of machines for thread blocks: a row for each value of CILK2GPU_DEVICE but `auto`. A new machine is a
// function that runs a launch, and a row here.
#ifndef CILK2GPU_RUNTIME_API_BLOCKMACHINES_H
#define CILK2GPU_RUNTIME_API_BLOCKMACHINES_H

#include "blocks/BlockRunner.h"
#include "blocks/dats/DatsLaunch.h"
#include "blocks/gpu/GpuBlocks.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

struct BlockMachine {
  Device device;
  bool needsLevels = false;  ///< `run` takes levels that were found before
  bool findsLevels = false;  ///< `run` finds levels itself if the policy needs them
  bool takesOffsets = false; ///< false: a graph of offsets gets rows first
  /// `run` counts the parents of a graph that ascends, if it needs them for the policy LRR and without statistics.
  bool countsParents = false;
  /// The trace and the watchdog see the blocks: the machine calls BlockLaunch::run for each block, or has a
  /// RunningBlock.
  bool isObserved = false;
  /// Runs all blocks. The graph has no cycle.
  void (*run)(BlockRun &run);
  /// Returns the most memory that `run` takes beside the graph and its levels.
  uint64_t (*bound)(const BlockRun &run);
};

/// Runs all blocks on the GPU that CILK2GPU_DEVICE names.
void runBlocksOnStartedGpu(BlockRun &run);

inline constexpr BlockMachine kBlockMachines[] = {
    {.device = Device::Native,
     .findsLevels = true,
     .takesOffsets = true,
     .countsParents = true,
     .isObserved = true,
     .run = runBlocks,
     .bound = boundOfBlocks},
    {.device = Device::Serial,
     .needsLevels = true,
     .takesOffsets = true,
     .isObserved = true,
     .run = runElidedBlocks,
     .bound = boundOfElidedBlocks},
    {.device = Device::Model,
     .needsLevels = true,
     .isObserved = true,
     .run = runModelledBlocks,
     .bound = boundOfModelledBlocks},
    {.device = Device::GpuHost, .isObserved = true, .run = runBlocksOnGpuHost, .bound = boundOfBlocksOnGpu},
    {.device = Device::Hip, .run = runBlocksOnStartedGpu, .bound = boundOfBlocksOnGpu},
    {.device = Device::Cuda, .run = runBlocksOnStartedGpu, .bound = boundOfBlocksOnGpu},
};

/// Returns the row of a device; null: it runs no thread blocks.
constexpr const BlockMachine *findBlockMachine(Device device) {
  for (const BlockMachine &machine : kBlockMachines)
    if (machine.device == device)
      return &machine;
  return nullptr;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_BLOCKMACHINES_H
