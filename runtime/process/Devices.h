// The names of CILK2GPU_DEVICE, and the traits that each device has before it is started. The allowed names, messages
// and the lines of `cilk2gpu --help` come from this table. api/Executors.h has the executors that the names stand for.
#ifndef CILK2GPU_RUNTIME_PROCESS_DEVICES_H
#define CILK2GPU_RUNTIME_PROCESS_DEVICES_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

enum class Device : uint8_t { Native, Model, Serial, GpuHost, Hip, Cuda, Auto };

/// Place where the aggregator of a GPU runs: in the host, which launches each dispatch, or in a persistent kernel.
enum class AggregatorPlace : uint8_t { Host, Persistent };

/// Launches of a graph of thread blocks on a GPU: a single one, or one for each level.
enum class BlockLaunches : uint8_t { Persistent, Levels, Graph };

/// Form of the kernels that a device runs.
enum class KernelForm : uint8_t {
  Vectors, ///< vectors of the instruction sets that CILK2GPU_KERNELS allows, or lanes one after the other
  Scalar,  ///< lanes one after the other; the device switches between them
  Lanes,   ///< the form for GPUs: a function for each lane
};

struct DeviceTraits {
  Device device;
  const char *name;
  const char *help; ///< what the runtime does on this device, as a verb phrase
  KernelForm kernels = KernelForm::Vectors;
  bool hasSchedules = false;                                            ///< CILK2GPU_SCHEDULE has an effect
  bool hasControlProcessor = false;                                     ///< CILK2GPU_FIRMWARE has an effect
  bool hasPersistentKernel = false;                                     ///< CILK2GPU_AGGREGATOR has an effect
  bool isGpu = false;                                                   ///< a driver runs the kernels
  PolicySupport policies = {.hasClock = true, .countsChildren = false}; ///< abilities of its executor
};

/// Traits of all devices, in the order of the enumerators.
inline constexpr DeviceTraits kDevices[] = {
    {.device = Device::Native,
     .name = "native",
     .help = "Run graphs on this CPU (default of programs without code for GPUs)",
     .hasSchedules = true},
    {.device = Device::Model,
     .name = "model",
     .help = "Run graphs on a modelled GPU",
     .kernels = KernelForm::Scalar,
     .hasSchedules = true,
     .hasControlProcessor = true,
     .policies = {.hasClock = false, .countsChildren = true}},
    {.device = Device::Serial, .name = "serial", .help = "Run every Cilk function as its serial elision"},
    {.device = Device::GpuHost,
     .name = "gpu-host",
     .help = "Run graphs on this CPU as a GPU would; needs --offload-arch",
     .kernels = KernelForm::Lanes,
     .hasControlProcessor = true,
     .hasPersistentKernel = true,
     .policies = {.hasClock = false, .countsChildren = false}},
    {.device = Device::Hip,
     .name = "hip",
     .help = "Run graphs on an AMD GPU, or end with a message",
     .hasPersistentKernel = true,
     .isGpu = true,
     .policies = {.hasClock = false, .countsChildren = false}},
    {.device = Device::Cuda,
     .name = "cuda",
     .help = "Run graphs on an NVIDIA GPU, or end with a message",
     .hasPersistentKernel = true,
     .isGpu = true,
     .policies = {.hasClock = false, .countsChildren = false}},
    {.device = Device::Auto,
     .name = "auto",
     .help = "Take hip, cuda or native, and say which (default of programs with code for GPUs)"},
};

constexpr const DeviceTraits &traitsOf(Device device) { return kDevices[unsigned(device)]; }
constexpr const char *deviceName(Device device) { return traitsOf(device).name; }

constexpr bool areDevicesInOrder() {
  unsigned number = 0;
  for (const DeviceTraits &traits : kDevices)
    if (unsigned(traits.device) != number++)
      return false;
  return true;
}
static_assert(areDevicesInOrder(), "a row of kDevices stands for the enumerator with its number");

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_DEVICES_H
