// The executor of CILK2GPU_DEVICE=native: worker threads call the kernels, which run lanes in vectors. It is also the
// executor of CILK2GPU_DEVICE=serial, where it gets no roots.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_NATIVEEXECUTOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_NATIVEEXECUTOR_H

#include "executors/native/PoolExecutor.h"

namespace cilk2gpu::rt {

class NativeExecutor final : public PoolExecutor {
public:
  explicit NativeExecutor(const ExecutorSetup &setup)
      : PoolExecutor(limitsOf(setup), pool), device(setup.device),
        pool(limits(), setup.settings.workers, {}, setup.environment.budget) {}

  void run() override { pool.run(); }
  bool runsVectors() const override { return device == Device::Native; }

private:
  const Device device;
  WorkerPool pool;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_NATIVEEXECUTOR_H
