// The CILK2GPU_* environment variables, read once.
//
// Thread-safety: any thread may call settings(). The result is constant.
#ifndef CILK2GPU_RUNTIME_PROCESS_SETTINGS_H
#define CILK2GPU_RUNTIME_PROCESS_SETTINGS_H

#include "core/Environment.h"
#include "core/SharedChannel.h"
#include "core/Tunables.h"
#include "process/Devices.h"
#include "process/DgbSetting.h"
#include "process/Schedules.h"

namespace cilk2gpu::rt {

/// How the modelled machine runs graphs of blocks: the versions of the Wireframe paper (MICRO 2017, section 5.1), in
/// the paper's order.
enum class BlockVersion : uint8_t {
  Global,   ///< a launch by the host for each level
  Cdp,      ///< a launch by the device for each level
  DepLinks, ///< one launch, with barriers between levels
  Lrr,      ///< one launch, blocks run ahead
  Lvl,      ///< as Lrr, within a bound of levels
  OfLaunch  ///< Lrr or Lvl: the policy of the launch
};

struct Settings {
  Device device = Device::Native;
  /// If this is false and the program contains code for GPUs, the device is Device::Auto.
  bool deviceGiven = false;
  Limits limits = {tunables::kDefaultWave, tunables::kDefaultWidth, tunables::kDefaultLevelBytes};
  const Policy *policy = nullptr; ///< CILK2GPU_POLICY (process/PolicyChoice.h); null: not set
  bool waveGiven = false, widthGiven = false;
  uint32_t isas = ~uint32_t(0); ///< bit i: kernel forms for abi::Isa number i may run
  uint32_t workers = 1;
  bool workersGiven = false;
  const char *statistics = nullptr; ///< null: none; "-": stderr; else an absolute path
  const char *trace = nullptr;      ///< as `statistics`
  uint64_t memoryCap = 0;           ///< bytes; 0: none
  uint64_t watchdog = 0;            ///< seconds; 0: none
  bool stepsGiven = false;
  uint64_t steps = 0;        ///< with stepsGiven: choices that the seed makes (TaskOrder::Stepped)
  uint64_t progressLine = 0; ///< seconds between lines on the progress of a run; 0: none
  int reportSignal = 0;      ///< signal that makes the runtime report the state of a run; 0: none

  // The modelled machine.
  uint32_t cus = tunables::kDefaultCus;
  bool cusGiven = false;
  DgbSetting dgb; ///< for graphs of blocks
  BlockVersion blockVersion = BlockVersion::OfLaunch;
  const char *blockGraphs = nullptr; ///< as `statistics`: graphs of blocks that were launched
  Schedule schedule = Schedule::RoundRobin;
  ProgressModel progress = ProgressModel::Fair;
  uint64_t seed = 1;
  uint32_t doneCount = kDoneGranularity;
  uint64_t timeout = 0; ///< cycles; 0: none
  bool reservePerLane = false;
  const char *firmware = nullptr;       ///< image for its control processor; null: the host runs the aggregator
  const char *unicornLibrary = nullptr; ///< null: the usual library

  // GPUs.
  const char *hipLibrary = nullptr, *cudaLibrary = nullptr; ///< null: the usual libraries
  uint64_t deviceStack = 0;                                 ///< bytes of each lane; 0: the default
  AggregatorPlace aggregator = AggregatorPlace::Host;
  BlockLaunches blocks = BlockLaunches::Persistent;
};

/// Returns the process's settings. A bad value ends the process with a message that names the variable, the value and
/// the allowed values.
const Settings &settings();

/// Calls visit(context, name, value) for each variable that was set and has an effect, with its full name.
void visitGivenSettings(void (*visit)(void *context, const char *name, const char *value), void *context);

const char *scheduleName(Schedule schedule);
/// Not for BlockVersion::OfLaunch.
const char *blockVersionName(BlockVersion version);
const char *aggregatorName(AggregatorPlace place);
const char *progressName(ProgressModel progress);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_SETTINGS_H
