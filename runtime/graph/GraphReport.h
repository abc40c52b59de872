// The report on a hand-written graph that is written when the program ends: its counters, its channels and its trace. A
// report outlives the graph if statistics or a trace were asked for.
//
// Thread-safety: only the thread that builds and runs graphs adds to the lists. Reports that are kept are never
// removed, so any thread may read the lists. Counters of a graph that runs may be old.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHREPORT_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHREPORT_H

#include "executors/model/Trace.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

struct GraphCounters {
#define CILK2GPU_GRAPH_COUNTER(name, unit, description) uint64_t name = 0;
#define CILK2GPU_GRAPH_TIME(name, nativeName, description, nativeDescription) uint64_t name = 0;
#include "graph/GraphCounters.def"
#undef CILK2GPU_GRAPH_TIME
#undef CILK2GPU_GRAPH_COUNTER
};

/// Counters of a channel node, all its levels together.
struct ChannelReport {
  ChannelReport *next;
  char name[24];
  int id;
  bool isStack;
  uint64_t width, elementBytes, levels, elements;
  ChannelOccupancy occupancy;
};

struct GraphReport {
  GraphReport(const Environment &environment, uint64_t traceEvents) : trace(environment, traceEvents) {}

  GraphReport *next = nullptr;
  Device device = Device::Native;
  MachineSettings machine = {};
  uint32_t wave = 0, doneCount = 0;
  GraphCounters counters;
  ChannelReport *channels = nullptr, *last = nullptr;
  Trace trace;

  ChannelReport &addChannel(const Environment &environment);
  void destroy(const Environment &environment);
};

/// Reports to be written, in the order of their graphs; null if there are none.
extern GraphReport *graphReports;
void keepReport(GraphReport &report);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHREPORT_H
