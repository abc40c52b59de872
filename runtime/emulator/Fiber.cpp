// Boost.Context's two assembly functions do the switch; they are part of the runtime's archive, so that programs link
// nothing else. A fiber lives at the top of its own mapping and runs one body after another on the same stack.
#include "emulator/Fiber.h"

#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CILK2GPU_ASAN_FIBERS 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace cilk2gpu::rt {

namespace context = boost::context::detail;

#ifdef CILK2GPU_ASAN_FIBERS
#define START_SWITCH(save, bottom, size) __sanitizer_start_switch_fiber(save, bottom, size)
#define FINISH_SWITCH(saved, bottom, size) __sanitizer_finish_switch_fiber(saved, bottom, size)
#else
#define START_SWITCH(save, bottom, size) (void)0
#define FINISH_SWITCH(saved, bottom, size) (void)0
#endif

static uint64_t pageSize() { return uint64_t(sysconf(_SC_PAGESIZE)); }

struct FiberEntry {
  /// The fiber's first function; never returns.
  static void start(context::transfer_t from) {
    Fiber &fiber = *static_cast<Fiber *>(from.data);
    fiber.context = from.fctx;
#ifdef CILK2GPU_ASAN_FIBERS
    FINISH_SWITCH(nullptr, &fiber.callerStack, &fiber.callerStackBytes);
#endif
    for (;;) {
      fiber.body(fiber.argument);
      fiber.isDone = true;
      fiber.suspend();
    }
  }
};

Fiber *Fiber::create(uint64_t stackBytes) {
  uint64_t page = pageSize(), bytes = (stackBytes + 2 * page - 1) / page * page + page;
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  if (mprotect(memory, page, PROT_NONE) != 0) {
    munmap(memory, bytes);
    return nullptr;
  }
  char *top = static_cast<char *>(memory) + bytes - (sizeof(Fiber) + 63) / 64 * 64;
  Fiber *fiber = new (top) Fiber;
  fiber->mapping = memory;
  fiber->mappingBytes = bytes;
  fiber->context = context::make_fcontext(top, uint64_t(top - static_cast<char *>(memory)) - page, FiberEntry::start);
  return fiber;
}

void Fiber::destroy() {
  void *memory = mapping;
  munmap(memory, mappingBytes);
}

bool Fiber::enter() {
#ifdef CILK2GPU_ASAN_FIBERS
  START_SWITCH(&callerFakeStack, mapping, uint64_t(reinterpret_cast<char *>(this) - static_cast<char *>(mapping)));
#endif
  context = context::jump_fcontext(context, this).fctx;
#ifdef CILK2GPU_ASAN_FIBERS
  FINISH_SWITCH(callerFakeStack, nullptr, nullptr);
#endif
  return isDone;
}

bool Fiber::run(void (*function)(void *), void *value) {
  body = function;
  argument = value;
  isDone = false;
  return enter();
}

bool Fiber::resume() { return enter(); }

void Fiber::suspend() {
#ifdef CILK2GPU_ASAN_FIBERS
  START_SWITCH(&fakeStack, callerStack, callerStackBytes);
#endif
  context = context::jump_fcontext(context, nullptr).fctx;
#ifdef CILK2GPU_ASAN_FIBERS
  FINISH_SWITCH(fakeStack, &callerStack, &callerStackBytes);
#endif
}

} // namespace cilk2gpu::rt
