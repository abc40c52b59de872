// The functions of <cilk/cilk_api.h>.
#include "api/Host.h"
#include "executors/Executor.h"
#include "process/Settings.h"
#include "process/TaskScope.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

using namespace cilk2gpu::rt;

// The values of <cilk/cilk_api.h>. That header is not included, because it declares these functions for programs.
enum SetParam { kSuccess = 0, kUnimplemented = 1, kOutOfRange = 2, kInvalid = 3, kLate = 4 };

// The runtime is compiled with hidden visibility. Functions that programs call are not hidden.
#pragma GCC visibility push(default)

// Inlets of the MIT dialect run one at a time. They spawn nothing, so no task waits for an inlet of its own thread.
namespace cilk2gpu::rt {
static pthread_mutex_t inletMutex = PTHREAD_MUTEX_INITIALIZER;
}
extern "C" void __cilk2gpu_begin_inlet(void) { pthread_mutex_lock(&inletMutex); }
extern "C" void __cilk2gpu_end_inlet(void) { pthread_mutex_unlock(&inletMutex); }

extern "C" unsigned __cilkrts_get_nworkers(void) {
  return settings().device == Device::Serial ? 1 : startedExecutor().availableWorkers();
}

extern "C" unsigned __cilkrts_get_total_workers(void) { return __cilkrts_get_nworkers(); }

extern "C" unsigned __cilkrts_get_worker_number(void) { return currentWorker(); }

extern "C" int __cilkrts_running_on_workers(void) { return insideTask(); }

extern "C" int __cilkrts_set_param(const char *name, const char *value) {
  if (!name || !value)
    return kInvalid;
  if (!strcmp(name, "stack size") || !strcmp(name, "force reduce"))
    return kUnimplemented;
  if (strcmp(name, "nworkers") || *value < '0' || *value > '9')
    return kInvalid;
  char *end;
  errno = 0;
  unsigned long long count = strtoull(value, &end, 0);
  if (*end)
    return kInvalid;
  Executor &executor = startedExecutor();
  uint32_t most = executor.workers();
  if (errno || count > most)
    return kOutOfRange;
  return executor.limitWorkers(count ? uint32_t(count) : most) ? kSuccess : kLate;
}

extern "C" int __cilkrts_is_initialized(void) { return 1; }
extern "C" void __cilkrts_init(void) {}
extern "C" void __cilkrts_end_cilk(void) {}

#pragma GCC visibility pop
