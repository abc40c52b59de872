// Chooses the device. If the user names a GPU, it is used, or the program ends with a message. `auto` writes one line
// with the chosen device and the reason.
#include "executors/gpu/DeviceChoice.h"
#include "core/Tunables.h"
#include "process/Images.h"
#include "process/Message.h"

#include <new>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

using device::Driver;
using device::Gpu;
using device::Reason;

namespace {

bool hasImages(const Driver &driver) {
  for (uint64_t i = 0; i < imageCount(); ++i)
    if (image(i).kind == driver.images)
      return true;
  return false;
}

/// If the compiler found GPUs that cannot run the tasks, sets the reason and returns true.
bool sayRefused(Reason &why) {
  if (refusedArchitectures().isEmpty())
    return false;
  why.set("tasks of this program cannot run on %s, as the compiler's warnings say (-foffload-fallback)",
          refusedArchitectures().text);
  return true;
}

/// Returns whether every kernel was compiled for a device. `why` names a task whose kernels were not.
bool isCompiledForDevices(const TaskTable &tasks, Reason &why) {
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    for (uint32_t k = 0; k < task->numKernels; ++k)
      if (!task->kernels[k].symbol) {
        why.set("task '%s'%s%s%s was compiled for no device", task->name, task->location ? " (" : "",
                task->location ? task->location : "", task->location ? ")" : "");
        return false;
      }
  return true;
}

bool open(const Settings &settings, const Driver &driver, void *storage, Reason &why) {
  Gpu *gpu = new (storage) Gpu(driver);
  bool isHip = driver.images == abi::ImageKind::Amdgcn;
  bool isPersistent = settings.aggregator == AggregatorPlace::Persistent;
  if (gpu->open(isHip ? settings.hipLibrary : settings.cudaLibrary, settings.deviceStack, isPersistent, why))
    return true;
  gpu->~Gpu();
  return false;
}

Device openByName(const Settings &settings, const Driver &driver, void *storage) {
  Reason why;
  if (!hasImages(driver) && sayRefused(why))
    fatal("CILK2GPU_DEVICE=%s: %s; use CILK2GPU_DEVICE=native", driver.name, why.text);
  if (!hasImages(driver))
    fatal("CILK2GPU_DEVICE=%s: the program contains no code for it; compile it with --offload-arch=%s, or use "
          "CILK2GPU_DEVICE=native",
          driver.name, driver.images == abi::ImageKind::Amdgcn ? "gfx..." : "sm_...");
  if (!open(settings, driver, storage, why))
    fatal("CILK2GPU_DEVICE=%s: %s; CILK2GPU_DEVICE=native runs on the CPU", driver.name, why.text);
  return settings.device;
}

/// Tries all drivers that the program has images for. Writes the line of `auto`.
Device openAny(const Settings &settings, const TaskTable &tasks, void *storage) {
  const Driver *const drivers[] = {&device::hipDriver(), &device::cudaDriver()};
  Reason all, why;
  if (imageCount() == 0 && !sayRefused(all))
    all.set("the program contains no code for GPUs");
  else if (imageCount() && isCompiledForDevices(tasks, all))
    for (const Driver *driver : drivers) {
      if (!hasImages(*driver))
        continue;
      if (open(settings, *driver, storage, why)) {
        const Gpu &gpu = *static_cast<Gpu *>(storage);
        note("tasks run on %s (CILK2GPU_DEVICE=%s, code for %s)", gpu.facts().name, driver->name, gpu.imageArch());
        return driver->images == abi::ImageKind::Amdgcn ? Device::Hip : Device::Cuda;
      }
      size_t length = strlen(all.text);
      snprintf(all.text + length, sizeof all.text - length, "%s%s: %s", length ? "; " : "", driver->name, why.text);
    }
  note("tasks run on the CPU (CILK2GPU_DEVICE=native): %s", all.text);
  return Device::Native;
}

} // namespace

bool mayUseGpu(const Settings &settings) {
  Device device = settings.device;
  return device == Device::Hip || device == Device::Cuda || device == Device::Auto ||
         (!settings.deviceGiven && (imageCount() || !refusedArchitectures().isEmpty()));
}

Device chooseDevice(const Settings &settings, const TaskTable &tasks, void *storage) {
  if (settings.device == Device::Hip)
    return openByName(settings, device::hipDriver(), storage);
  if (settings.device == Device::Cuda)
    return openByName(settings, device::cudaDriver(), storage);
  return mayUseGpu(settings) ? openAny(settings, tasks, storage) : settings.device;
}

Limits gpuLimits(const Settings &settings, Limits limits, const Gpu &gpu) {
  if (settings.waveGiven && limits.wave != gpu.waveSize())
    warning("CILK2GPU_WAVE=%u has no effect: wavefronts of %s have %u lanes", limits.wave, gpu.facts().name,
            gpu.waveSize());
  limits.wave = gpu.waveSize();
  limits.block = tunables::kDeviceBlock;
  if (!settings.widthGiven) {
    limits.width = tunables::kDeviceWidth;
    limits.levelBytes = tunables::kDeviceLevelBytes;
  }
  return limits;
}

MemoryBudget gpuMemory(const Settings &settings, const Gpu &gpu) {
  uint64_t most = gpu.freeMemory() / 4 * tunables::kDeviceMemoryQuarters;
  if (settings.memoryCap && settings.memoryCap <= most)
    return {settings.memoryCap};
  return {most, 0, "the device's free memory", true};
}

} // namespace cilk2gpu::rt
