// Allocates with posix_memalign, for any alignment. Requests are large, because an arena takes small blocks from
// chunks.
#include "process/HostEnvironment.h"
#include "core/Tunables.h"
#include "process/FrameRange.h"
#include "process/MachineMemory.h"
#include "process/Message.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

namespace cilk2gpu::rt {

static uint64_t memoryLimit; ///< bytes; 0: not known yet
static uint64_t allocated;   ///< bytes of all environments

void limitHostMemory(uint64_t bytes) { __atomic_store_n(&memoryLimit, bytes, __ATOMIC_RELAXED); }

/// Returns whether `bytes` bytes of all environments together are within the limit. The system promises more memory
/// than it has, so an endless recursion would take the memory of all processes before an allocation failed. The first
/// call above kUnlimitedMemory determines the memory of the machine. Relaxed order is enough, because no other memory
/// depends on these sums.
static bool isWithinLimit(uint64_t bytes) {
  if (bytes <= tunables::kUnlimitedMemory)
    return true;
  uint64_t limit = __atomic_load_n(&memoryLimit, __ATOMIC_RELAXED);
  if (!limit)
    limitHostMemory(limit = machineMemory() / 4 * tunables::kMachineMemoryQuarters);
  return bytes <= limit;
}

static void release(void *, void *memory, uint64_t bytes, uint64_t) {
  __atomic_fetch_sub(&allocated, bytes, __ATOMIC_RELAXED);
  free(memory);
}

static void *allocateAligned(uint64_t bytes, uint64_t align) {
  void *memory = nullptr;
  using tunables::kHugePage; // an arena's largest chunks are in huge pages where the system has them
  if (bytes && bytes % kHugePage == 0 && align <= kHugePage && !posix_memalign(&memory, kHugePage, bytes)) {
    madvise(memory, bytes, MADV_HUGEPAGE); // if it fails, pages are small
    return memory;
  }
  if (posix_memalign(&memory, align < sizeof(void *) ? sizeof(void *) : align, bytes))
    return nullptr;
  return memory;
}

static void *allocate(void *, uint64_t bytes, uint64_t align) {
  uint64_t all = __atomic_add_fetch(&allocated, bytes, __ATOMIC_RELAXED);
  void *memory = isWithinLimit(all) ? allocateAligned(bytes, align) : nullptr;
  if (!memory)
    __atomic_fetch_sub(&allocated, bytes, __ATOMIC_RELAXED);
  return memory;
}

static void *allocateFrames(void *context, uint64_t bytes, uint64_t align) {
  uint64_t all = __atomic_add_fetch(&allocated, bytes, __ATOMIC_RELAXED);
  void *memory = isWithinLimit(all) ? allocateInFrameRange(bytes, align) : nullptr;
  if (memory)
    return memory;
  __atomic_fetch_sub(&allocated, bytes, __ATOMIC_RELAXED);
  return mayLeaveFrameRange() ? allocate(context, bytes, align) : nullptr;
}

static void releaseFrames(void *context, void *memory, uint64_t bytes, uint64_t align) {
  if (!releaseInFrameRange(memory, bytes))
    return release(context, memory, bytes, align);
  __atomic_fetch_sub(&allocated, bytes, __ATOMIC_RELAXED);
}

static uint64_t nanosecondsOf(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

uint64_t hostClock() { return nanosecondsOf(CLOCK_MONOTONIC); }

void hostNap(void *, uint64_t nanoseconds) {
  timespec time = {.tv_sec = time_t(nanoseconds / 1000000000u), .tv_nsec = long(nanoseconds % 1000000000u)};
  nanosleep(&time, nullptr); // a signal may end it early
}

uint32_t hostIsas() {
  uint32_t isas = 1u << uint32_t(abi::Isa::Any);
#ifdef __x86_64__
  if (__builtin_cpu_supports("x86-64-v4"))
    isas |= 1u << uint32_t(abi::Isa::X86_64_V4);
  if (__builtin_cpu_supports("x86-64-v3"))
    isas |= 1u << uint32_t(abi::Isa::X86_64_V3);
  if (__builtin_cpu_supports("x86-64-v2"))
    isas |= 1u << uint32_t(abi::Isa::X86_64_V2);
#endif
#ifdef __ARM_NEON // part of every AArch64
  isas |= 1u << uint32_t(abi::Isa::AArch64_Neon);
#endif
  return isas;
}

Environment hostEnvironment() {
  Environment environment = {};
  environment.allocate = allocate;
  environment.release = release;
  environment.allocateFrames = allocateFrames;
  environment.releaseFrames = releaseFrames;
  environment.fail = failOnHost;
  environment.report = [](void *, const char *text) { note("%s", text); };
  environment.clock = [](void *) { return hostClock(); };
  environment.ownClock = [](void *) { return nanosecondsOf(CLOCK_THREAD_CPUTIME_ID); };
  environment.isas = hostIsas();
  return environment;
}

} // namespace cilk2gpu::rt
