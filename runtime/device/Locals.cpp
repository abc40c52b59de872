// Storage of variable size for tasks on a device: see cilk2gpu/abi/Records.h and HostHeap.h.
#include "core/TaskLocals.h"
#include "device/HostHeap.h"

using namespace cilk2gpu;

namespace {

struct HostHeap {
  void *allocate(uint64_t bytes, uint64_t align) { return device::allocateOrEnd(bytes, align); }
  void release(void *memory, uint64_t, uint64_t) { free(memory); }
};

} // namespace

extern "C" {

void *__cilk2gpu_local(abi::TaskLocals *locals, uint64_t bytes, uint64_t align) {
  HostHeap memory;
  return rt::allocateLocal(memory, *locals, bytes, align);
}

void __cilk2gpu_release(abi::TaskLocals *locals, void *mark) {
  HostHeap memory;
  rt::releaseLocals(memory, *locals, mark);
}
}
