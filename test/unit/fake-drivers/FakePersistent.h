// A persistent kernel for the fake drivers: a GPU's sources, with wavefronts as threads and lanes as fibers. It must be
// included in a single file of a program.
//
// Thread-safety: fakeWavefront() is called by the threads of one launch at a time.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEPERSISTENT_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEPERSISTENT_H

#include "device/PersistentWavefront.h"
#include "executors/gpu-host/HostLanes.h"
#ifndef FAKE_HIP_PROGRAM
#include "executors/native/Workers.h"
#include "process/HostEnvironment.h"
#endif

#include <new>
#include <setjmp.h>
#include <stdlib.h>

namespace cilk2gpu::device {

static thread_local jmp_buf *wavefrontsEnd = nullptr;

/// Returns a worker's lanes. Never destroyed: a lane that calls exit() is on one of the stacks.
static HostLanes &fakeLanesOf(uint32_t worker, uint32_t wave) {
  static HostLanes *all[1024];
  if (!all[worker]) {
    const char *seed = getenv("FAKE_GPU_SEED");
    void *memory =
        aligned_alloc(alignof(HostLanes), (sizeof(HostLanes) + alignof(HostLanes) - 1) & ~(alignof(HostLanes) - 1));
    all[worker] = new (memory) HostLanes(wave, (seed ? strtoull(seed, nullptr, 10) : 1) + worker, 1 << 20);
  }
  return *all[worker];
}

static thread_local uint32_t fakeWave;

void runShare(const Message &message, uint32_t worker) {
  fakeLanesOf(worker, fakeWave)
      .run(message.body, message.wave, message.restarts, message.first(worker), message.count(worker));
}

void endWavefront() { longjmp(*wavefrontsEnd, 1); }

} // namespace cilk2gpu::device

namespace cilk2gpu::test {

#ifndef FAKE_HIP_PROGRAM
// Environment of the tasks' storage of variable size. It is global: programs are compiled without locks for local
// statics.
static rt::Environment fakeEnvironment = rt::hostEnvironment();
static rt::Arena fakeArena(fakeEnvironment);
static pthread_mutex_t fakeArenaLock = PTHREAD_MUTEX_INITIALIZER;
struct FakeTasks {
  rt::TaskScope inside{fakeArena, fakeArenaLock, 0};
};
#else
struct FakeTasks {}; // tasks get their storage from the C library
#endif

/// Runs on a thread of the fake driver.
static void fakeWavefront(void *parameter) {
  auto &record = *static_cast<device::PersistentRecord *>(parameter);
  [[maybe_unused]] FakeTasks tasks;
  device::fakeWave = record.wave;
  jmp_buf end;
  device::wavefrontsEnd = &end;
  if (!setjmp(end))
    device::runWavefront(record);
}

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEPERSISTENT_H
