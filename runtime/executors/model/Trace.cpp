// Collects events; api/TraceFile.cpp writes them.
#include "executors/model/Trace.h"

namespace cilk2gpu::rt {

void Trace::add(const TraceEvent &event) {
  if (count == limit) {
    if (!cut)
      cutTime = event.time;
    cut = true;
    return;
  }
  unsigned part = partOf(count);
  if (!parts[part]) {
    uint64_t bytes = partSize(part) * sizeof(TraceEvent);
    parts[part] = static_cast<TraceEvent *>(environment.allocate(environment.context, bytes, alignof(TraceEvent)));
    if (!parts[part]) {
      environment.fail(environment.context,
                       {.kind = FailureKind::OutOfMemory, .what = "the trace", .subject = nullptr, .value = bytes});
      __builtin_unreachable();
    }
  }
  *place(count) = event;
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE); // pairs with size()
}

void Trace::ran(const Context &context, const Wavefront &wavefront, uint64_t end) {
  const KernelInfo &kernel = wavefront.task->task->kernels[wavefront.wave.kernel];
  record({.time = context.startedAt,
          .duration = end - context.startedAt,
          .name = kernel.name ? kernel.name : wavefront.task->task->name,
          .level = wavefront.task->level,
          .value = wavefront.wave.lanes,
          .context = context.index,
          .kind = TraceEvent::Kind::Ran,
          .waveKind = wavefront.kind});
}

void Trace::yielded(const Context &context, uint64_t time, const LevelTask &blockedOn) {
  record({.time = time,
          .duration = 0,
          .name = blockedOn.task->name,
          .level = blockedOn.level,
          .value = 0,
          .context = context.index,
          .kind = TraceEvent::Kind::Yielded,
          .waveKind = WaveKind::Fresh});
}

void Trace::occupancy(const LevelTask &task, uint64_t time, uint64_t elements) {
  record({.time = time,
          .duration = 0,
          .name = task.task->name,
          .level = 0,
          .value = elements,
          .context = 0,
          .kind = TraceEvent::Kind::Occupancy,
          .waveKind = WaveKind::Fresh});
}

void Trace::destroy() {
  for (unsigned part = 0; part < kParts; ++part) {
    if (parts[part])
      environment.release(environment.context, parts[part], partSize(part) * sizeof(TraceEvent), alignof(TraceEvent));
    parts[part] = nullptr;
  }
  count = 0;
}

} // namespace cilk2gpu::rt
