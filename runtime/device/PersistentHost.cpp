// See PersistentHost.h.
#include "device/PersistentHost.h"
#include "host/Message.h"
#include "host/Threads.h"
#include "host/Workers.h"

#include <linux/futex.h>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cilk2gpu::device {

//===--------------------------------------------------------------------------------------------------------------===//
// Signals: a GPU's wavefronts poll; threads, which may be more than CPUs, sleep.
//===--------------------------------------------------------------------------------------------------------------===//

/// Looks at a word before the system is asked to wait: a short dispatch on another CPU is over by then.
static constexpr int kLooks = 200;

void Signal::set(uint32_t next) {
  __atomic_store_n(&value, next, __ATOMIC_RELEASE); // pairs with read()
  syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void Signal::awaitOtherThan(uint32_t old) const {
  for (int i = 0; read() == old; ++i)
    if (i >= kLooks)
      syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0); // returns at once if it is not `old`
}

//===--------------------------------------------------------------------------------------------------------------===//
// The kernel
//===--------------------------------------------------------------------------------------------------------------===//

PersistentHost::PersistentHost(uint32_t wave, uint64_t seed, uint64_t stackBytes, uint32_t workers)
    : wave(wave), stackBytes(stackBytes), capacity(workers), own{this, dispatch, nullptr, nullptr, nullptr},
      numWorkers(workers) {
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

/// Whole wavefronts, as many for each worker as for the others, and a barrier.
void PersistentHost::dispatch(void *context, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  auto &self = *static_cast<PersistentHost *>(context);
  uint64_t wavefronts = (wave->lanes + self.wave - 1) / self.wave;
  uint64_t share = (wavefronts + self.present - 1) / self.present * self.wave;
  uint32_t used = 0;
  for (uint64_t first = 0; first < wave->lanes; first += share, ++used) {
    uint64_t left = wave->lanes - first;
    self.all[used].mailbox.post({task.kernels[wave->kernel].lane, wave, first, left < share ? left : share, restarts});
  }
  for (uint32_t i = 0; i < used; ++i)
    self.all[i].mailbox.awaitDone();
}

void PersistentHost::runAggregator() {
  started.awaitOtherThan(launchNumber - 1);
  current.aggregate(current.context);
  for (uint32_t i = 0; i < present; ++i)
    all[i].mailbox.post({nullptr, nullptr, 0, 0, false});
}

void PersistentHost::runWorker(uint32_t number) {
  Worker &worker = all[number];
  rt::TaskScope inside(*current.memory, memoryLock, number);
  for (bool ends = false; !ends; worker.mailbox.finish()) {
    const Message &message = worker.mailbox.receive();
    if ((ends = !message.body))
      continue;
    worker.lanes.run(message.body, message.wave, message.restarts, message.first, message.lanes);
    if (lost)
      rt::fatal(
          "this process was forked inside a task while other workers ran; it can exec or exit, but not go on with "
          "the graph");
  }
}

/// What every wavefront of the kernel runs.
void *PersistentHost::wavefrontMain(void *context) {
  auto &self = *static_cast<PersistentHost *>(context);
  uint32_t ticket = __atomic_fetch_add(&self.tickets, 1, __ATOMIC_RELAXED); // orders nothing
  if (ticket == 0)
    self.runAggregator();
  else
    self.runWorker(ticket - 1);
  return nullptr;
}

/// Returns how many there are: the system may allow fewer.
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
  tickets = 0;
  ++launchNumber;
  isRunning = true;
  uint32_t count = startWavefronts(threads, numWorkers + 1);
  present = count - 1;
  started.set(launchNumber);
  for (uint32_t i = 0; i < count; ++i)
    pthread_join(threads[i], nullptr);
  isRunning = false;
  free(threads);
  __atomic_store_n(&numLaunches, numLaunches + 1, __ATOMIC_RELAXED); // read for statistics only, both
  __atomic_store_n(&numThreads, numThreads + count, __ATOMIC_RELAXED);
}

void PersistentHost::afterForkInChild() {
  afterFork();
  lost = isRunning;
}

} // namespace cilk2gpu::device
