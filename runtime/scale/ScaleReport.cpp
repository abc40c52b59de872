// See ScaleReport.h.
#include "scale/ScaleReport.h"

#include "process/OutputFile.h"
#include "process/Privileges.h"
#include "process/StatisticsFile.h"
#include "scale/LevelTable.h"

#include <errno.h>
#include <inttypes.h>
#include <new>
#include <stdio.h>
#include <unistd.h>

namespace cilk2gpu::rt::scale {
namespace {

alignas(Growing<Region>) char regionStorage[sizeof(Growing<Region>)];
Growing<Region> *regions = nullptr;

/// What the two writers need.
struct Report {
  const Recorder &recorder;
  uint64_t libraryWork;
  bool isIncomplete;
};

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

//===-- CSV -------------------------------------------------------------------------------------------------------===//

void writeCsvRow(FILE *out, const char *tag, int64_t work, int64_t span, int64_t burdened) {
  for (const char *c = tag; *c; ++c)
    if (*c == ',' || *c == '"' || *c == '\n' || *c == '\r')
      fputc('_', out);
    else
      fputc(*c, out);
  fprintf(out, ",%" PRId64 ",%" PRId64 ",%g,%" PRId64 ",%g\n", work, span, ratio(double(work), double(span)), burdened,
          ratio(double(work), double(burdened)));
}

void writeCsv(FILE *out, const void *context) {
  const Report &report = *static_cast<const Report *>(context);
  fputs("tag,work (instructions),span (instructions),parallelism,burdened_span (instructions),burdened_parallelism\n",
        out);
  if (regions)
    for (const Region &region : *regions)
      writeCsvRow(out, region.tag, region.work, region.span, region.burdened);
  const Part &whole = report.recorder.names.parts[Names::kOutside];
  writeCsvRow(out, "", int64_t(whole.work), int64_t(whole.span), int64_t(whole.burdened));
}

//===-- JSON ------------------------------------------------------------------------------------------------------===//

void writeText(FILE *out, const char *key, const char *text) {
  fprintf(out, "\"%s\": \"", key);
  writeJsonText(out, text);
  fputc('"', out);
}

void writeSums(FILE *out, int64_t work, int64_t span, int64_t burdened) {
  fprintf(out,
          "\"work\": %" PRId64 ", \"span\": %" PRId64 ", \"burdened_span\": %" PRId64
          ", \"parallelism\": %.6g, \"burdened_parallelism\": %.6g",
          work, span, burdened, ratio(double(work), double(span)), ratio(double(work), double(burdened)));
}

const char *kindName(PartKind kind) {
  switch (kind) {
  case PartKind::Outside:
    return "outside";
  case PartKind::Function:
    return "function";
  case PartKind::Spawn:
    return "spawn";
  case PartKind::Loop:
    return "loop";
  case PartKind::Call:
    return "call";
  }
  return "";
}

void writePart(FILE *out, const Names &names, const Part &part) {
  fputs("    {", out);
  writeText(out, "kind", kindName(part.kind));
  fputs(", ", out);
  writeText(out, "function", part.site ? part.site->function : "");
  if (part.site) {
    fputs(", ", out);
    writeText(out, "file", part.site->file);
    fprintf(out, ", \"line\": %u, \"column\": %u, ", part.site->line, part.site->column);
    writeText(out, "callee", part.kind == PartKind::Call ? part.site->function : part.site->callee);
  }
  if (part.kind == PartKind::Call) {
    const Site *caller = names.parts[part.caller].site;
    fputs(", ", out);
    writeText(out, "caller", caller ? caller->function : "");
  }
  fprintf(out, ", \"count\": %" PRIu64 ", ", part.count);
  writeSums(out, int64_t(part.work), int64_t(part.span), int64_t(part.burdened));
  fprintf(out, ", \"local_work\": %" PRIu64 ", \"on_span\": %" PRIu64 "}", part.local, part.onSpan);
}

void writeElements(FILE *out, const Elements &elements) {
  fprintf(out, "\"elements\": %" PRIu64 ", \"dispatches\": %" PRIu64 ", \"widest\": %" PRIu64 ", \"wavefronts\": [",
          elements.elements, elements.dispatches, elements.widest);
  for (uint32_t i = 0; i < kWaves; ++i)
    fprintf(out, "%s%" PRIu64, i ? ", " : "", elements.wavefronts[i]);
  fputc(']', out);
}

void writeKernel(FILE *out, const Names &names, const Elements &kernel) {
  const KernelName &name = names.kernels[kernel.kernel];
  const Part &part = names.parts[name.part];
  fputs("    {", out);
  writeText(out, "function", part.kind == PartKind::Spawn ? part.site->callee : part.site->function);
  fputs(", ", out);
  writeText(out, "kind", kindName(part.kind));
  fprintf(out, ", \"line\": %u, \"post_sync\": %s, \"after_line\": %u, ", part.site->line,
          kernel.isPostSync ? "true" : "false", name.after ? name.after->line : 0);
  writeElements(out, kernel);
  fputc('}', out);
}

/// Writes a list with `count` items; item(i) writes one.
template <typename Item> void writeList(FILE *out, const char *key, uint32_t count, const char *end, Item item) {
  fprintf(out, "  \"%s\": [", key);
  for (uint32_t i = 0; i < count; ++i) {
    fputs(i ? ",\n" : "\n", out);
    item(i);
  }
  fprintf(out, "\n  ]%s\n", end);
}

void writeJson(FILE *out, const void *context) {
  const Report &report = *static_cast<const Report *>(context);
  const Names &names = report.recorder.names;
  const Part &whole = names.parts[Names::kOutside];
  LevelTable table(report.recorder);
  fputs("{\n  \"version\": 1,\n  \"unit\": \"instructions\",\n", out);
  if (report.isIncomplete)
    fputs("  \"incomplete\": true,\n", out);
  fputs("  \"program\": {", out);
  writeSums(out, int64_t(whole.work), int64_t(whole.span), int64_t(whole.burdened));
  fprintf(out, ", \"library_work\": %" PRIu64 "},\n", report.libraryWork);
  writeList(out, "regions", regions ? regions->size() : 0, ",", [&](uint32_t i) {
    const Region &region = (*regions)[i];
    fputs("    {", out);
    writeText(out, "tag", region.tag);
    fputs(", ", out);
    writeSums(out, region.work, region.span, region.burdened);
    fputc('}', out);
  });
  writeList(out, "parts", names.parts.size(), ",", [&](uint32_t i) { writePart(out, names, names.parts[i]); });
  writeList(out, "kernels", table.kernels.size(), ",", [&](uint32_t i) { writeKernel(out, names, table.kernels[i]); });
  writeList(out, "levels", table.rows.size(), ",", [&](uint32_t i) {
    const Elements &row = table.rows[i];
    fprintf(out, "    {\"level\": %u, \"kernel\": %u, \"post_sync\": %s, ", row.level, row.kernel,
            row.isPostSync ? "true" : "false");
    writeElements(out, row);
    fputc('}', out);
  });
  fputs("  \"all\": {", out);
  writeElements(out, table.whole);
  fputs("}\n}\n", out);
}

bool endsWith(const char *text, const char *end) {
  size_t length = strlen(text), part = strlen(end);
  return length >= part && !strcmp(text + length - part, end);
}

} // namespace

void addRegion(const Region &region) {
  if (!regions)
    regions = new (regionStorage) Growing<Region>;
  regions->add(region);
}

/// Returns the file to write: CILKSCALE_OUT, or "-".
static const char *outputPath() {
  const char *path = getenv("CILKSCALE_OUT");
  if (!path || !*path || !strcmp(path, "-"))
    return "-";
  if (!isPrivileged())
    return path;
  warning("CILKSCALE_OUT " CILK2GPU_NAMES_FILE);
  return "-";
}

void report(const Recorder &recorder, uint64_t libraryWork, bool isIncomplete) {
  const char *path = outputPath();
  Report what = {recorder, libraryWork, isIncomplete};
  if (isIncomplete)
    warning("a signal has ended the program; the report of cilk-scale is of the part that ran");
  fflush(stdout);
  if (writeOutput(path, endsWith(path, ".json") ? writeJson : writeCsv, &what))
    return;
  error("the report of cilk-scale cannot be written to '%s', which CILKSCALE_OUT names: %s; name a file that can be "
        "written",
        path, strerror(errno));
  _exit(1);
}

} // namespace cilk2gpu::rt::scale
