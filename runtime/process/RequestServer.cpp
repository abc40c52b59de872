// See RequestServer.h.
#include "process/RequestServer.h"
#include "process/Loops.h"
#include "process/Message.h"
#include "process/ServeRequests.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/ManagedHeap.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace cilk2gpu::rt {

using abi::HostFunction;

//===--------------------------------------------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------------------------------------------===//

template <class T> static T fromWord(uint64_t word) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(word);
  else
    return static_cast<T>(word);
}

template <class T> static uint64_t toWord(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(value);
}

/// Calls a function and converts one word to each of its parameters.
template <class Result, class... Parameters, size_t... I>
static uint64_t callWith(Result (*function)(Parameters...), const uint64_t *words, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<Result>) {
    function(fromWord<Parameters>(words[I])...);
    return 0;
  } else {
    return toWord(function(fromWord<Parameters>(words[I])...));
  }
}

/// An overload for `noexcept` functions, because `noexcept` in the C library's declarations is part of the type.
template <class Result, class... Parameters>
static uint64_t callHost(Result (*function)(Parameters...), const uint64_t *words) {
  return callWith(function, words, std::index_sequence_for<Parameters...>());
}

/// Functions of the C library. When this file is compiled as HIP, `::malloc` and `::free` are overloaded for devices,
/// so their addresses would be ambiguous.
namespace calls {

static void *malloc(size_t bytes) { return ::malloc(bytes); }
static void free(void *memory) { ::free(memory); }
using ::_exit, ::abort, ::aligned_alloc, ::calloc, ::clock, ::exit, ::fflush, ::fputc, ::putchar, ::realloc, ::time;

} // namespace calls

static bool isAllocation(HostFunction function) {
  return function == HostFunction::Call_malloc || function == HostFunction::Call_calloc ||
         function == HostFunction::Call_realloc || function == HostFunction::Call_aligned_alloc ||
         function == HostFunction::New || function == HostFunction::Objects;
}

static void *share(uint64_t align, uint64_t bytes) {
  uint64_t least = align < sizeof(void *) ? sizeof(void *) : align;
  return ::aligned_alloc(least, (bytes + least - 1) & ~(least - 1));
}

[[noreturn]] static void failFunction(void *address) {
  Dl_info info = {};
  const char *name = dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?";
  fatal("a task on the GPU calls a function (%s, at %p) through a pointer, of which no image has a version for GPUs; "
        "compile its file with --offload-arch, or use CILK2GPU_DEVICE=native",
        name, address);
}

/// Calls a function that only the host has, through a thunk that the compiler made for the lane's call.
static uint64_t callThunk(const uint64_t *arguments, uint32_t count, uint64_t &second) {
  uint64_t words[abi::kRequestArguments] = {};
  for (uint32_t i = 1; i < count; ++i)
    words[i - 1] = arguments[i];
  reinterpret_cast<void (*)(uint64_t *)>(arguments[0])(words);
  second = words[1];
  return words[0];
}

[[noreturn]] static void failAllocation(uint64_t bytes) {
  fatal("out of memory: a task on the GPU could not allocate %llu bytes", static_cast<unsigned long long>(bytes));
}

/// Number of bytes requested from an operator new, while it runs.
static thread_local const uint64_t *bytesWanted = nullptr;

void endIfOutOfMemory() {
  if (bytesWanted)
    failAllocation(*bytesWanted);
}

bool hasManagedHeap() { return __cilk2gpu_managed_for_lane; }

static thread_local bool lacksReach = false;

bool servesLaneWithoutReach() { return lacksReach; }

static uint64_t callNew(const uint64_t *arguments, uint32_t count) {
  uint64_t none = 0;
  bytesWanted = &arguments[1];
  uint64_t memory = callThunk(arguments, count, none);
  bytesWanted = nullptr;
  return memory;
}

namespace {

/// While it lives, this thread allocates managed memory, if lanes can use no other.
class AllocateForLane {
public:
  explicit AllocateForLane(ReachableMemory memory) : isManaged(memory == ReachableMemory::Managed) {
    if (isManaged)
      __cilk2gpu_managed_for_lane(1);
  }
  ~AllocateForLane() {
    if (isManaged)
      __cilk2gpu_managed_for_lane(0);
  }
  AllocateForLane(const AllocateForLane &) = delete;

private:
  const bool isManaged;
};

} // namespace

