// The CILK2GPU_* environment variables, read once.
//
// Thread-safety: settings() may be called by any thread; what it returns is constant.
#ifndef CILK2GPU_RUNTIME_HOST_SETTINGS_H
#define CILK2GPU_RUNTIME_HOST_SETTINGS_H

#include "aggregator/Environment.h"

namespace cilk2gpu::rt {

enum class Device { Native, Serial };

struct Settings {
  Device device;
  Limits limits;
  bool scalarKernels; ///< lanes run one after the other, also where a vectorised kernel could run
  uint32_t workers;
  const char *statistics; ///< null: none; "-": stderr; else an absolute path
};

/// The process's settings. A bad value ends the process with a message that names variable, value and what is allowed.
const Settings &settings();

const char *deviceName(Device device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_HOST_SETTINGS_H
