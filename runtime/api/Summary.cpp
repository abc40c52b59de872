// Each line begins with the word for what it is about. Advice is a table: a condition, and what to try if it holds.
#include "api/Summary.h"
#include "api/Quantity.h"
#include "blocks/BlockReport.h"
#include "graph/GraphReport.h"

namespace cilk2gpu::rt {

static double ratio(uint64_t part, uint64_t whole) { return whole ? double(part) / double(whole) : 0; }
static unsigned percent(uint64_t part, uint64_t whole) { return unsigned(100 * ratio(part, whole) + 0.5); }
/// Returns the decimal places for a percentage, so that a small one is not 0.
static int placesOf(double percentage) { return percentage && percentage < 1 ? 2 : percentage < 10 ? 1 : 0; }

namespace {

/// Numbers that several lines use.
struct Numbers {
  const Counters &counters;
  const Settings &given = settings();
  Device device;
  uint32_t wave, workers;
  uint64_t width;
  uint64_t lanes;       ///< dispatched fresh
  uint64_t vectorLanes; ///< as above, in vectors
  bool runsVectors;     ///< lanes may run in vectors
  double fill;          ///< share of the wavefronts' lanes that had an element
  double elidedShare;   ///< share of the tasks that ran as elisions
};

} // namespace

static Numbers numbersOf(const TaskTable &tasks, const Engine &engine, const Counters &counters) {
  const Executor &executor = engine.executor();
  uint64_t lanes = counters.tasks + counters.post_sync_lanes, vectorLanes = 0;
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    for (uint32_t k = 0; k < task->numKernels; ++k)
      vectorLanes += executor.kernelCounters(*task, k).vectorLanes;
  return {.counters = counters,
          .device = engine.kind(),
          .wave = executor.limits().wave,
          .workers = executor.workers(),
          .width = executor.limits().width,
          .lanes = lanes,
          .vectorLanes = vectorLanes,
          .runsVectors = executor.runsVectors() && executor.limits().wave > 1,
          .fill = ratio(lanes, counters.wavefronts * executor.limits().wave),
          .elidedShare = ratio(counters.elided, counters.tasks + counters.elided)};
}

//===--------------------------------------------------------------------------------------------------------------===//
// What was measured
//===--------------------------------------------------------------------------------------------------------------===//

static void writeTasks(FILE *out, const Numbers &of) {
  const Counters &counters = of.counters;
  fprintf(out, "  Tasks: %s ran on %s with %u %s, in %s.\n", counted(counters.tasks + counters.elided, "task").text,
          deviceName(of.device), of.workers, of.workers == 1 ? "worker" : "workers",
          counters.executes ? counted(counters.executes, "run").text : "a run that has not ended");
  fprintf(out, "  Time: %s in all runs", duration(counters.execute_time).text);
  if (counters.executes > 1)
    fprintf(out, ", %s in each on average", duration(counters.execute_time / counters.executes).text);
  fputs(".\n", out);
}

static void writeLanes(FILE *out, const Numbers &of) {
  if (!of.counters.wavefronts)
    return;
  fprintf(out, "  Lanes: %u %% were full; a wavefront had %.1f of %u lanes on average.", unsigned(100 * of.fill + 0.5),
          ratio(of.lanes, of.counters.wavefronts), of.wave);
  if (of.runsVectors)
    fprintf(out, " %u %% of the elements ran in vectors.", percent(of.vectorLanes, of.lanes));
  fputs("\n", out);
}

static void writeMemory(FILE *out, const Numbers &of) {
  const Counters &counters = of.counters;
  fprintf(out, "  Memory: channels and frames took %s at most", bytes(counters.memory_high_water).text);
  if (counters.memory_bound)
    fprintf(out, "; their bound is %s", bytes(counters.memory_bound).text);
  if (of.given.memoryCap)
    fprintf(out, "; CILK2GPU_MEM_CAP allows %s", bytes(of.given.memoryCap).text);
  fputs(".\n", out);
}

static void writeElisions(FILE *out, const Numbers &of) {
  if (!of.counters.elided)
    return;
  double percentage = 100 * of.elidedShare;
  fprintf(out, "  Elisions: %.*f %% of the tasks ran as serial elisions, with all that they would have spawned.\n",
          placesOf(percentage), percentage);
}

//===--------------------------------------------------------------------------------------------------------------===//
// What to try
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

struct Advice {
  bool (*holds)(const Numbers &of);
  const char *text;
};

} // namespace

/// Fewer wavefronts or shorter runs say nothing about a program.
static constexpr uint64_t kFewWavefronts = 100, kShortRun = 1'000'000; // ns

