// The common part of all executors with a pool of workers. The pool handles roots, counters, reports and fork. The
// native executor has several workers, which share work. An executor with a device has one worker, the aggregator.
//
// Thread-safety: see Executor.h.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_POOLEXECUTOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_POOLEXECUTOR_H

#include "executors/Executor.h"
#include "executors/native/Workers.h"

namespace cilk2gpu::rt {

class PoolExecutor : public Executor {
public:
  /// `pool` may be constructed later, because it is a member of the derived class.
  PoolExecutor(const Limits &limits, WorkerPool &pool) : Executor(limits), workerPool(pool) {}

  abi::Cursor *root(const TaskInfo *task) override { return workerPool.root(task); }
  void publishRoot() override {
    hasRoots = true;
    count(workerPool.hostCounters().roots, 1);
  }

  uint32_t workers() const override { return workerPool.size(); }
  uint32_t availableWorkers() const override { return workerPool.available(); }
  bool limitWorkers(uint32_t count) override { return workerPool.limit(count); }

  Counters counters(const TaskTable &tasks, bool mayRun) const override { return workerPool.counters(tasks, mayRun); }
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const override {
    return workerPool.kernelCounters(task, kernel);
  }
  uint64_t progress() const override { return workerPool.progress(); }
  void report(void (*line)(void *context, const char *text), void *context) override {
    workerPool.report(line, context);
  }

  void beforeFork() override { workerPool.beforeFork(); }
  void afterForkInParent() override { workerPool.afterForkInParent(); }
  void afterForkInChild() override { workerPool.afterForkInChild(); }

protected:
  ~PoolExecutor() = default;

  /// Returns whether roots were published since the last call. A run without roots makes no launch, because launches
  /// take long.
  bool takeRoots() {
    bool result = hasRoots;
    hasRoots = false;
    return result;
  }

private:
  WorkerPool &workerPool;
  bool hasRoots = false;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_POOLEXECUTOR_H
