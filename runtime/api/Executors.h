// The registry of executors: a row for each pair of CILK2GPU_DEVICE and CILK2GPU_AGGREGATOR that exists. To add an
// executor, write a class that derives from Executor, and add a row here and, if its device is new, a row in
// process/Devices.h.
#ifndef CILK2GPU_RUNTIME_API_EXECUTORS_H
#define CILK2GPU_RUNTIME_API_EXECUTORS_H

#include "executors/gpu-host/GpuHostExecutors.h"
#include "executors/gpu/GpuExecutors.h"
#include "executors/model/ModelExecutor.h"
#include "executors/native/NativeExecutor.h"
#include "process/Registry.h"

#include <new>

namespace cilk2gpu::rt {

struct ExecutorEntry {
  Device device;
  AggregatorPlace place;
  uint64_t bytes, align;
  /// Makes the executor in `storage`, which has this size.
  Executor *(*make)(void *storage, const ExecutorSetup &setup);
};

template <class E> constexpr ExecutorEntry executorEntry(Device device, AggregatorPlace place) {
  return {device, place, sizeof(E), alignof(E),
          [](void *storage, const ExecutorSetup &setup) -> Executor * { return new (storage) E(setup); }};
}

inline constexpr ExecutorEntry kExecutors[] = {
    executorEntry<NativeExecutor>(Device::Native, AggregatorPlace::Host),
    executorEntry<NativeExecutor>(Device::Serial, AggregatorPlace::Host),
    executorEntry<ModelExecutor>(Device::Model, AggregatorPlace::Host),
    executorEntry<GpuHostExecutor>(Device::GpuHost, AggregatorPlace::Host),
    executorEntry<PersistentHostExecutor>(Device::GpuHost, AggregatorPlace::Persistent),
    executorEntry<GpuExecutor>(Device::Hip, AggregatorPlace::Host),
    executorEntry<PersistentGpuExecutor>(Device::Hip, AggregatorPlace::Persistent),
    executorEntry<GpuExecutor>(Device::Cuda, AggregatorPlace::Host),
    executorEntry<PersistentGpuExecutor>(Device::Cuda, AggregatorPlace::Persistent),
};

/// Returns the row of an executor; null if there is none.
constexpr const ExecutorEntry *findExecutor(Device device, AggregatorPlace place) {
  for (const ExecutorEntry &entry : kExecutors)
    if (entry.device == device && entry.place == place)
      return &entry;
  return nullptr;
}

constexpr bool isRegistryWhole() {
  for (const DeviceTraits &traits : kDevices)
    if (!findExecutor(traits.device, AggregatorPlace::Host) != (traits.device == Device::Auto) ||
        !findExecutor(traits.device, AggregatorPlace::Persistent) == traits.hasPersistentKernel)
      return false;
  return true;
}
static_assert(isRegistryWhole(), "every device but auto has an executor; a persistent one if its row says that");

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_EXECUTORS_H
