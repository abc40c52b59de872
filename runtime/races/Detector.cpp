// The race detector behind the hooks of `-fsanitize=cilk` (cilk2gpu/abi/StrandHooks.h and RaceHooks.h). It follows the
// thread that starts the program. Accesses of other threads are not checked.
#include "Detector.h"

#include "cilk2gpu/abi/RaceHooks.h"
#include "cilk2gpu/abi/StrandHooks.h"
#include "process/VariableNames.h"

#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>

namespace cilk2gpu::races {

static void reportRace(void *context, uintptr_t at, const Entry &entry, const Entry &now) {
  static_cast<Reports *>(context)->report(detector.reducers.reducerAt(at), entry, now);
}

constexpr Detector::Detector() : shadow(strands, locks, reportRace, &reports), reducers(strands, shadow) {}

constinit Detector detector;
constinit thread_local bool isChecked = false;

/// Widens the range of thread-local variables by those of one library.
static int addThreadLocals(dl_phdr_info *info, size_t, void *) {
  for (unsigned i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
      auto begin = uintptr_t(info->dlpi_tls_data), end = begin + info->dlpi_phdr[i].p_memsz;
      uintptr_t &low = detector.threadLocals, &size = detector.threadLocalBytes;
      uintptr_t high = low + size;
      low = size && low < begin ? low : begin;
      size = (size && high > end ? high : end) - low;
    }
  return 0;
}

void Detector::open() {
  if (isOpen)
    return;
  rt::warnOfUnknownVariables();
  options.read();
  strands.open();
  locks.open();
  objects.open();
  blocks.open();
  reports.open();
  shadow.open();
  reducers.open();
  dl_iterate_phdr(addThreadLocals, nullptr);
  stack.open();
  isOpen = isChecked = true;
}

inline void Detector::access(const void *where, size_t size, LockSet properties, Cilk2gpuAccess *access) {
  auto at = uintptr_t(where);
  if (!isChecked || strands.views.pauses || at - threadLocals < threadLocalBytes)
    return;
  stack.touch(at, uintptr_t(__builtin_frame_address(0)));
  if (options.ignoresLocks)
    properties &= kRead;
  shadow.access(at, size, {strands.current(), reports.numberOf(access), locks.held() | properties});
}

/// Returns the caller's stack pointer: the frames of functions that it has called were below. A frame begins with the
/// return address and the caller's frame pointer.
#define callersStack() (uintptr_t(__builtin_frame_address(0)) + 2 * sizeof(void *))

/// Forgets accesses of frames that have ended: the part of the stack below `live`.
void Detector::clearDeadFrames(uintptr_t live) {
  if (!stack.has(live))
    return;
  if (uintptr_t lowest = stack.leaveFrames(live); lowest < live)
    shadow.clear(lowest, live - lowest);
}

/// Writes the summary. Returns the exit status of the program, which ends with `status` by itself.
int Detector::finish(int status) {
  if (!isOpen || isFinished || !reports.isOfThisProcess())
    return status;
  isFinished = true;
  isChecked = false;
  return reports.finish(status);
}

/// Writes the summary, and ends the program if it gets another exit status.
static void finish() {
  constexpr int kOwn = -1;
  if (int status = detector.finish(kOwn); status != kOwn)
    endProcess(status);
}

__attribute__((constructor(101))) static void start() {
  // Tasks stand for threads. With one thread, the C++ library would count references without atomic operations.
  __libc_single_threaded = 0;
  detector.open();
  at_quick_exit(finish);
}

__attribute__((destructor(101))) static void end() {
  fflush(nullptr);
  finish();
}

} // namespace cilk2gpu::races

using namespace cilk2gpu::races;

uint32_t __cilk2gpu_strand_enter(const Cilk2gpuSite *) {
  detector.open();
  return isChecked ? detector.strands.enter() : 0;
}

void __cilk2gpu_strand_leave(uint32_t function) {
  if (isChecked)
    detector.strands.leave(function);
}

void __cilk2gpu_strand_unwind(uint32_t function, uint32_t loops) {
  if (isChecked)
    detector.strands.unwind(function, loops);
}

void __cilk2gpu_strand_spawn(const Cilk2gpuSite *site) {
  if (isChecked)
    detector.strands.spawn(site);
}

void __cilk2gpu_strand_return(void) {
  if (!isChecked)
    return;
  detector.strands.endChild();
  detector.clearDeadFrames(callersStack());
}

void __cilk2gpu_strand_sync(const Cilk2gpuSite *) {
  if (isChecked)
    detector.strands.sync();
}

void __cilk2gpu_strand_loop(const Cilk2gpuSite *site, uint64_t) {
  if (isChecked)
    detector.strands.beginLoop(site);
}

void __cilk2gpu_strand_iteration(uint64_t index) {
  if (!isChecked)
    return;
  detector.strands.beginIteration(index);
  detector.clearDeadFrames(callersStack());
}

void __cilk2gpu_strand_loop_end(void) {
  if (!isChecked)
    return;
  detector.strands.endLoop();
  detector.clearDeadFrames(callersStack());
}

