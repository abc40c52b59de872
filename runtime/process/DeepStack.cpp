// The switch is a call with another stack pointer. The frame pointer leads back to the old stack, also for unwinding.
#include "process/DeepStack.h"
#include "core/Tunables.h"
#include "process/MachineMemory.h"
#include "process/Message.h"
#include "process/StackFaults.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .hidden cilk2gpuCallOnStack
  .globl cilk2gpuCallOnStack
  .type cilk2gpuCallOnStack, @function
cilk2gpuCallOnStack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  callq *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size cilk2gpuCallOnStack, . - cilk2gpuCallOnStack
)");
#define CILK2GPU_HAS_DEEP_STACK 1
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 2
  .hidden cilk2gpuCallOnStack
  .globl cilk2gpuCallOnStack
  .type cilk2gpuCallOnStack, %function
cilk2gpuCallOnStack:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa x29, 16
  mov sp, x2
  mov x9, x0
  mov x0, x1
  blr x9
  mov sp, x29
  .cfi_def_cfa sp, 16
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size cilk2gpuCallOnStack, . - cilk2gpuCallOnStack
)");
#define CILK2GPU_HAS_DEEP_STACK 1
#else
#define CILK2GPU_HAS_DEEP_STACK 0
#endif

extern "C" {
/// Calls body(argument) with the stack pointer `top`.
void cilk2gpuCallOnStack(void (*body)(void *), void *argument, void *top);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}

namespace cilk2gpu::rt {

namespace {

constexpr uint64_t kGuard = uint64_t(1) << 20;

/// The stack of one thread, at the low end of its mapping above a guard.
struct DeepStack : GuardedStack {
  char *low;      ///< of the mapping
  uint64_t bytes; ///< of the mapping
  char *takenAt;  ///< address in the frame that runs on the stack; null: none does

  char *top() const { return low + bytes - 64; }
};

bool isInGuard(const GuardedStack &stack, const void *address) {
  auto &self = static_cast<const DeepStack &>(stack);
  return address >= self.low && address < self.low + kGuard;
}

[[noreturn]] void fail(const GuardedStack &) {
  fatal("out of memory: the stack of serial elisions is full in a call from ordinary code; does its recursion end? The "
        "stack may take three quarters of the machine's memory, or as much as the process has addresses for; with "
        "CILK2GPU_ELIDE=never, tasks take no stack");
}

thread_local DeepStack stack{{isInGuard, fail}, nullptr, 0, nullptr};
pthread_key_t key;
bool hasKey = false;

void unmap(void *) {
  if (stack.low)
    munmap(stack.low, stack.bytes);
  stack.low = nullptr;
}

void makeKey() { hasKey = pthread_key_create(&key, unmap) == 0; }

char *map(uint64_t bytes) {
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  mprotect(memory, kGuard, PROT_NONE);
  return static_cast<char *>(memory);
}

} // namespace

bool reserveDeepStack() {
  if (stack.low)
    return true;
  if (!CILK2GPU_HAS_DEEP_STACK || __sanitizer_start_switch_fiber || __tsan_switch_to_fiber)
    return false;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, makeKey);
  uint64_t most = machineMemory() / 4 * tunables::kMachineMemoryQuarters & ~(kGuard - 1);
  stack.bytes = most > tunables::kElidedStack ? most : tunables::kElidedStack;
  char *low = hasKey ? map(stack.bytes) : nullptr;
  if (hasKey && !low)
    low = map(stack.bytes = tunables::kElidedStack);
  if (low && pthread_setspecific(key, low) != 0) {
    munmap(low, stack.bytes);
    low = nullptr;
  }
  stack.low = low;
  if (low)
    watchSecondStack(stack);
  return low;
}

void callOnDeepStack(void (*body)(void *argument), void *argument) {
#if CILK2GPU_HAS_DEEP_STACK
  char *here = static_cast<char *>(__builtin_frame_address(0));
  // A frame below this one has ended without a return, by an exception, if it took the stack.
  bool isFree = !stack.takenAt || (here > stack.takenAt && (here < stack.low || here >= stack.low + stack.bytes));
  if (stack.low && isFree) {
    stack.takenAt = here;
    cilk2gpuCallOnStack(body, argument, stack.top());
    stack.takenAt = nullptr;
    return;
  }
#endif
  body(argument);
}

void giveBackDeepStack() {
  if (stack.low && !stack.takenAt)
    madvise(stack.low + kGuard, stack.bytes - kGuard - tunables::kKeptStack, MADV_DONTNEED);
}

} // namespace cilk2gpu::rt
