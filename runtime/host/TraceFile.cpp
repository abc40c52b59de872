// A cycle is a nanosecond of the trace. CUs are processes, contexts are their threads: a track holds one wavefront at a
// time, so slices never overlap.
#include "host/TraceFile.h"
#include "host/Message.h"
#include "host/OutputFile.h"

#include <errno.h>
#include <string.h>

namespace cilk2gpu::rt {

static void writeName(FILE *out, const char *text) {
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
}

/// Microseconds with three digits: what a time in nanoseconds is in this format.
static void writeTime(FILE *out, const char *key, uint64_t cycles) {
  fprintf(out, "\"%s\":%llu.%03u", key, static_cast<unsigned long long>(cycles / 1000), unsigned(cycles % 1000));
}

static void writeEvent(FILE *out, const TraceEvent &event, const MachineShape &shape) {
  static const char *const kinds[] = {"fresh", "post-sync", "restart"};
  unsigned process = event.context / shape.contextsPerCu, thread = event.context % shape.contextsPerCu;
  fputs(",\n{\"name\":\"", out);
  writeName(out, event.name);
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
    fprintf(out, ",\"ph\":\"C\",\"pid\":%u,\"args\":{\"elements\":%llu}}", shape.cus, value);
    break;
  }
}

static void writeTracks(FILE *out, const MachineShape &shape) {
  for (uint32_t cu = 0; cu < shape.cus; ++cu) {
    fprintf(out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"CU %u\"}}", cu, cu);
    for (uint32_t slot = 0; slot < shape.contextsPerCu; ++slot)
      fprintf(out,
              ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
              "\"args\":{\"name\":\"SIMD %u, context %u\"}}",
              cu, slot, slot % shape.simdsPerCu, slot);
  }
  fprintf(out, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"channels\"}}", shape.cus);
}

static void writeEvents(FILE *out, const void *context) {
  const Model &model = *static_cast<const Model *>(context);
  const Trace &trace = model.trace();
  const MachineShape &shape = model.setup().machine.shape;
  fprintf(out,
          "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"truncated\":%s},\"traceEvents\":[\n"
          "{\"name\":\"clock\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"1 cycle = 1 ns\"}}",
          trace.isCut() ? "true" : "false");
  writeTracks(out, shape);
  for (uint64_t i = 0; i < trace.size(); ++i)
    writeEvent(out, trace[i], shape);
  if (trace.isCut()) {
    fputs(",\n{\"name\":\"trace cut here: more events than are kept\",\"ph\":\"i\",\"s\":\"g\",\"pid\":0,\"tid\":0,",
          out);
    writeTime(out, "ts", trace.cutAt());
    fputc('}', out);
  }
  fputs("\n]}\n", out);
}

bool writeTrace(const Settings &settings, const Engine &engine) {
  if (!engine.modelled()) {
    warning("CILK2GPU_TRACE has no effect: only CILK2GPU_DEVICE=model has a trace");
    return true;
  }
  if (writeOutput(settings.trace, writeEvents, engine.modelled()))
    return true;
  warning("the trace could not be written to %s (CILK2GPU_TRACE): %s", settings.trace, strerror(errno));
  return false;
}

} // namespace cilk2gpu::rt
