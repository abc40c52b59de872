// See PersistentHost.h.
#include "executors/gpu-host/PersistentHost.h"
#include "process/Message.h"
#include "process/TaskScope.h"
#include "process/Threads.h"

#include <new>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

//===--------------------------------------------------------------------------------------------------------------===//
// The kernel
//===--------------------------------------------------------------------------------------------------------------===//

PersistentHost::PersistentHost(uint32_t wave, uint64_t seed, uint64_t stackBytes, uint32_t workers)
    : wave(wave), stackBytes(stackBytes), capacity(workers),
      own{this, dispatch, nullptr, nullptr, nullptr, nullptr, nullptr, true}, numWorkers(workers) {
  void *memory = nullptr;
  if (posix_memalign(&memory, alignof(Worker), workers * sizeof(Worker)))
    rt::fatal("out of memory: %zu bytes for %u wavefronts could not be allocated", workers * sizeof(Worker), workers);
  all = static_cast<Worker *>(memory);
  for (uint32_t i = 0; i < workers; ++i)
    new (&all[i]) Worker(*this, seed + i);
}

PersistentHost::~PersistentHost() {
  for (uint32_t i = 0; i < capacity; ++i)
    all[i].~Worker();
  free(all);
}

void PersistentHost::dispatch(void *context, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  auto &self = *static_cast<PersistentHost *>(context);
  self.board.dispatch({task.kernels[wave->kernel].lane, wave, wave->lanes, 0, restarts}, self.present, self.wave);
}

void PersistentHost::runAggregator() {
  started.awaitOtherThan(launchNumber - 1);
  current.aggregate(current.context);
  board.end();
}

void PersistentHost::runWorker(uint32_t number) {
  Worker &worker = all[number];
  rt::TaskScope inside(*current.memory, memoryLock, number);
  board.work(number, [&](const Message &message) {
    worker.lanes.run(message.body, message.wave, message.restarts, message.first(number), message.count(number));
    if (lost)
      rt::fatal(
          "this process was forked inside a task while other workers ran; it can exec or exit, but not go on with "
          "the graph");
  });
}

/// The function that every wavefront of the kernel runs.
void *PersistentHost::wavefrontMain(void *context) {
  auto &self = *static_cast<PersistentHost *>(context);
  uint32_t ticket = self.tickets.take();
  if (ticket == 0)
    self.runAggregator();
  else
    self.runWorker(ticket - 1);
  return nullptr;
}

/// Creates threads. Returns the number of threads that were created, because the system may allow fewer.
uint32_t PersistentHost::startWavefronts(pthread_t *threads, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    int error = rt::createTaskThread(threads[i], wavefrontMain, this);
    if (!error)
      continue;
    if (i < 2)
      rt::fatal("the threads of a persistent kernel could not be created: %s; use CILK2GPU_AGGREGATOR=host",
                strerror(error));
    return i;
  }
  return count;
}

void PersistentHost::launch(const Launch &launch) {
  auto *threads = static_cast<pthread_t *>(malloc((numWorkers + 1) * sizeof(pthread_t)));
  if (!threads)
    rt::fatal("out of memory: a list of %u threads could not be allocated", numWorkers + 1);
  current = launch;
  tickets.reset();
  board.reset();
  ++launchNumber;
  isRunning = true;
  uint32_t count = startWavefronts(threads, numWorkers + 1);
  present = count - 1;
  started.set(launchNumber);
  for (uint32_t i = 0; i < count; ++i)
    pthread_join(threads[i], nullptr);
  isRunning = false;
  free(threads);
  __atomic_store_n(&numLaunches, numLaunches + 1, __ATOMIC_RELAXED); // relaxed: only statistics read it
  __atomic_store_n(&numThreads, numThreads + count, __ATOMIC_RELAXED);
}

void PersistentHost::afterForkInChild() {
  afterFork();
  lost = isRunning;
}

} // namespace cilk2gpu::device
