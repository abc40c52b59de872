// In the trace, a modelled cycle is a nanosecond; the times of other machines are nanoseconds already. CUs are
// processes, and contexts are their threads. A context holds one wavefront at a time, so the slices of a track never
// overlap. The machine of compiled graphs comes first, then the machine of each hand-written graph, on any device, and
// then thread blocks: a process, whose threads are those of the host. Each machine has processes and a clock of its
// own.
#include "api/TraceFile.h"
#include "blocks/BlockObserver.h"
#include "graph/GraphReport.h"
#include "process/Message.h"
#include "process/OutputFile.h"
#include "process/StatisticsFile.h"

#include <errno.h>
#include <string.h>

namespace cilk2gpu::rt {

/// Writes a time in nanoseconds in the format's unit: microseconds, with three digits after the point.
static void writeTime(FILE *out, const char *key, uint64_t cycles) {
  fprintf(out, "\"%s\":%llu.%03u", key, static_cast<unsigned long long>(cycles / 1000), unsigned(cycles % 1000));
}

namespace {
/// One machine's events, and the number of its first process.
struct Part {
  const Trace &trace;
  const MachineShape &shape;
  unsigned first;
  int graph; ///< number of the hand-written graph; -1: the machine of compiled graphs
  Device device = Device::Model;
};
} // namespace

static void writeEvent(FILE *out, const TraceEvent &event, const Part &part) {
  const MachineShape &shape = part.shape;
  static const char *const kinds[] = {"fresh", "post-sync", "restart"};
  unsigned process = part.first + event.context / shape.contextsPerCu, thread = event.context % shape.contextsPerCu;
  fputs(",\n{\"name\":\"", out);
  writeJsonText(out, event.name);
  fputs("\",", out);
  writeTime(out, "ts", event.time);
  auto level = static_cast<unsigned long long>(event.level), value = static_cast<unsigned long long>(event.value);
  switch (event.kind) {
  case TraceEvent::Kind::Ran:
    fputc(',', out);
    writeTime(out, "dur", event.duration);
    fprintf(out, ",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"args\":{\"kind\":\"%s\",\"level\":%llu,\"lanes\":%llu}}",
            process, thread, kinds[unsigned(event.waveKind)], level, value);
    break;
  case TraceEvent::Kind::Yielded:
    fprintf(out, ",\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,\"args\":{\"full\":true,\"level\":%llu}}", process,
            thread, level);
    break;
  case TraceEvent::Kind::Occupancy:
    fprintf(out, ",\"ph\":\"C\",\"pid\":%u,\"args\":{\"elements\":%llu}}", part.first + shape.cus, value);
    break;
  }
}

static void writeTracks(FILE *out, const Part &part) {
  char owner[32] = "";
  if (part.graph >= 0)
    snprintf(owner, sizeof owner, "graph %d, ", part.graph);
  for (uint32_t cu = 0; cu < part.shape.cus; ++cu) {
    unsigned process = part.first + cu;
    fprintf(out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s%s %u\"}}", process,
            owner, part.device == Device::Model ? "CU" : deviceName(part.device), cu);
    for (uint32_t slot = 0; slot < part.shape.contextsPerCu; ++slot)
      fprintf(out,
              ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
              "\"args\":{\"name\":\"SIMD %u, context %u\"}}",
              process, slot, slot % part.shape.simdsPerCu, slot);
  }
  fprintf(out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%schannels\"}}",
          part.first + part.shape.cus, owner);
}

/// Says that events are missing from `time` on.
static void writeCut(FILE *out, unsigned process, uint64_t time) {
  fprintf(out,
          ",\n{\"name\":\"trace cut here: more events than are kept\",\"ph\":\"i\",\"s\":\"g\",\"pid\":%u,\"tid\":0,",
          process);
  writeTime(out, "ts", time);
  fputc('}', out);
}

static void writePart(FILE *out, const Part &part) {
  writeTracks(out, part);
  for (uint64_t i = 0; i < part.trace.size(); ++i)
    writeEvent(out, part.trace[i], part);
  if (part.trace.isCut())
    writeCut(out, part.first, part.trace.cutAt());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Thread blocks
//===--------------------------------------------------------------------------------------------------------------===//

static void writeBlock(FILE *out, const BlockEvent &event, const ObservedLaunch &launch, unsigned process) {
  fprintf(out, ",\n{\"name\":\"%s\",", launch.names.of(event.node).text);
  writeTime(out, "ts", event.start);
  fputc(',', out);
  writeTime(out, "dur", event.duration);
  fprintf(out, ",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"args\":{\"launch\":%u,\"level\":%llu,\"device\":\"%s\"}}",
          process, event.thread, event.launch, static_cast<unsigned long long>(event.level), deviceName(launch.device));
}

static void writeBlocks(FILE *out, const BlockTrace &trace, unsigned process) {
  fprintf(out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"thread blocks\"}}", process);
  for (uint32_t thread = 0; thread < trace.numThreads; ++thread)
    fprintf(out, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"thread %u\"}}",
            process, thread, thread);
  for (uint64_t i = 0; i < trace.numEvents; ++i)
    writeBlock(out, trace.events[i], trace.launches[trace.events[i].launch], process);
  if (trace.isCut)
    writeCut(out, process, trace.cutAt);
}

//===--------------------------------------------------------------------------------------------------------------===//
// The whole file
//===--------------------------------------------------------------------------------------------------------------===//

namespace {
struct Subject {
  const MachineTrace *compiled; ///< null: there is none
  bool isComplete;
};
} // namespace

static void writeEvents(FILE *out, const void *context) {
  const auto [compiled, isComplete] = *static_cast<const Subject *>(context);
  bool isCut = compiled && compiled->events.isCut();
  for (const GraphReport *graph = graphReports; graph; graph = graph->next)
    isCut |= graph->trace.isCut();
  const BlockTrace *blocks = blockTrace();
  isCut |= blocks && blocks->isCut;
  fprintf(out,
          "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"truncated\":%s,\"complete\":%s},\"traceEvents\":[\n"
          "{\"name\":\"clock\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"1 cycle = 1 ns\"}}",
          isCut ? "true" : "false", isComplete ? "true" : "false");
  unsigned first = 0;
  if (compiled) {
    writePart(out, {compiled->events, compiled->shape, first, -1});
    first += compiled->shape.cus + 1;
  }
  int number = 0;
  for (const GraphReport *graph = graphReports; graph; graph = graph->next) {
    writePart(out, {graph->trace, graph->machine.shape, first, number++, graph->device});
    first += graph->machine.shape.cus + 1;
  }
  if (blocks)
    writeBlocks(out, *blocks, first);
  fputs("\n]}\n", out);
}

bool writeTrace(const Settings &settings, const Executor &executor, bool isComplete) {
  const Subject subject = {executor.trace(), isComplete};
  const MachineTrace *compiled = subject.compiled;
  if (!compiled && !graphReports && !blockTrace()) {
    warning("CILK2GPU_TRACE has no effect: only CILK2GPU_DEVICE=model, hand-written graphs and thread blocks have a "
            "trace");
    return true;
  }
  // Blocks may still run, and would make the array of events larger.
  lockObservers();
  bool isWritten = writeOutput(settings.trace, writeEvents, &subject);
  unlockObservers();
  if (isWritten)
    return true;
  error("the trace could not be written to %s (CILK2GPU_TRACE): %s", settings.trace, strerror(errno));
  return false;
}

} // namespace cilk2gpu::rt