/// Checks an access of a scalar. Most accesses are known from their task.
template <unsigned Size, bool Reads> static inline void accessScalar(const void *where, Cilk2gpuAccess *access) {
  auto at = uintptr_t(where);
  if (Size >= 4 && at % 4 == 0 && isChecked && !detector.locks.held()) {
    TaskId task = detector.strands.current();
    if (detector.shadow.isKnown(at, task, Reads) && (Size == 4 || detector.shadow.isKnown(at + 4, task, Reads)))
      return;
  }
  detector.access(where, Size, Reads ? kRead : 0, access);
}

#define CILK2GPU_ACCESSES(SIZE)                                                                                        \
  void __cilk2gpu_race_read##SIZE(const void *at, Cilk2gpuAccess *access) { (accessScalar<SIZE, true>(at, access)); }  \
  void __cilk2gpu_race_write##SIZE(void *at, Cilk2gpuAccess *access) { (accessScalar<SIZE, false>(at, access)); }
CILK2GPU_ACCESSES(1)
CILK2GPU_ACCESSES(2)
CILK2GPU_ACCESSES(4)
CILK2GPU_ACCESSES(8)

void __cilk2gpu_race_range(const void *at, uint64_t size, uint32_t how, Cilk2gpuAccess *access) {
  LockSet atomic = how & kCilk2gpuAtomic ? kAtomic : 0;
  // A write races with everything that a read of the same bytes races with.
  detector.access(at, size, how & kCilk2gpuWrites ? atomic : atomic | kRead, access);
}

void __cilk2gpu_race_text(const char *text, const char *measured, uint32_t how, Cilk2gpuAccess *access) {
  if (const char *length = measured ? measured : text; length && isChecked)
    __cilk2gpu_race_range(text, strlen(length) + 1, how, access);
}

void __cilk2gpu_race_free(void *block, Cilk2gpuAccess *access) {
  // Blocks of the program's own allocation functions have sizes that malloc() does not know.
  if (detector.blocks.has(uintptr_t(block)))
    detector.access(block, malloc_usable_size(block), 0, access);
}

void __cilk2gpu_race_local(void *at, uint64_t size) {
  if (isChecked)
    detector.begin(at, size);
}

void __cilk2gpu_race_locked(const void *lock, int32_t result) {
  if (isChecked && !result && !detector.options.ignoresLocks)
    detector.locks.lock(lock);
}

void __cilk2gpu_race_unlock(const void *lock) {
  if (isChecked && !detector.options.ignoresLocks)
    detector.locks.unlock(lock);
}

void __cilk2gpu_race_view(void *key, void *view, int32_t how, Cilk2gpuAccess *access) {
  if (isChecked && !detector.strands.views.pauses)
    detector.reducers.use(key, view, Cilk2gpuViewUse(how), detector.reports.numberOf(access));
}

void __cilk2gpu_race_pause(int32_t condition) {
  if (isChecked && condition)
    ++detector.strands.views.pauses;
}

void __cilk2gpu_race_resume(void) {
  if (isChecked && detector.strands.views.pauses)
    --detector.strands.views.pauses;
}

void __cilk2gpu_race_unchecked(Cilk2gpuAccess *access) {
  if (isChecked)
    detector.reports.noteUnchecked(access);
}

// Reducers (<cilk/hyperobject.h>).
CILK2GPU_REPLACES void *__hyper_lookup(void *key, size_t size, Identity identity, Reduce reduce) {
  return isChecked ? detector.strands.views.lookup(key, size, identity, reduce) : key;
}

CILK2GPU_REPLACES void __cilkrts_reducer_register(void *key, size_t, Identity, Reduce reduce) {
  if (!isChecked)
    return;
  detector.reducers.forget(key);
  detector.strands.views.add(key, reduce);
}

CILK2GPU_REPLACES void __cilkrts_reducer_unregister(void *key) {
  if (!isChecked)
    return;
  detector.strands.removeReducer(key);
  detector.reducers.forget(key);
}

// An exit without destructors.
CILK2GPU_REPLACES void _exit(int status) { endProcess(detector.finish(status)); }
CILK2GPU_REPLACES void _Exit(int status) { endProcess(detector.finish(status)); }

// The program's own statements about its locks (<cilk/cilksan.h>).
CILK2GPU_REPLACES void __cilksan_enable_checking(void) { __cilk2gpu_race_resume(); }
CILK2GPU_REPLACES void __cilksan_disable_checking(void) { __cilk2gpu_race_pause(1); }
CILK2GPU_REPLACES bool __cilksan_is_checking_enabled(void) { return isChecked && !detector.strands.views.pauses; }
CILK2GPU_REPLACES void __cilksan_acquire_lock(const void *lock) { __cilk2gpu_race_locked(lock, 0); }
CILK2GPU_REPLACES void __cilksan_release_lock(const void *lock) { __cilk2gpu_race_unlock(lock); }
CILK2GPU_REPLACES void __cilksan_register_lock_explicit(const void *) {}
CILK2GPU_REPLACES void __cilksan_unregister_lock_explicit(const void *) {}

// An atomic region excludes all others, as a lock does.
static char atomicRegions;
CILK2GPU_REPLACES void __cilksan_begin_atomic(void) { __cilk2gpu_race_locked(&atomicRegions, 0); }
CILK2GPU_REPLACES void __cilksan_end_atomic(void) { __cilk2gpu_race_unlock(&atomicRegions); }
