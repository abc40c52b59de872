// The allocation functions of a program that is linked with -foffload-managed, also for its libraries. Large blocks
// come from the GPU's managed memory if the run-time library has some to give. All other blocks come from glibc, which
// has its functions under a second name.
#include "cilk2gpu/abi/ManagedHeap.h"
#include "process/LibcMemory.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <utility>

namespace {

/// The smallest block of managed memory, in bytes. A block takes whole pages of the driver.
constexpr size_t kLeast = size_t(1) << 18;

constexpr size_t kPage = 4096;

/// The program's constructors have run. The library's tasks are not all known before.
bool isReady = false;

/// Who allocates on this thread.
enum class User {
  Program,
  Runtime, ///< the run-time library or the driver, which have memory of their own
  Lane,    ///< a lane on the GPU, for which the host calls a function
};
thread_local User user = User::Program;

/// Returns the size of a block of managed memory; 0: it is ordinary. The run-time library and the driver have ordinary
/// memory only. They must not ask, because they free memory also while the library's lists are locked.
size_t managedSize(const void *block) { return block && user != User::Runtime ? __cilk2gpu_managed_size(block) : 0; }

/// There was no memory for a lane.
thread_local bool lacksLaneMemory = false;

/// While it lives, the run-time library allocates on this thread, and errno stays the program's.
class InRuntime {
public:
  InRuntime() { user = User::Runtime; }
  ~InRuntime() {
    user = before;
    errno = error;
  }
  InRuntime(const InRuntime &) = delete;

private:
  const User before = user;
  const int error = errno;
};

[[gnu::constructor]] void start() { isReady = true; }

/// Returns managed memory, or null. Then the caller asks ordinary().
void *managed(size_t bytes, size_t alignment, const void *caller) {
  if (user == User::Lane) {
    int isOrdinary = 0;
    InRuntime inRuntime;
    void *block = __cilk2gpu_managed_allocate_for_lane(bytes, alignment, caller, &isOrdinary);
    lacksLaneMemory = !block && !isOrdinary;
    return block;
  }
  if (bytes < kLeast || alignment > kPage || user == User::Runtime || !isReady)
    return nullptr;
  InRuntime inRuntime;
  return __cilk2gpu_managed_allocate(bytes, caller);
}

/// Calls a function of glibc, unless a lane needs the memory: a lane can do nothing with glibc's.
template <class Allocate> void *ordinary(Allocate allocate) {
  if (!std::exchange(lacksLaneMemory, false))
    return allocate();
  errno = ENOMEM;
  return nullptr;
}

size_t ordinarySize(void *block) {
  static const auto find = reinterpret_cast<size_t (*)(void *)>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return find ? find(block) : 0;
}

void *aligned(size_t alignment, size_t bytes, const void *caller) {
  void *block = managed(bytes, alignment, caller);
  return block ? block : ordinary([&] { return __libc_memalign(alignment, bytes); });
}

} // namespace

extern "C" void __cilk2gpu_managed_for_lane(int begins) { user = begins ? User::Lane : User::Program; }

#define CILK2GPU_REPLACES extern "C" __attribute__((visibility("default")))
#define CILK2GPU_CALLER __builtin_return_address(0)

CILK2GPU_REPLACES void *malloc(size_t bytes) {
  void *block = managed(bytes, 1, CILK2GPU_CALLER);
  return block ? block : ordinary([&] { return __libc_malloc(bytes); });
}

CILK2GPU_REPLACES void *calloc(size_t count, size_t each) {
  size_t bytes;
  void *block = __builtin_mul_overflow(count, each, &bytes) ? nullptr : managed(bytes, 1, CILK2GPU_CALLER);
  return block ? memset(block, 0, bytes) : ordinary([&] { return __libc_calloc(count, each); });
}

CILK2GPU_REPLACES void *memalign(size_t alignment, size_t bytes) { return aligned(alignment, bytes, CILK2GPU_CALLER); }
CILK2GPU_REPLACES void *aligned_alloc(size_t alignment, size_t bytes) {
  return aligned(alignment, bytes, CILK2GPU_CALLER);
}
CILK2GPU_REPLACES void *valloc(size_t bytes) {
  void *block = managed(bytes, 1, CILK2GPU_CALLER);
  return block ? block : ordinary([&] { return __libc_valloc(bytes); });
}
CILK2GPU_REPLACES void *pvalloc(size_t bytes) {
  void *block = managed(bytes, 1, CILK2GPU_CALLER);
  return block ? block : ordinary([&] { return __libc_pvalloc(bytes); });
}

CILK2GPU_REPLACES int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
    return EINVAL;
  void *block = aligned(alignment, bytes, CILK2GPU_CALLER);
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

CILK2GPU_REPLACES void free(void *block) {
  if (!managedSize(block))
    return __libc_free(block);
  InRuntime inRuntime;
  __cilk2gpu_managed_release(block);
}

CILK2GPU_REPLACES void *realloc(void *old, size_t bytes) {
  size_t size = managedSize(old);
  if (!size && bytes < kLeast && user != User::Lane)
    return __libc_realloc(old, bytes);
  if (size && !bytes) {
    free(old);
    return nullptr;
  }
  void *block = managed(bytes, 1, CILK2GPU_CALLER);
  if (!size && !block)
    return ordinary([&] { return __libc_realloc(old, bytes); });
  if (!block && !(block = ordinary([&] { return __libc_malloc(bytes); })))
    return nullptr;
  if (old) {
    size_t kept = size ? size : ordinarySize(old);
    memcpy(block, old, kept < bytes ? kept : bytes);
    free(old);
  }
  return block;
}

CILK2GPU_REPLACES void *reallocarray(void *old, size_t count, size_t each) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, each, &bytes))
    return realloc(old, bytes);
  errno = ENOMEM;
  return nullptr;
}

CILK2GPU_REPLACES size_t malloc_usable_size(void *block) {
  size_t size = managedSize(block);
  return size || !block ? size : ordinarySize(block);
}
