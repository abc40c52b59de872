// Collects the events of a run for a trace in Chrome's JSON format, which Perfetto opens. The trace has a track for
// each wavefront context, and a counter for each task's channels. Events are kept in memory up to a limit; the time of
// the first event beyond the limit marks the end of the trace.
//
// Thread-safety: one thread records events. Other threads may read those that are recorded. A time is in cycles.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_TRACE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_TRACE_H

#include "executors/model/Wavefront.h"

namespace cilk2gpu::rt {

/// Occupancy of one task's channels, or of a channel node, all levels together.
struct ChannelOccupancy {
  uint64_t current = 0, most = 0;
  uint64_t integral = 0; ///< elements x cycles
  uint64_t since = 0;

  void change(uint64_t now, int64_t elements) {
    integral += current * (now - since);
    since = now;
    current += uint64_t(elements);
    if (current > most)
      most = current;
  }
};

struct TraceEvent {
  enum class Kind : uint8_t { Ran, Yielded, Occupancy };
  uint64_t time, duration;
  const char *name; ///< name of a kernel or a task
  uint64_t level;
  uint64_t value; ///< number of lanes or elements
  uint32_t context;
  Kind kind;
  WaveKind waveKind;
};

class Trace {
public:
  /// Memory comes from the environment, not from a device's arena, because it does not belong to the memory of the
  /// graph.
  Trace(const Environment &environment, uint64_t limit) : environment(environment), limit(limit) {}

  void record(const TraceEvent &event) {
    if (limit)
      add(event);
  }
  void ran(const Context &context, const Wavefront &wavefront, uint64_t end);
  void yielded(const Context &context, uint64_t time, const LevelTask &blockedOn);
  void occupancy(const LevelTask &task, uint64_t time, uint64_t elements);

  // Any thread may call the functions below while events are recorded.
  uint64_t size() const { return __atomic_load_n(&count, __ATOMIC_ACQUIRE); } // pairs with add()
  const TraceEvent &operator[](uint64_t index) const { return *place(index); }
  /// Returns whether events were left out. `cutAt` is then the time of the first of them.
  bool isCut() const { return cut; }
  uint64_t cutAt() const { return cutTime; }
  void destroy();

private:
  static constexpr uint64_t kFirst = 1024; ///< events of the first part
  static constexpr unsigned kParts = 32;

  static uint64_t partSize(unsigned part) { return kFirst << part; }
  static unsigned partOf(uint64_t index) { return 63 - unsigned(__builtin_clzll(index / kFirst + 1)); }
  TraceEvent *place(uint64_t index) const {
    unsigned part = partOf(index);
    return &parts[part][index - (partSize(part) - kFirst)];
  }
  void add(const TraceEvent &event);

  const Environment &environment;
  const uint64_t limit;
  TraceEvent *parts[kParts] = {}; ///< each part has twice as many events as the part before it, and never moves
  uint64_t count = 0, cutTime = 0;
  bool cut = false;
};

/// The events of one machine, for the file of CILK2GPU_TRACE.
struct MachineTrace {
  const Trace &events;
  const MachineShape &shape;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_TRACE_H
