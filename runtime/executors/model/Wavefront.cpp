// The layout of a wavefront's arrays. Freestanding, because the aggregator prepares wavefronts.
#include "executors/model/Wavefront.h"

namespace cilk2gpu::rt {

uint64_t Wavefront::place(const TaskInfo &task, uint32_t wave, char *base, Arrays *arrays) {
  uint64_t end = 0;
  auto take = [&](uint64_t bytes, uint64_t align) {
    end = (end + align - 1) & ~(align - 1);
    uint64_t start = end;
    end += bytes;
    return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(base) +
                                    start); // base may be null, if only the size is needed
  };
  uint64_t kernels = task.numKernels, targets = task.numTargets, fields = task.element.numFields;
  Arrays result;
  result.columns = reinterpret_cast<void **>(take((fields < 2 ? 2 : fields) * sizeof(void *), 8));
  result.producers = reinterpret_cast<Producer *>(take(targets * sizeof(Producer), 8));
  result.spawns = reinterpret_cast<abi::Cursor **>(take(targets * sizeof(void *), 8));
  result.syncCursors = reinterpret_cast<abi::Cursor *>(take(kernels * sizeof(abi::Cursor), 8));
  result.syncs = reinterpret_cast<abi::Cursor **>(take(kernels * sizeof(void *), 8));
  result.syncColumns = reinterpret_cast<void **>(take(kernels * sizeof(void *), 8));
  result.syncFrames = reinterpret_cast<void **>(take(kernels * wave * sizeof(void *), kCacheLine));
  result.staging = take(0, kCacheLine);
  // Room for the elements, and at least for post-sync elements or restarts: an address and a site for each lane.
  uint64_t least = 2 * (wave * sizeof(void *) + kCacheLine), start = end;
  for (uint64_t f = 0; f < fields; ++f) {
    const abi::FieldRecord &field = task.element.fields[f];
    take(uint64_t(field.size) * wave, field.align > kCacheLine ? field.align : kCacheLine);
  }
  if (end < start + least)
    end = start + least;
  if (arrays)
    *arrays = result;
  return end;
}

} // namespace cilk2gpu::rt
