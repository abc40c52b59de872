// See GpuForGraphs.h.
#include "graph/GpuForGraphs.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

Environment GpuForGraphs::environment(const Environment &host) {
  Environment result = host;
  if (kernel.device().facts().pageable)
    return result;
  result.context = this;
  result.allocate = [](void *self, uint64_t bytes, uint64_t align) {
    return static_cast<GpuForGraphs *>(self)->allocate(bytes, align);
  };
  result.release = [](void *self, void *memory, uint64_t bytes, uint64_t) {
    auto &own = *static_cast<GpuForGraphs *>(self);
    own.pages.release(memory, bytes);
    own.unused += PageRuns::wholePages(bytes);
  };
  return result;
}

/// Words of control, and gaps, need memory beside the elements.
void GpuForGraphs::expect(uint64_t elements, uint64_t bytes) {
  uint64_t channel = 0;
  if (__builtin_mul_overflow(elements, bytes + tunables::kGraphElementControl, &channel) ||
      __builtin_add_overflow(expected, channel, &expected))
    expected = ~uint64_t(0) / 4;
}

bool GpuForGraphs::grow(uint64_t bytes) {
  uint64_t added = PageRuns::wholePages(bytes);
  if (isRunning || added < bytes || (most && (added > most || total > most - added)))
    return false;
  pages.add(kernel.device().allocateManaged(added), added);
  total += added;
  unused += added;
  return true;
}

void *GpuForGraphs::allocate(uint64_t bytes, uint64_t align) {
  void *memory = pages.allocate(bytes, align);
  if (!memory && grow(bytes + align))
    memory = pages.allocate(bytes, align);
  if (memory)
    unused -= PageRuns::wholePages(bytes);
  return memory;
}

void GpuForGraphs::begin() {
  device::Gpu &gpu = kernel.device();
  uint64_t wanted = tunables::kGraphReserve + expected;
  if (!gpu.facts().pageable && unused < wanted)
    grow(most && wanted - unused > most - total ? most - total : wanted - unused);
  isRunning = true;
  gpu.beginRun();
  kernel.start();
}

void GpuForGraphs::end() {
  kernel.finish();
  kernel.device().endRun();
  isRunning = false;
}

} // namespace cilk2gpu::rt
