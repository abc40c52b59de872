// Workgroups that run thread blocks (BlockJob.h). For AMD and NVIDIA only.
#include "cilk2gpu/abi/BlockImage.h"
#include "device/BlockJob.h"
#include "device/ImageRequests.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

extern "C" {
// Functions that the compiler adds to the image.
void __cilk2gpu_blocks_call_thread(const void *function, void *context, uint32_t block, uint32_t thread);
void __cilk2gpu_blocks_call_node(const void *function, uint64_t block, void *context);
void __cilk2gpu_blocks_call_placed(const void *function, const abi::BlockPlace *place, void *context);
int32_t __cilk2gpu_knows(const void *function);
}

namespace {

/// What the threads of a workgroup know of their block.
struct GroupState {
  uint64_t block;
  uint32_t index[3], block_extents[3], grid[3];
};
static_assert(sizeof(GroupState) <= abi::kOwnSharedBytes);

[[clang::loader_uninitialized]] __attribute__((address_space(3))) GroupState state;

/// Waits for all threads of the workgroup. `Scope`: of the memory that they then see. NVIDIA's barrier orders memory in
/// the workgroup, and the leader's acquires and releases hold for all that it has met there.
template <int Scope> [[gnu::always_inline]] void meetThreads() {
#ifdef __AMDGCN__
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, Scope);
  __builtin_amdgcn_s_barrier();
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, Scope);
#else
  __nvvm_barrier_sync(0); // threads of a warp need not arrive together
#endif
}

void setIndex(__attribute__((address_space(3))) uint32_t *index, uint32_t number, Global<uint32_t> extents) {
  index[0] = number % extents[0];
  number /= extents[0];
  index[1] = number % extents[1];
  index[2] = number / extents[1];
}

/// Returns the index of the calling thread along dimension `d`.
uint32_t threadIndex(uint32_t d) {
  uint32_t number = __gpu_thread_id_x(), x = state.block_extents[0], y = state.block_extents[1];
  return d == 0 ? number % x : d == 1 ? number / x % y : number / x / y;
}

/// Returns where the calling thread runs.
abi::BlockPlace ownPlace() {
  abi::BlockPlace place;
  for (uint32_t d = 0; d < 3; ++d) {
    place.block[d] = state.index[d];
    place.grid[d] = state.grid[d];
    place.thread[d] = threadIndex(d);
    place.threads[d] = state.block_extents[d];
  }
  return place;
}

struct GpuGroup {
  Global<BlockJob> job;

  bool isLeader() const { return __gpu_thread_id_x() == 0; }
  uint64_t number() const { return __gpu_block_id_x(); }
  uint64_t posted() const { return state.block; }
  void meet() const { meetThreads<__MEMORY_SCOPE_DEVICE>(); }
  void post(uint64_t block) const;
  bool knows(const BlockJob &) const;
  void run(const BlockJob &) const;
};

void GpuGroup::post(uint64_t block) const {
  state.block = block;
  if (block == kNoBlock)
    return;
  setIndex(state.index, uint32_t(block), job->grid);
  for (uint32_t d = 0; d < 3; ++d) {
    state.block_extents[d] = job->block[d];
    state.grid[d] = job->grid[d];
  }
}

bool GpuGroup::knows(const BlockJob &) const {
  const void *functions[] = {job->function, job->kernel};
  for (const void *function : functions)
    if (!__cilk2gpu_knows(function)) {
      // Relaxed: the host reads it when the kernel has ended. All workgroups write the same.
      Machine::OnDevice::store<__ATOMIC_RELAXED>(toGlobal((uint64_t *)&job->unknown), uint64_t(function));
      return false;
    }
  return true;
}

void GpuGroup::run(const BlockJob &) const {
  if (job->form == BlockForm::Threads) {
    __cilk2gpu_blocks_call_thread(job->function, job->context, uint32_t(state.block), __gpu_thread_id_x());
  } else if (job->form == BlockForm::Node) {
    __cilk2gpu_blocks_call_node(job->function, state.block, job->context);
  } else {
    abi::BlockPlace place = ownPlace();
    __cilk2gpu_blocks_call_placed(job->function, &place, job->context);
  }
}

} // namespace

extern "C" {

/// The body of the kernel.
void __cilk2gpu_device_blocks(BlockJob *job) {
  GpuGroup group = {toGlobal(job)};
  runGroup(*job, group);
}

// The index variables of a thread, along dimension `d`.
[[gnu::always_inline]] uint32_t __cilk2gpu_block_index(uint32_t d) { return state.index[d]; }
[[gnu::always_inline]] uint32_t __cilk2gpu_block_extent(uint32_t d) { return state.block_extents[d]; }
[[gnu::always_inline]] uint32_t __cilk2gpu_grid_extent(uint32_t d) { return state.grid[d]; }
[[gnu::always_inline]] uint32_t __cilk2gpu_thread_index(uint32_t d) { return threadIndex(d); }

void __cilk2gpu_sync_block(void) { meetThreads<__MEMORY_SCOPE_WRKGRP>(); }
}

namespace wf::detail {

void syncThreads() { meetThreads<__MEMORY_SCOPE_WRKGRP>(); }

// Functions that mapping functions and blocks of the host call. No code of a GPU does. They are defined so that they
// are not calls of the host, which might access a thread's own memory.
struct Collector;
struct PolicyChoice;
void growCollector(Collector &) { __builtin_trap(); }
void setPolicy(Collector *, const PolicyChoice &) { __builtin_trap(); }
[[noreturn]] void outsideOfMappingFunction(const char *) { __builtin_trap(); }
void runThreads(void (*)(void *, unsigned), void *, unsigned long, unsigned) { __builtin_trap(); }

} // namespace wf::detail