static bool areLanesMostlyScalar(const Numbers &of) {
  return of.runsVectors && of.counters.wavefronts >= kFewWavefronts && 2 * of.vectorLanes < of.lanes;
}

static constexpr Advice advices[] = {
    {[](const Numbers &of) { return 20 * of.counters.restarted_lanes > of.lanes; },
     "Many lanes found a channel full and yielded. Raise CILK2GPU_WIDTH, and CILK2GPU_MEM_CAP if it is set."},
    {[](const Numbers &of) { return of.elidedShare > 0.5 && of.given.limits.elide != Elide::Always; },
     "Most tasks were faster as elisions. Do more work in each task, or spawn only above a size."},
    {[](const Numbers &of) {
       return of.counters.wavefronts >= kFewWavefronts && of.fill < 0.5 && of.elidedShare <= 0.5;
     },
     "Wavefronts were less than half full. Spawn more children at each level; cilk-scale shows the levels and the "
     "best CILK2GPU_WIDTH."},
    {[](const Numbers &of) { return areLanesMostlyScalar(of) && of.given.isas != 0; },
     "Most elements ran one after the other. Compile with -O2 and -Rpass-missed=cilk, which gives the reasons."},
    {[](const Numbers &of) { return areLanesMostlyScalar(of) && of.given.isas == 0; },
     "CILK2GPU_KERNELS=scalar makes elements run one after the other. Unset it."},
    {[](const Numbers &of) {
       return of.counters.executes >= 1000 && of.counters.execute_time / of.counters.executes < 20'000;
     },
     "Runs are short. Call Cilk functions less often, with more work."},
    {[](const Numbers &of) {
       return of.device == Device::Native && of.workers > 1 && !of.counters.threads &&
              of.counters.execute_time > kShortRun;
     },
     "One worker did all the work. Spawn larger pieces of work, so that workers can share them."},
};

static void writeAdvice(FILE *out, const Numbers &of) {
  bool isAny = false;
  for (const Advice &advice : advices)
    if (advice.holds(of)) {
      fprintf(out, "  To try: %s\n", advice.text);
      isAny = true;
    }
  if (!isAny)
    fputs("  To try: nothing stands out.\n", out);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Graphs by hand and thread blocks
//===--------------------------------------------------------------------------------------------------------------===//

static void writeGraphs(FILE *out) {
  uint64_t graphs = 0, lanes = 0, slots = 0, memory = 0;
  for (const GraphReport *graph = graphReports; graph; graph = graph->next) {
    ++graphs;
    lanes += graph->counters.lanes;
    slots += graph->counters.lane_slots;
    if (graph->counters.memory_high_water > memory)
      memory = graph->counters.memory_high_water;
  }
  if (graphs)
    fprintf(out, "  Graphs by hand: %s consumed %s; lanes were %u %% full; one took %s at most.\n",
            counted(graphs, "graph").text, counted(lanes, "element").text, percent(lanes, slots), bytes(memory).text);
}

static void writeBlocks(FILE *out) {
  uint64_t launches = 0, blocks = 0, building = 0, running = 0, memory = 0;
  for (const BlockReport *report = blockReports; report; report = report->next) {
    const BlockReportCounters &counters = report->counters;
    launches += counters.launches;
    blocks += counters.blocks_run;
    building += counters.build_time;
    running += counters.run_time;
    if (counters.memory_high_water > memory)
      memory = counters.memory_high_water;
  }
  if (launches)
    fprintf(out, "  Thread blocks: %s of %s ran for %s, after %s for their graphs; a launch took %s at most.\n",
            counted(blocks, "block").text, counted(launches, "launch", "launches").text, duration(running).text,
            duration(building).text, bytes(memory).text);
}

void writeSummary(FILE *out, const TaskTable &tasks, const Engine &engine, const Counters &counters, bool isComplete) {
  Numbers numbers = numbersOf(tasks, engine, counters);
  fputs("Summary\n", out);
  if (!isComplete)
    fputs("  A signal ended the program. The numbers are those up to then.\n", out);
  writeGraphs(out);
  writeBlocks(out);
  if (counters.tasks + counters.elided) {
    writeTasks(out, numbers);
    writeLanes(out, numbers);
    writeMemory(out, numbers);
    writeElisions(out, numbers);
    writeAdvice(out, numbers);
  } else if (!graphReports && !blockReports) {
    fputs("  No task ran.\n", out);
  }
  fputs("\n", out);
}

} // namespace cilk2gpu::rt
