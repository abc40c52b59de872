// The device that a program gets on this machine, for CILK2GPU_DEVICE=hip, cuda and auto, or if it brings device
// images.
//
// Thread-safety: one thread, once.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H

#include "executors/gpu/Gpu.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

/// Returns whether chooseDevice() may choose a GPU.
bool mayUseGpu(const Settings &settings);

/// The device that graphs run on: Native if `auto` finds no GPU, never Auto. A GPU is made in `storage`, which has room
/// for a device::Gpu, and opened. Ends the process if the GPU that was asked for cannot be had.
Device chooseDevice(const Settings &settings, const TaskTable &tasks, void *storage);

/// A GPU's limits: its wave size and, unless the user has said otherwise, wide channels.
Limits gpuLimits(const Settings &settings, Limits limits, const device::Gpu &gpu);

/// Memory that channels and frames may take on a GPU.
MemoryBudget gpuMemory(const Settings &settings, const device::Gpu &gpu);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICECHOICE_H
