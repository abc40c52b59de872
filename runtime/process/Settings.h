// The CILK2GPU_* environment variables, read once.
//
// Thread-safety: settings() may be called by any thread; what it returns is constant.
#ifndef CILK2GPU_RUNTIME_PROCESS_SETTINGS_H
#define CILK2GPU_RUNTIME_PROCESS_SETTINGS_H

#include "core/Policies.h"
#include "executors/model/Machine.h"

namespace cilk2gpu::rt {

enum class Device { Native, Model, Serial, GpuHost, Hip, Cuda, Auto };

/// Where the aggregator of a GPU runs: in the host, which launches each dispatch, or in a persistent kernel.
enum class AggregatorPlace { Host, Persistent };

struct Settings {
  Device device;
  Limits limits;
  uint32_t isas; ///< bit i: forms of kernels that need abi::Isa number i may run
  uint32_t workers;
  const char *statistics; ///< null: none; "-": stderr; else an absolute path
  const char *trace;      ///< likewise
  uint64_t memoryCap;     ///< bytes; 0: none
  uint64_t watchdog;      ///< seconds; 0: none
  // Of the modelled machine.
  uint32_t cus;
  const Policy *policy; ///< of any executor (process/PolicyChoice.h); null: the executor's default
  Schedule schedule;
  ProgressModel progress;
  uint64_t seed;
  uint32_t doneCount;
  uint64_t timeout; ///< cycles; 0: none
  bool reservePerLane;
  const char *firmware;       ///< image for its control processor; null: the host runs the aggregator
  const char *unicornLibrary; ///< null: the usual one
  // Of GPUs.
  bool workersGiven;
  bool deviceGiven; ///< else Device::Auto, if the program brings images
  bool waveGiven, widthGiven;
  const char *hipLibrary, *cudaLibrary; ///< null: the usual ones
  uint64_t deviceStack;                 ///< bytes of each lane; 0: the default
  AggregatorPlace aggregator;
};

/// The process's settings. A bad value ends the process with a message that names variable, value and what is allowed.
const Settings &settings();

const char *deviceName(Device device);
const char *scheduleName(Schedule schedule);
const char *aggregatorName(AggregatorPlace place);
const char *progressName(ProgressModel progress);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_SETTINGS_H
