// Runs the wavefronts of a hand-written graph on several threads of this CPU, the workers. Each worker is a compute
// unit of the machine. A worker asks the aggregator for a wavefront, and runs the wavefront to its end:
//
//   worker 0   act | kernel .................. | act | kernel ...
//   worker 1       | act | kernel ... waits    | act | kernel ...
//
// One lock guards channels, aggregator and machine, that is, all state except that of kernels. A worker releases the
// lock while it is in a kernel. The lock is a semaphore, because a worker takes it on its own stack and may release it
// on the stack of a wavefront, which is another thread for ThreadSanitizer. A wavefront that waited for room goes on in
// the same worker, so a kernel never changes its thread.
//
// Thread-safety: the workers of a run, under the lock. The host's thread is worker 0.
#ifndef CILK2GPU_RUNTIME_GRAPH_THREADEDGRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_THREADEDGRAPHMACHINE_H

#include "graph/NativeGraphMachine.h"

#include <pthread.h>
#include <semaphore.h>

namespace cilk2gpu::rt {

class ThreadedGraphMachine final : public NativeGraphMachine {
public:
  explicit ThreadedGraphMachine(const GraphMachineSetup &setup);

  Context *freeContext() override;
  uint64_t nextTurn() override;
  uint64_t acting() const override { return actingTime; }
  bool runsLanesInOrder() const override { return false; }
  /// Returns false, because the aggregator would give all wavefronts to the worker that asks first.
  bool prefersAggregator() const override { return false; }

  void drive(const GraphDriver &driver) override;
  bool enterRuntime() override;
  void leaveRuntime() override;

private:
  /// A worker, on the stack of drive(). If a kernel calls Cilk functions, their tasks have an arena of the worker's
  /// own.
  struct Worker {
    ThreadedGraphMachine *machine;
    uint32_t index;
    pthread_t thread;
  };

  static void *threadMain(void *worker);
  void work(uint32_t index);
  bool startThread(Worker &worker);
  bool step();
  void sleep();
  void wakeAll();
  void wakeOthers();
  Machine::Ended giveTurn() override;

  const GraphDriver *driver = nullptr; ///< null: nothing runs
  sem_t lock, wakeUps;
  uint32_t sleepers = 0; ///< workers that wait for `wakeUps`
  bool isOver = false;   ///< the run: no worker finds anything to do
  uint64_t actingTime = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_THREADEDGRAPHMACHINE_H
