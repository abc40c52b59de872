// Chooses the device of a program on this machine, for CILK2GPU_DEVICE=hip, cuda and auto, or if the program contains
// device images.
//
// Thread-safety: one thread calls chooseDevice(), once.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H

#include "executors/gpu/Gpu.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

/// Returns whether chooseDevice() may choose a GPU.
bool mayUseGpu(const Settings &settings);

/// Returns the device that graphs run on: Native if `auto` finds no GPU, never Auto. If it is a GPU, constructs and
/// opens it in `storage`, which has room for a device::Gpu. Ends the process if the GPU that the user named cannot be
/// used.
Device chooseDevice(const Settings &settings, const TaskTable &tasks, void *storage);

/// Returns the limits for a GPU: its wave size and, unless the user has set a width, wide channels.
Limits gpuLimits(const Settings &settings, Limits limits, const device::Gpu &gpu);

/// Returns the budget of channels and frames on a GPU.
MemoryBudget gpuMemory(const Settings &settings, const device::Gpu &gpu);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H
