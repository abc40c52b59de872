// Code that the compiler puts into kernels of device images: the loop over a dispatch's lanes, and functions that tasks
// call on hosts and devices alike. For AMD and NVIDIA only.
#include "cilk2gpu/abi/Device.h"
#include "core/DoacrossSizes.h"
#include "core/FrameShape.h"
#include "core/LoopCount.h"
#include "device/ImageRequests.h"
#include "device/LaneRun.h"

#include <gpuintrin.h>

using namespace cilk2gpu;
using namespace cilk2gpu::device;

extern "C" {

/// The body of every kernel. Each lane of the grid strides over the lanes of the dispatch.
[[gnu::always_inline]] void __cilk2gpu_device_run(abi::Wave *wave, abi::LaneFn body, int32_t restarts) {
  uint64_t threads = __gpu_num_threads_x(), self = uint64_t(__gpu_block_id_x()) * threads + __gpu_thread_id_x();
  uint64_t all = uint64_t(__gpu_num_blocks_x()) * threads, lanes = toGlobal(wave)->lanes;
  for (uint64_t lane = self; lane < lanes; lane += all)
    runLane(wave, body, restarts, lane);
}

/// The body of the kernel that lists frames. The threads of the grid share the list.
void __cilk2gpu_device_list_frames(const rt::FrameList *frames) {
  uint64_t threads = __gpu_num_threads_x(), self = uint64_t(__gpu_block_id_x()) * threads + __gpu_thread_id_x();
  uint64_t all = uint64_t(__gpu_num_blocks_x()) * threads, count = frames->count;
  for (uint64_t i = self; i < count; i += all)
    frames->set(i);
}

/// Returns 1, so that an ordinary entry that a task calls runs its elision.
[[gnu::always_inline]] int32_t __cilk2gpu_serial() { return 1; }

uint64_t __cilk2gpu_trip_count(int64_t first, int64_t last, int64_t step, int32_t comparison) {
  return rt::tripCount(first, last, step, comparison, [&](bool wraps) {
    requests().call(abi::HostFunction::Endless, first, last, step, comparison, wraps);
    __builtin_unreachable();
  });
}

uint64_t __cilk2gpu_grain(uint64_t count, int64_t wanted) { return rt::grain(count, wanted); }

// A device has no clock that would tell the time of an iteration, and wants many tiles.
uint64_t __cilk2gpu_doacross_plan(uint64_t, int32_t) { return abi::kDoacrossFixed; }
uint64_t __cilk2gpu_doacross_rows(uint64_t, uint64_t, uint64_t rows) { return rows; }
uint64_t __cilk2gpu_doacross_clock(uint64_t) { return 0; }
uint64_t __cilk2gpu_doacross_next(uint64_t plan, uint64_t, uint64_t) { return plan; }
uint64_t __cilk2gpu_doacross_size(uint64_t plan, uint64_t extent, uint64_t, uint64_t, uint64_t shape) {
  return rt::doacross::isSerial(plan) ? extent : rt::doacross::fixedSize(abi::DoacrossShape::of(shape), extent);
}
}