uint64_t RequestServer::perform(HostFunction function, const uint64_t *arguments, uint32_t count, uint64_t &second) {
  if (isAllocation(function) && memory == ReachableMemory::None)
    fatal(
        "a task on the GPU allocates memory, but the device does not reach pageable memory, so that it could not use "
        "what malloc returns; link with -foffload-managed, allocate outside the tasks, or use CILK2GPU_DEVICE=native");
  if (function == HostFunction::Share && memory == ReachableMemory::None)
    fatal("a task on the GPU hands the address of a local variable, directly or in memory, to a function that the host "
          "calls, but the device does not reach pageable memory, where the variable would have to be; link with "
          "-foffload-managed, hand on memory that is allocated outside the tasks, or use CILK2GPU_DEVICE=native");
  if (function == HostFunction::Thunk && !calls)
    fatal("a task on the GPU calls a function that only the host has, but the host cannot touch the device's managed "
          "memory while a kernel runs; call it outside the tasks, or use CILK2GPU_DEVICE=native");
  AllocateForLane allocation(memory);
  switch (function) {
  case HostFunction::Thunk:
  case HostFunction::Delete: {
    lacksReach = memory == ReachableMemory::None;
    uint64_t result = callThunk(arguments, count, second);
    lacksReach = false;
    return result;
  }
  case HostFunction::Objects:
    return reinterpret_cast<uint64_t>(__cilk2gpu_objects(arguments[0], arguments[1]));
  case HostFunction::ReleaseObjects:
    __cilk2gpu_release_objects(reinterpret_cast<void *>(arguments[0]));
    return 0;
  case HostFunction::New:
    return callNew(arguments, count);
  case HostFunction::Share:
    return reinterpret_cast<uint64_t>(share(arguments[0], arguments[1]));
  case HostFunction::Endless:
    failEndless(int64_t(arguments[0]), int64_t(arguments[1]), int64_t(arguments[2]), int32_t(arguments[3]),
                arguments[4] != 0);
  case HostFunction::NoFunction:
    failFunction(reinterpret_cast<void *>(arguments[0]));
  case HostFunction::StackFull:
    fatal(
        "out of memory: the stack of a lane on the GPU is full: functions that tasks call recurse too deeply, or tasks "
        "that run as their serial elisions because memory for channels and frames is short; raise "
        "CILK2GPU_DEVICE_STACK, or use CILK2GPU_DEVICE=native");
  case HostFunction::NoGraph:
    fatal("talloc, enq, deq, tfree and levelOf are for kernels of a graph that runs, but a task on the GPU calls one");
  case HostFunction::OutOfMemory:
    failAllocation(arguments[0]);
#define CILK2GPU_HOST_FUNCTION(name)                                                                                   \
  case HostFunction::Call_##name:                                                                                      \
    return callHost(calls::name, arguments);
    CILK2GPU_HOST_FUNCTIONS(CILK2GPU_HOST_FUNCTION)
#undef CILK2GPU_HOST_FUNCTION
  }
  internalError("a GPU requests function %u of the host, which does not exist", unsigned(function));
}

namespace {

/// Access of the host to the words of a queue, also for compilers without scoped atomic operations.
struct HostMachine {
  template <int Order, class T> static T load(const T *word) { return __atomic_load_n(word, Order); }
  template <int Order, class T> static void store(T *word, T value) { __atomic_store_n(word, value, Order); }
  template <class T> static T get(const T *place) { return *place; }
  template <class T> static void set(T *place, T value) { *place = value; }
  template <class T> static T own(const T *word) { return *word; }
};

} // namespace

uint64_t RequestServer::serve() {
  return serveRequests<HostMachine>(queue,
                                    [this](HostFunction function, const uint64_t *arguments, uint32_t count,
                                           uint64_t &second) { return perform(function, arguments, count, second); });
}

} // namespace cilk2gpu::rt
