// Writes counts and settings. Readers of JSON compute ratios themselves; the text begins with a summary.
#include "api/Statistics.h"
#include "api/RunHeader.h"
#include "api/Summary.h"
#include "blocks/BlockReport.h"
#include "depend/DependMemory.h"
#include "graph/GraphReport.h"
#include "process/Message.h"
#include "process/OutputFile.h"
#include "process/StatisticsFile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

static constexpr CounterInfo<Counters> counterInfos[] = {
#define CILK2GPU_COUNTER(name, combine, unit, description) {#name, unit, description, &Counters::name},
#include "core/Counters.def"
#undef CILK2GPU_COUNTER
};

/// Counters of ordered tasks, for programs that have created some.
static constexpr CounterInfo<DependCounters> dependInfos[] = {
#define CILK2GPU_DEPEND_COUNTER(name, unit, description) {#name, unit, description, &DependCounters::name},
#include "depend/DependCounters.def"
};

#define CILK2GPU_GRAPH_COUNTER(name, unit, description) {#name, unit, description, &GraphCounters::name},

/// Counters of graphs on the modelled machine, whose times are in cycles.
static constexpr CounterInfo<GraphCounters> modelledGraphCounters[] = {
#define CILK2GPU_GRAPH_TIME(name, nativeName, description, nativeDescription)                                          \
  {#name, "cycles", description, &GraphCounters::name},
#include "graph/GraphCounters.def"
#undef CILK2GPU_GRAPH_TIME
};

/// Counters of graphs on other machines.
static constexpr CounterInfo<GraphCounters> nativeGraphCounters[] = {
#define CILK2GPU_GRAPH_TIME(name, nativeName, description, nativeDescription)                                          \
  {#nativeName, "ns", nativeDescription, &GraphCounters::name},
#include "graph/GraphCounters.def"
#undef CILK2GPU_GRAPH_TIME
};

#undef CILK2GPU_GRAPH_COUNTER

static unsigned long long wide(uint64_t value) { return value; }

/// Returns the name, as in CILK2GPU_KERNELS, of the instruction set whose vectors the kernel uses.
static const char *vectorsOf(const KernelInfo &kernel) {
  for (const abi::IsaName &entry : abi::kIsaNames)
    if (entry.isa == kernel.isa)
      return entry.name;
  return "none";
}

static void writeJsonTask(StatisticsFile &file, const TaskInfo &task, const Executor &executor) {
  FILE *out = file.out;
  fputs("    {\"name\": ", out);
  writeJsonString(out, task.name);
  fputs(", \"location\": ", out);
  writeJsonString(out, task.location);
  fputs(", \"kernels\": [", out);
  for (uint32_t k = 0; k < task.numKernels; ++k) {
    KernelCounters counters = executor.kernelCounters(task, k);
    fputs(k ? ",\n      {\"name\": " : "\n      {\"name\": ", out);
    writeJsonString(out, task.kernels[k].name);
    if (executor.runsVectors())
      fprintf(out, ", \"vectors\": \"%s\", \"vector_lanes\": %llu", vectorsOf(task.kernels[k]),
              wide(counters.vectorLanes));
    fprintf(out, ", \"lanes\": %llu, \"wavefronts\": %llu, \"restarted_lanes\": %llu, \"restarted_wavefronts\": %llu}",
            wide(counters.lanes), wide(counters.wavefronts), wide(counters.restartedLanes),
            wide(counters.restartedWavefronts));
  }
  fputs("]", out);
  executor.writeTaskMembers(file, task);
  fputs("}", out);
}

static void writeJsonTasks(StatisticsFile &file, const TaskTable &tasks, const Executor &executor) {
  fputs(",\n  \"tasks\": [", file.out);
  for (const TaskInfo *task = tasks.first(); task; task = task->next) {
    fputs(task == tasks.first() ? "\n" : ",\n", file.out);
    writeJsonTask(file, *task, executor);
  }
  fputs("\n  ]", file.out);
}

static void writeTextTasks(FILE *out, const TaskTable &tasks, const Executor &executor) {
  bool hasVectors = executor.runsVectors();
  fprintf(out, "\n%-40s %16s %14s %16s %14s %10s\n", "kernel", "lanes", "wavefronts", "restarted lanes", "wavefronts",
          hasVectors ? "vectors" : "");
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    for (uint32_t k = 0; k < task->numKernels; ++k) {
      KernelCounters kernel = executor.kernelCounters(*task, k);
      fprintf(out, "%-40s %16llu %14llu %16llu %14llu %10s\n",
              task->kernels[k].name ? task->kernels[k].name : task->name, wide(kernel.lanes), wide(kernel.wavefronts),
              wide(kernel.restartedLanes), wide(kernel.restartedWavefronts),
              hasVectors ? vectorsOf(task->kernels[k]) : "");
    }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Hand-written graphs
//===--------------------------------------------------------------------------------------------------------------===//

static bool isModelled(const GraphReport &graph) { return graph.device == Device::Model; }

static void writeCounters(StatisticsFile &file, const GraphReport &graph) {
  if (isModelled(graph))
    file.counters(graph.counters, modelledGraphCounters);
  else
    file.counters(graph.counters, nativeGraphCounters);
}

static void writeJsonChannel(FILE *out, const ChannelReport &channel, const char *unit) {
  fprintf(out,
          "    {\"id\": %d, \"stack\": %s, \"width\": %llu, \"element_bytes\": %llu, \"levels\": %llu, "
          "\"elements\": %llu, \"elements_high_water\": %llu, \"element_%s\": %llu}",
          channel.id, channel.isStack ? "true" : "false", wide(channel.width), wide(channel.elementBytes),
          wide(channel.levels), wide(channel.elements), wide(channel.occupancy.most), unit,
          wide(channel.occupancy.integral));
}

static void writeJsonGraph(StatisticsFile &file, const GraphReport &graph) {
  FILE *out = file.out;
  fprintf(out, "{\"device\": \"%s\", \"wave\": %u, ", deviceName(graph.device), graph.wave);
  if (isModelled(graph))
    fprintf(out, "\"cus\": %u, \"progress\": \"%s\", ", graph.machine.shape.cus, progressName(graph.machine.progress));
  fprintf(out, "\"schedule\": \"%s\", \"seed\": %llu, \"done_count\": %u,\n", scheduleName(graph.machine.schedule),
          wide(graph.machine.seed), graph.doneCount);
  file.beginCounters();
  writeCounters(file, graph);
  file.endCounters();
  fputs(",\n  \"channels\": [", out);
  for (const ChannelReport *channel = graph.channels; channel; channel = channel->next) {
    fputs(channel == graph.channels ? "\n" : ",\n", out);
    writeJsonChannel(out, *channel, isModelled(graph) ? "cycles" : "ns");
  }
  fputs("\n  ]}", out);
}

static void writeJsonGraphs(StatisticsFile &file) {
  fputs("  \"graphs\": [", file.out);
  for (const GraphReport *graph = graphReports; graph; graph = graph->next) {
    fputs(graph == graphReports ? "\n  " : ",\n  ", file.out);
    writeJsonGraph(file, *graph);
  }
  fputs("\n  ]\n", file.out);
}

static void writeTextGraph(StatisticsFile &file, const GraphReport &graph, unsigned number) {
  FILE *out = file.out;
  file.fact("graph", number);
  file.fact("graph_device", deviceName(graph.device));
  file.fact("wave", graph.wave, "lanes");
  if (isModelled(graph))
    file.fact("cus", graph.machine.shape.cus, "compute units");
  file.fact("schedule", scheduleName(graph.machine.schedule));
  file.fact("seed", graph.machine.seed);
  writeCounters(file, graph);
  fprintf(out, "\n%-22s %16s %14s %16s %14s\n", "channel", "width", "levels", "elements", "most at once");
  for (const ChannelReport *channel = graph.channels; channel; channel = channel->next)
    fprintf(out, "%-22s %16llu %14llu %16llu %14llu\n", channel->name, wide(channel->width), wide(channel->levels),
            wide(channel->elements), wide(channel->occupancy.most));
  fputs("\n", out);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Graphs of thread blocks
//===--------------------------------------------------------------------------------------------------------------===//

static constexpr CounterInfo<BlockReportCounters> blockCounters[] = {
#define CILK2GPU_BLOCK_COUNTER(name, combine, unit, description) {#name, unit, description, &BlockReportCounters::name},
#include "blocks/BlockCounters.def"
};

static constexpr CounterInfo<DatsCounters> datsCounters[] = {
#define CILK2GPU_DATS_COUNTER(name, combine, unit, description) {#name, unit, description, &DatsCounters::name},
#include "blocks/DatsCounters.def"
};

/// Returns the version that executed a launch on the modelled machine.
static const char *versionName(const BlockReportKey &key) {
  BlockVersion version = settings().blockVersion;
  if (version == BlockVersion::OfLaunch)
    version = key.policy.kind == WF::LVL ? BlockVersion::Lvl : BlockVersion::Lrr;
  return blockVersionName(version);
}

static void writeBlockCounters(StatisticsFile &file, const BlockReport &report) {
  file.counters(report.counters, blockCounters);
  if (report.key.device == Device::Model)
    file.counters(report.dats, datsCounters);
}

static void writeJsonBlocks(StatisticsFile &file) {
  FILE *out = file.out;
  fputs("  \"block_graphs\": [", out);
  for (const BlockReport *report = blockReports; report; report = report->next) {
    const BlockReportKey &key = report->key;
    fprintf(out,
            "%s\n  {\"device\": \"%s\", \"policy\": \"%s\", \"bound\": %llu, \"threads\": %u, \"nodes\": %llu, "
            "\"edges\": %llu,\n",
            report == blockReports ? "" : ",", deviceName(key.device), policyName(key.policy.kind),
            wide(key.policy.bound), key.threads, wide(key.nodes), wide(key.edges));
    if (key.device == Device::Model)
      fprintf(out, "   \"version\": \"%s\",\n", versionName(key));
    file.beginCounters();
    writeBlockCounters(file, *report);
    file.endCounters();
    fputs("}", out);
  }
  fputs("\n  ]\n", out);
}

static void writeTextBlocks(StatisticsFile &file) {
  unsigned number = 0;
  for (const BlockReport *report = blockReports; report; report = report->next) {
    const BlockReportKey &key = report->key;
    file.fact("block_graph", number++);
    file.fact("block_device", deviceName(key.device));
    file.fact("block_policy", policyName(key.policy.kind));
    if (key.device == Device::Model)
      file.fact("block_version", versionName(key));
    if (key.policy.kind == WF::LVL)
      file.fact("level_bound", key.policy.bound, "levels");
    file.fact("threads", key.threads, "in a block");
    file.fact("nodes", key.nodes, "blocks");
    file.fact("edges", key.edges, "dependencies");
    writeBlockCounters(file, *report);
    fputs("\n", file.out);
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// The whole file
//===--------------------------------------------------------------------------------------------------------------===//

/// Writes the settings and counters of compiled graphs, for which the executor adds its own.
static void writeExecutor(StatisticsFile &file, const Engine &engine, const Counters &counters) {
  const Executor &executor = engine.executor();
  file.fact("device", deviceName(engine.kind()));
  file.fact("workers", executor.workers(), "threads");
  file.fact("wave", executor.limits().wave, "lanes");
  file.fact("width", executor.limits().width, "elements");
  file.fact("policy", policyOf(executor.limits().policy).name);
  executor.writeFacts(file);
  file.beginCounters();
  file.counters(counters, counterInfos);
  if (const DependCounters ordered = dependCounters(); ordered.ordered_tasks)
    file.counters(ordered, dependInfos);
  executor.writeCounters(file);
  file.endCounters();
}

namespace {
struct Subject {
  const Settings &settings;
  const TaskTable &tasks;
  const Engine &engine;
  const RunEnd end;
};
} // namespace

static void writeJson(StatisticsFile &file, const Subject &subject, const Counters &counters, bool hasTasks) {
  fputs("{\n", file.out);
  writeRunHeader(file, subject.end.isComplete);
  if (hasTasks) {
    writeExecutor(file, subject.engine, counters);
    writeJsonTasks(file, subject.tasks, subject.engine.executor());
    fputs(graphReports || blockReports ? ",\n" : "\n", file.out);
  }
  if (graphReports)
    writeJsonGraphs(file);
  if (graphReports && blockReports)
    fputs("  ,\n", file.out);
  if (blockReports)
    writeJsonBlocks(file);
  fputs("}\n", file.out);
}

static void writeText(StatisticsFile &file, const Subject &subject, const Counters &counters, bool hasTasks) {
  writeSummary(file.out, subject.tasks, subject.engine, counters, subject.end.isComplete);
  writeRunHeader(file, subject.end.isComplete);
  unsigned number = 0;
  for (const GraphReport *graph = graphReports; graph; graph = graph->next)
    writeTextGraph(file, *graph, number++);
  writeTextBlocks(file);
  if (!hasTasks)
    return;
  writeExecutor(file, subject.engine, counters);
  writeTextTasks(file.out, subject.tasks, subject.engine.executor());
}

static bool endsIn(const char *text, const char *suffix) {
  size_t length = strlen(text), suffixLength = strlen(suffix);
  return length >= suffixLength && !strcmp(text + length - suffixLength, suffix);
}

static bool endsInJson(const Settings &settings) { return endsIn(settings.statistics, ".json"); }

bool writeStatistics(const Settings &settings, const TaskTable &tasks, const Engine &engine, RunEnd end) {
  Subject subject = {settings, tasks, engine, end};
  auto write = [](FILE *out, const void *context) {
    const Subject &subject = *static_cast<const Subject *>(context);
    StatisticsFile file(out, endsInJson(subject.settings));
    // For a program with only hand-written graphs and thread blocks, the file has no data of an executor.
    bool hasTasks = subject.tasks.first() || (!graphReports && !blockReports);
    const Counters counters = subject.engine.counters(subject.tasks, subject.end.mayRun);
    (file.isJson ? writeJson : writeText)(file, subject, counters, hasTasks);
  };
  if (writeOutput(settings.statistics, write, &subject))
    return true;
  error("statistics could not be written to %s (CILK2GPU_STATS): %s", settings.statistics, strerror(errno));
  return false;
}

} // namespace cilk2gpu::rt
