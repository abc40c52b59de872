// Functions of the C and C++ library that the host runs for tasks on a GPU. For AMD and NVIDIA only.
#include "device/HostHeap.h"
#include "device/ImageRequests.h"

#include <stddef.h>
#include <stdint.h>

using namespace cilk2gpu;
using namespace cilk2gpu::device;

__attribute__((visibility("protected"))) abi::RequestQueue *__attribute__((address_space(1))) __cilk2gpu_requests =
    nullptr;

static __attribute__((address_space(1))) uint32_t requestLocks[abi::kRequestSlots];

RequestClient cilk2gpu::device::requests() { return RequestClient(__cilk2gpu_requests, requestLocks); }

namespace {

/// Makes a request. Not inlined, because kernels would grow, and a call is cheap compared with the way to the host.
[[gnu::noinline]] uint64_t ask(abi::HostFunction function, const uint64_t *arguments, uint32_t count,
                               uint64_t *second = nullptr) {
  return requests().ask(function, arguments, count, second);
}

template <class... Arguments> uint64_t host(abi::HostFunction function, Arguments... arguments) {
  uint64_t words[sizeof...(arguments) + 1] = {(uint64_t)arguments...};
  return ask(function, words, sizeof...(arguments));
}

/// An entry of the table of functions that may be called through pointers: the slot of its address on the host, and the
/// device's version.
struct FunctionEntry {
  Global<void *> slot;
  void *function;
};

} // namespace

void *cilk2gpu::device::allocateOrEnd(uint64_t bytes, uint64_t align) {
  void *memory =
      (void *)(align > 16 ? host(abi::HostFunction::Call_aligned_alloc, align, (bytes + align - 1) & ~(align - 1))
                          : host(abi::HostFunction::Call_malloc, bytes ? bytes : 1));
  if (!memory)
    host(abi::HostFunction::OutOfMemory, bytes);
  return memory;
}

extern "C" {

void *malloc(size_t bytes) { return (void *)host(abi::HostFunction::Call_malloc, bytes); }
void *calloc(size_t count, size_t bytes) { return (void *)host(abi::HostFunction::Call_calloc, count, bytes); }
void *realloc(void *old, size_t bytes) { return (void *)host(abi::HostFunction::Call_realloc, (uint64_t)old, bytes); }
void *aligned_alloc(size_t align, size_t bytes) {
  return (void *)host(abi::HostFunction::Call_aligned_alloc, align, bytes);
}
void free(void *memory) {
  if (memory)
    host(abi::HostFunction::Call_free, (uint64_t)memory);
}

int putchar(int c) { return (int)host(abi::HostFunction::Call_putchar, c); }
int fputc(int c, void *stream) { return (int)host(abi::HostFunction::Call_fputc, c, (uint64_t)stream); }
int fflush(void *stream) { return (int)host(abi::HostFunction::Call_fflush, (uint64_t)stream); }

[[noreturn]] void exit(int status) {
  host(abi::HostFunction::Call_exit, status);
  __builtin_trap();
}
[[noreturn]] void _exit(int status) {
  host(abi::HostFunction::Call__exit, status);
  __builtin_trap();
}
[[noreturn]] void abort() {
  host(abi::HostFunction::Call_abort);
  __builtin_trap();
}

/// A function of <cilk/cilk_api.h>. Only tasks run on a GPU, so it returns 1.
int __cilkrts_running_on_workers() { return 1; }

long time(long *to) {
  long now = (long)host(abi::HostFunction::Call_time, 0);
  if (to)
    *to = now;
  return now;
}
long clock() { return (long)host(abi::HostFunction::Call_clock); }

/// Requests a call of the host. `thunk`, an address on the host, takes the arguments in words and leaves the result in
/// the first two words. `function` is Thunk, New or Delete. `second` is null if there is no second word.
uint64_t __cilk2gpu_device_call(uint32_t function, void *thunk, const uint64_t *arguments, uint32_t count,
                                uint64_t *second) {
  uint64_t words[abi::kRequestArguments] = {(uint64_t)thunk};
  for (uint32_t i = 0; i < count; ++i)
    words[1 + i] = arguments[i];
  return ask(abi::HostFunction(function), words, 1 + count, second);
}

/// Ends the program: calls recurse deeper than a lane's stack allows (abi::kStackBytes).
[[noreturn, gnu::cold, gnu::noinline]] void __cilk2gpu_device_stack_full() {
  host(abi::HostFunction::StackFull);
  __builtin_trap();
}

/// Allocates memory that the host can reach, for a local variable that the host may access.
[[gnu::noinline]] void *__cilk2gpu_device_share(uint64_t bytes, uint64_t align) {
  void *memory = (void *)host(abi::HostFunction::Share, align, bytes);
  if (!memory)
    host(abi::HostFunction::OutOfMemory, bytes);
  return memory;
}
void __cilk2gpu_device_unshare(void *memory) { free(memory); }

/// Returns the device's version of the function at `address`, from a table that the compiler has made; null if there
/// is none.
[[gnu::noinline]] void *__cilk2gpu_device_find(void *address, const FunctionEntry *table, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (*table[i].slot == address)
      return table[i].function;
  return nullptr;
}

/// Returns the device's version of the function at `address`. Ends the program if there is none.
void *__cilk2gpu_device_function(void *address, const FunctionEntry *table, uint32_t count) {
  if (void *function = __cilk2gpu_device_find(address, table, count))
    return function;
  host(abi::HostFunction::NoFunction, (uint64_t)address);
  __builtin_trap();
}

// Storage for objects that are made for spawned calls: the host allocates it for tasks on a GPU.
void *__cilk2gpu_objects(uint64_t bytes, uint64_t align) {
  return (void *)host(abi::HostFunction::Objects, bytes, align);
}
void __cilk2gpu_release_objects(void *block) { host(abi::HostFunction::ReleaseObjects, (uint64_t)block); }
}
