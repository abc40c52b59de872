// Two assembly functions of Boost.Context switch stacks. They are in the runtime's archive, so that programs link no
// other library. The Fiber object is at the top of its stack's mapping. A fiber runs one body after another on the same
// stack.
#include "process/Fiber.h"
#include "core/Tunables.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cxxabi.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

// Calls that tell a sanitizer about a switch of stacks. The references are weak, because a program may have a sanitizer
// although the runtime was compiled without one.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size);
[[gnu::weak]] void *__tsan_get_current_fiber(void);
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}

// Returns the exceptions of a thread that were thrown and not yet destroyed. Programs in C do not have this function.
namespace __cxxabiv1 {
extern "C" [[gnu::weak]] __cxa_eh_globals *__cxa_get_globals() noexcept;
}

namespace cilk2gpu::rt {

namespace context = boost::context::detail;

/// Inlined, because ThreadSanitizer would see a call that begins on one stack and ends on the other.
[[gnu::always_inline]] static inline void startSwitch(void **save, const void *bottom, uint64_t bytes,
                                                      void *threadFiber) {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(save, bottom, bytes);
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(threadFiber, 0);
}

static void finishSwitch(void *saved, const void **bottom, uint64_t *bytes) {
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(saved, bottom, bytes);
}

static uint64_t pageSize() { return uint64_t(sysconf(_SC_PAGESIZE)); }

struct FiberEntry {
  /// The fiber's first function; never returns.
  static void start(context::transfer_t from) {
    Fiber &fiber = *static_cast<Fiber *>(from.data);
    fiber.context = from.fctx;
    finishSwitch(nullptr, &fiber.callerStack, &fiber.callerStackBytes);
    for (;;) {
      fiber.modes.load(); // the switch has restored the modes that the last body ended with
      fiber.body(fiber.argument);
      fiber.isDone = true;
      fiber.suspend();
      if (fiber.isEnding)
        fiber.leave();
    }
  }
};

/// Bytes of the guard below a stack: as many as Linux keeps free below a thread's first stack. A function's frame may
/// be larger than a page, so a guard of one page would not be enough.
static constexpr uint64_t kGuardBytes = uint64_t(1) << 20;

Fiber *Fiber::create(uint64_t stackBytes) {
  uint64_t page = pageSize(), bytes = (stackBytes + 2 * page - 1) / page * page + kGuardBytes;
  if (bytes < stackBytes)
    return nullptr;
  void *memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  madvise(memory, bytes, MADV_NOHUGEPAGE); // most stacks use only some pages; if this fails, they take more memory
  munlock(memory, bytes);                  // in a process that locks all mappings, the whole stack would take memory
  if (mprotect(static_cast<char *>(memory) + kGuardBytes, bytes - kGuardBytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, bytes);
    return nullptr;
  }
  char *top = static_cast<char *>(memory) + bytes - (sizeof(Fiber) + 63) / 64 * 64;
  Fiber *fiber = new (top) Fiber;
  fiber->mapping = memory;
  fiber->mappingBytes = bytes;
  fiber->context =
      context::make_fcontext(top, uint64_t(top - static_cast<char *>(memory)) - kGuardBytes, FiberEntry::start);
  if (__tsan_create_fiber)
    fiber->threadFiber = __tsan_create_fiber(0);
  return fiber;
}

/// Leaves the stack for ever. AddressSanitizer releases the memory that it has for the stack's variables.
void Fiber::leave() {
  startSwitch(nullptr, callerStack, callerStackBytes, callerFiber);
  context::jump_fcontext(context, nullptr);
}

void Fiber::destroy() {
  if (fakeStack && isDone) {
    isEnding = true;
    enter();
  }
  if (__tsan_destroy_fiber)
    __tsan_destroy_fiber(threadFiber);
  void *memory = mapping;
  munmap(memory, mappingBytes);
}

bool Fiber::isBelow(const void *address) const {
  uint64_t offset = uint64_t(static_cast<const char *>(address) - static_cast<char *>(mapping));
  return offset < kGuardBytes;
}

/// Returns whether any page of a mapping is in memory.
static bool isAnyResident(void *memory, uint64_t bytes) {
  constexpr uint64_t most = 64;
  unsigned char pages[most];
  uint64_t count = std::min(most, bytes / pageSize());
  if (mincore(memory, count * pageSize(), pages) != 0)
    return true;
  return std::any_of(pages, pages + count, [](unsigned char page) { return page & 1; });
}

void Fiber::giveBack(bool thorough) {
  constexpr uint64_t kept = tunables::kKeptStack, seen = 256 << 10;
  uint64_t used = mappingBytes - kGuardBytes;
  if (used <= kept)
    return;
  char *lowest = static_cast<char *>(mapping) + kGuardBytes, *end = lowest + (used - kept);
  if (thorough || used - kept < seen || isAnyResident(end - seen, seen))
    madvise(lowest, used - kept, MADV_DONTNEED);
}

/// Exchanges the thread's exceptions with those of the side that runs next.
void Fiber::swapExceptions() {
  if (__cxxabiv1::__cxa_get_globals)
    std::swap(exceptions, *reinterpret_cast<Exceptions *>(__cxxabiv1::__cxa_get_globals()));
}

bool Fiber::enter() {
  if (__tsan_get_current_fiber)
    callerFiber = __tsan_get_current_fiber();
  startSwitch(&callerFakeStack, mapping, uint64_t(reinterpret_cast<char *>(this) - static_cast<char *>(mapping)),
              threadFiber);
  swapExceptions();
  context = context::jump_fcontext(context, this).fctx;
  swapExceptions();
  finishSwitch(callerFakeStack, nullptr, nullptr);
  return isDone;
}

bool Fiber::run(void (*function)(void *), void *value) {
  body = function;
  argument = value;
  modes = FloatModes::current();
  isDone = false;
  return enter();
}

bool Fiber::resume() { return enter(); }

void Fiber::suspend() {
  startSwitch(&fakeStack, callerStack, callerStackBytes, callerFiber);
  context = context::jump_fcontext(context, nullptr).fctx;
  finishSwitch(fakeStack, &callerStack, &callerStackBytes);
}

} // namespace cilk2gpu::rt
