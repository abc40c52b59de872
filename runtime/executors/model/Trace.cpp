// Collects events; api/TraceFile.cpp writes them.
#include "executors/model/Trace.h"

namespace cilk2gpu::rt {

TraceEvent *Trace::add(uint64_t time) {
  if (count == limit) {
    if (!cut)
      cutTime = time;
    cut = true;
    return nullptr;
  }
  if (count == capacity) {
    uint64_t grown = capacity ? 2 * capacity : 1024;
    if (grown > limit)
      grown = limit;
    auto *fresh = static_cast<TraceEvent *>(
        environment.allocate(environment.context, grown * sizeof(TraceEvent), alignof(TraceEvent)));
    if (!fresh) {
      environment.fail(environment.context, {.kind = FailureKind::OutOfMemory,
                                             .what = "the trace",
                                             .subject = nullptr,
                                             .value = grown * sizeof(TraceEvent)});
      __builtin_unreachable();
    }
    if (count)
      __builtin_memcpy(fresh, events, count * sizeof(TraceEvent));
    if (events)
      environment.release(environment.context, events, capacity * sizeof(TraceEvent), alignof(TraceEvent));
    events = fresh;
    capacity = grown;
  }
  return &events[count++];
}

void Trace::ran(const Context &context, const Wavefront &wavefront, uint64_t end) {
  const KernelInfo &kernel = wavefront.task->task->kernels[wavefront.wave.kernel];
  if (TraceEvent *event = add(context.startedAt))
    *event = {.time = context.startedAt,
              .duration = end - context.startedAt,
              .name = kernel.name ? kernel.name : wavefront.task->task->name,
              .level = wavefront.task->level,
              .value = wavefront.wave.lanes,
              .context = context.index,
              .kind = TraceEvent::Kind::Ran,
              .waveKind = wavefront.kind};
}

void Trace::yielded(const Context &context, uint64_t time, const LevelTask &blockedOn) {
  if (TraceEvent *event = add(time))
    *event = {.time = time,
              .duration = 0,
              .name = blockedOn.task->name,
              .level = blockedOn.level,
              .value = 0,
              .context = context.index,
              .kind = TraceEvent::Kind::Yielded,
              .waveKind = WaveKind::Fresh};
}

void Trace::occupancy(const LevelTask &task, uint64_t time, uint64_t elements) {
  if (TraceEvent *event = add(time))
    *event = {.time = time,
              .duration = 0,
              .name = task.task->name,
              .level = 0,
              .value = elements,
              .context = 0,
              .kind = TraceEvent::Kind::Occupancy,
              .waveKind = WaveKind::Fresh};
}

void Trace::destroy() {
  if (events)
    environment.release(environment.context, events, capacity * sizeof(TraceEvent), alignof(TraceEvent));
  events = nullptr;
  count = capacity = 0;
}

} // namespace cilk2gpu::rt
