// The registry of machines for hand-written graphs: a row for each value of CILK2GPU_DEVICE that can run them. To add a
// machine, write a class that derives from GraphMachine, and add a row here.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINES_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINES_H

#include "graph/GpuGraphMachine.h"
#include "graph/ThreadedGraphMachine.h"
#include "process/Devices.h"
#include "process/Registry.h"

#include <new>

namespace cilk2gpu::rt {

struct GraphMachineEntry {
  Device device;
  uint64_t bytes, align;
  /// Makes the machine in `storage`, which has this size.
  GraphMachine *(*make)(void *storage, const GraphMachineSetup &setup);
};

template <class M> constexpr GraphMachineEntry graphMachineEntry(Device device) {
  return {device, sizeof(M), alignof(M),
          [](void *storage, const GraphMachineSetup &setup) -> GraphMachine * { return new (storage) M(setup); }};
}

inline constexpr GraphMachineEntry kGraphMachines[] = {
    graphMachineEntry<NativeGraphMachine>(Device::Native), graphMachineEntry<ModelledGraphMachine>(Device::Model),
    graphMachineEntry<LanesGraphMachine>(Device::GpuHost), graphMachineEntry<GpuGraphMachine>(Device::Hip),
    graphMachineEntry<GpuGraphMachine>(Device::Cuda),
};

/// The row of `native` for programs that ask for several workers.
inline constexpr GraphMachineEntry kThreadedGraphMachine = graphMachineEntry<ThreadedGraphMachine>(Device::Native);

/// Returns the row of a device; null: graphs run on another device instead (GraphApi.cpp).
constexpr const GraphMachineEntry *findGraphMachine(Device device) {
  for (const GraphMachineEntry &entry : kGraphMachines)
    if (entry.device == device)
      return &entry;
  return nullptr;
}

constexpr bool hasEachDeviceMachine() {
  for (const DeviceTraits &traits : kDevices)
    if (traits.device != Device::Serial && traits.device != Device::Auto && !findGraphMachine(traits.device))
      return false;
  return true;
}
static_assert(hasEachDeviceMachine(), "a device has no row in kGraphMachines");

/// Returns the largest `value`, that is, size or alignment, of all machines.
constexpr uint64_t mostOfGraphMachines(uint64_t GraphMachineEntry::*value) {
  uint64_t most = mostOf(kGraphMachines, value);
  return kThreadedGraphMachine.*value > most ? kThreadedGraphMachine.*value : most;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINES_H
