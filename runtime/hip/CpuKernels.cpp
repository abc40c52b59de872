// The compiled part of a program also contains its kernels for the CPU, which a program written by --emit=hip never
// runs. The functions below, which these kernels would call, let the program link. They are weak, so that a runtime for
// CPUs replaces them if it is linked.
#include "cilk2gpu/abi/Device.h"
#include "core/Tunables.h"
#include "process/Loops.h"
#include "process/Message.h"

using namespace cilk2gpu;

#define ON_CPU __attribute__((weak))

[[noreturn]] static void refuse() {
  rt::internalError("a kernel for the CPU was run in a program that runs its tasks on a GPU");
}

ON_CPU uint64_t rt::loopTasks() { return rt::tunables::kLoopTasks; }
ON_CPU uint64_t rt::doacrossWorkers() { return 0; }
ON_CPU int64_t rt::leastGrain(uint64_t, int64_t least) { return least; }

extern "C" {

ON_CPU int32_t __cilk2gpu_talloc(abi::Wave *, uint32_t) { refuse(); }
ON_CPU uint64_t __cilk2gpu_talloc_lanes(abi::Wave *, uint32_t, uint64_t) { refuse(); }
ON_CPU void *__cilk2gpu_local(abi::TaskLocals *, uint64_t, uint64_t) { refuse(); }
ON_CPU void __cilk2gpu_release(abi::TaskLocals *, void *) { refuse(); }
ON_CPU uint64_t __cilk2gpu_device_talloc(abi::Wave *, uint32_t) { refuse(); }
ON_CPU void *__cilk2gpu_device_frame(abi::Wave *) { refuse(); }
ON_CPU void __cilk2gpu_device_tfree(abi::Wave *, void *) { refuse(); }
ON_CPU void __cilk2gpu_device_publish(abi::Wave *, uint32_t, void *) { refuse(); }
ON_CPU void __cilk2gpu_device_yield(abi::Wave *, void *, uint32_t) { refuse(); }
ON_CPU void __cilk2gpu_device_fold(void *, uint64_t, abi::Fold, uint32_t) { refuse(); }
ON_CPU void *__cilk2gpu_device_global(void *) { refuse(); }
}
