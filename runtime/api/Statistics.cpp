// Everything written is a count or a setting; ratios are for whoever reads it.
#include "api/Statistics.h"
#include "graph/GraphReport.h"
#include "process/Message.h"
#include "process/OutputFile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

namespace {
struct CounterInfo {
  const char *name, *unit, *description;
  uint64_t Counters::*value;
};

const CounterInfo counterInfos[] = {
#define CILK2GPU_COUNTER(name, combine, unit, description) {#name, unit, description, &Counters::name},
#include "core/Counters.def"
#undef CILK2GPU_COUNTER
};

struct ModelCounterInfo {
  const char *name, *unit, *description;
  uint64_t ModelCounters::*value;
};

const ModelCounterInfo modelCounterInfos[] = {
#define CILK2GPU_MODEL_COUNTER(name, unit, description) {#name, unit, description, &ModelCounters::name},
#include "executors/model/ModelCounters.def"
#undef CILK2GPU_MODEL_COUNTER
};

struct FirmwareCounterInfo {
  const char *name, *description;
  uint64_t FirmwareCounters::*value;
};

const FirmwareCounterInfo firmwareCounterInfos[] = {
#define CILK2GPU_FIRMWARE_COUNTER(name, description) {#name, description, &FirmwareCounters::name},
#include "firmware/FirmwareCounters.def"
#undef CILK2GPU_FIRMWARE_COUNTER
};

struct GraphCounterInfo {
  const char *name, *unit, *description;
  uint64_t GraphCounters::*value;
};

const GraphCounterInfo graphCounterInfos[] = {
#define CILK2GPU_GRAPH_COUNTER(name, unit, description) {#name, unit, description, &GraphCounters::name},
#include "graph/GraphCounters.def"
#undef CILK2GPU_GRAPH_COUNTER
};

/// A counter as it is written, whatever it belongs to.
using CounterWriter = void (*)(FILE *out, bool isFirst, const char *name, uint64_t value, const char *unit,
                               const char *description);
} // namespace

static unsigned long long wide(uint64_t value) { return value; }

static void writeString(FILE *out, const char *text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

/// Whose vectors the kernel's lanes run in, as CILK2GPU_KERNELS calls them.
static const char *vectorsOf(const KernelInfo &kernel) {
  for (const abi::IsaName &entry : abi::kIsaNames)
    if (entry.isa == kernel.isa)
      return entry.name;
  return "none";
}

static void writeJsonTask(FILE *out, const TaskInfo &task, const Engine &engine) {
  fputs("    {\"name\": ", out);
  writeString(out, task.name);
  fputs(", \"location\": ", out);
  writeString(out, task.location);
  fputs(", \"kernels\": [", out);
  for (uint32_t k = 0; k < task.numKernels; ++k) {
    KernelCounters counters = engine.kernelCounters(task, k);
    fputs(k ? ",\n      {\"name\": " : "\n      {\"name\": ", out);
    writeString(out, task.kernels[k].name);
    if (engine.kind() == Device::Native)
      fprintf(out, ", \"vectors\": \"%s\"", vectorsOf(task.kernels[k]));
    fprintf(out, ", \"lanes\": %llu, \"wavefronts\": %llu, \"restarted_lanes\": %llu, \"restarted_wavefronts\": %llu}",
            wide(counters.lanes), wide(counters.wavefronts), wide(counters.restartedLanes),
            wide(counters.restartedWavefronts));
  }
  fputs("]", out);
  if (const ChannelOccupancy *occupancy = engine.modelled() ? engine.modelled()->occupancy(task) : nullptr)
    fprintf(out, ",\n      \"channel\": {\"elements_high_water\": %llu, \"element_cycles\": %llu}",
            wide(occupancy->most), wide(occupancy->integral));
  fputs("}", out);
}

static void writeCounters(FILE *out, CounterWriter write, const TaskTable &tasks, const Engine &engine) {
  Counters counters = engine.counters(tasks);
  for (const CounterInfo &info : counterInfos)
    write(out, &info == counterInfos, info.name, counters.*info.value, info.unit, info.description);
  if (const Model *model = engine.modelled()) {
    ModelCounters modelled = model->modelCounters();
    for (const ModelCounterInfo &info : modelCounterInfos)
      write(out, false, info.name, modelled.*info.value, info.unit, info.description);
  }
  if (const ControlProcessor *processor = engine.controlProcessor())
    for (const FirmwareCounterInfo &info : firmwareCounterInfos)
      write(out, false, info.name, processor->counters().*info.value, "instructions", info.description);
}

static void writeJsonCounter(FILE *out, bool isFirst, const char *name, uint64_t value, const char *unit,
                             const char *description) {
  fprintf(out, "%s    \"%s\": {\"value\": %llu, \"unit\": \"%s\", \"description\": \"%s\"}", isFirst ? "\n" : ",\n",
          name, wide(value), unit, description);
}

static void writeTextCounter(FILE *out, bool, const char *name, uint64_t value, const char *unit,
                             const char *description) {
  fprintf(out, "%-22s %16llu %-10s  %s\n", name, wide(value), unit, description);
}

static void writeJsonGraph(FILE *out, const GraphReport &graph) {
  fprintf(out,
          "{\"wave\": %u, \"cus\": %u, \"schedule\": \"%s\", \"progress\": \"%s\", \"seed\": %llu, "
          "\"done_count\": %u,\n  \"counters\": {",
          graph.wave, graph.machine.shape.cus, scheduleName(graph.machine.schedule),
          progressName(graph.machine.progress), wide(graph.machine.seed), graph.doneCount);
  for (const GraphCounterInfo &info : graphCounterInfos)
    writeJsonCounter(out, &info == graphCounterInfos, info.name, graph.counters.*info.value, info.unit,
                     info.description);
  fputs("\n  },\n  \"channels\": [", out);
  for (const ChannelReport *channel = graph.channels; channel; channel = channel->next)
    fprintf(out,
            "%s    {\"id\": %d, \"stack\": %s, \"width\": %llu, \"element_bytes\": %llu, \"levels\": %llu, "
            "\"elements\": %llu, \"elements_high_water\": %llu, \"element_cycles\": %llu}",
            channel == graph.channels ? "\n" : ",\n", channel->id, channel->isStack ? "true" : "false",
            wide(channel->width), wide(channel->elementBytes), wide(channel->levels), wide(channel->elements),
            wide(channel->occupancy.most), wide(channel->occupancy.integral));
  fputs("\n  ]}", out);
}

/// Member "graphs" of the whole, if there are any.
static void writeJsonGraphs(FILE *out) {
  fputs("  \"graphs\": [", out);
  for (const GraphReport *graph = graphReports; graph; graph = graph->next) {
    fputs(graph == graphReports ? "\n  " : ",\n  ", out);
    writeJsonGraph(out, *graph);
  }
  fputs("\n  ]\n", out);
}

static void writeTextGraphs(FILE *out) {
  unsigned number = 0;
  for (const GraphReport *graph = graphReports; graph; graph = graph->next) {
    fprintf(out, "%-22s %16u\n%-22s %16u lanes\n%-22s %16u compute units\n%-22s %16s\n%-22s %16llu\n", "graph",
            number++, "wave", graph->wave, "cus", graph->machine.shape.cus, "schedule",
            scheduleName(graph->machine.schedule), "seed", wide(graph->machine.seed));
    for (const GraphCounterInfo &info : graphCounterInfos)
      writeTextCounter(out, false, info.name, graph->counters.*info.value, info.unit, info.description);
    fprintf(out, "\n%-22s %16s %14s %16s %14s\n", "channel", "width", "levels", "elements", "most at once");
    for (const ChannelReport *channel = graph->channels; channel; channel = channel->next)
      fprintf(out, "%-22s %16llu %14llu %16llu %14llu\n", channel->name, wide(channel->width), wide(channel->levels),
              wide(channel->elements), wide(channel->occupancy.most));
    fputs("\n", out);
  }
}

static void writeJsonModel(FILE *out, const Settings &settings) {
  fprintf(out,
          "  \"cus\": %u,\n  \"schedule\": \"%s\",\n  \"progress\": \"%s\",\n  \"seed\": %llu,\n"
          "  \"done_count\": %u,\n",
          settings.cus, scheduleName(settings.schedule), progressName(settings.progress), wide(settings.seed),
          settings.doneCount);
}

static void writeTextModel(FILE *out, const Settings &settings) {
  fprintf(out, "%-22s %16u compute units\n%-22s %16s\n%-22s %16s\n%-22s %16llu\n%-22s %16u elements\n", "cus",
          settings.cus, "schedule", scheduleName(settings.schedule), "progress", progressName(settings.progress),
          "seed", wide(settings.seed), "done_count", settings.doneCount);
}

/// Whether the program has hand-written graphs and no compiled ones.
static bool isGraphsOnly(const TaskTable &tasks) { return graphReports && !tasks.first(); }

static void writeJsonGpu(FILE *out, const device::Gpu &gpu) {
  fputs("  \"device_name\": ", out);
  writeString(out, gpu.facts().name);
  fputs(",\n  \"device_arch\": ", out);
  writeString(out, gpu.facts().arch);
  fputs(",\n  \"image_arch\": ", out);
  writeString(out, gpu.imageArch());
  fprintf(out, ",\n  \"driver_version\": %d,\n  \"host_memory\": \"%s\",\n", gpu.driverVersion(),
          gpu.facts().pageable ? "pageable" : "registered");
}

static void writeTextGpu(FILE *out, const device::Gpu &gpu) {
  fprintf(out, "%-22s %16s\n%-22s %16s\n%-22s %16s\n%-22s %16d\n%-22s %16s\n", "device_name", gpu.facts().name,
          "device_arch", gpu.facts().arch, "image_arch", gpu.imageArch(), "driver_version", gpu.driverVersion(),
          "host_memory", gpu.facts().pageable ? "pageable" : "registered");
}

static void writeJson(FILE *out, const Settings &settings, const TaskTable &tasks, const Engine &engine) {
  if (isGraphsOnly(tasks)) {
    fputs("{\n", out);
    writeJsonGraphs(out);
    fputs("}\n", out);
    return;
  }
  fprintf(out,
          "{\n  \"device\": \"%s\",\n  \"workers\": %u,\n  \"wave\": %u,\n  \"width\": %llu,\n  \"policy\": \"%s\",\n",
          deviceName(engine.kind()), engine.workers(), engine.limits().wave, wide(engine.limits().width),
          policyOf(engine.limits().policy).name);
  if (const device::Gpu *gpu = engine.gpu())
    writeJsonGpu(out, *gpu);
  if (engine.modelled())
    writeJsonModel(out, settings);
  fputs("  \"counters\": {", out);
  writeCounters(out, writeJsonCounter, tasks, engine);
  fputs("\n  },\n  \"tasks\": [", out);
  for (const TaskInfo *task = tasks.first(); task; task = task->next) {
    fputs(task == tasks.first() ? "\n" : ",\n", out);
    writeJsonTask(out, *task, engine);
  }
  fputs(graphReports ? "\n  ],\n" : "\n  ]\n", out);
  if (graphReports)
    writeJsonGraphs(out);
  fputs("}\n", out);
}

static void writeText(FILE *out, const Settings &settings, const TaskTable &tasks, const Engine &engine) {
  writeTextGraphs(out);
  if (isGraphsOnly(tasks))
    return;
  fprintf(out, "%-22s %16s\n%-22s %16u threads\n%-22s %16u lanes\n%-22s %16llu elements\n%-22s %16s\n", "device",
          deviceName(engine.kind()), "workers", engine.workers(), "wave", engine.limits().wave, "width",
          wide(engine.limits().width), "policy", policyOf(engine.limits().policy).name);
  if (const device::Gpu *gpu = engine.gpu())
    writeTextGpu(out, *gpu);
  if (engine.modelled())
    writeTextModel(out, settings);
  writeCounters(out, writeTextCounter, tasks, engine);
  fprintf(out, "\n%-40s %16s %14s %16s %14s %10s\n", "kernel", "lanes", "wavefronts", "restarted lanes", "wavefronts",
          engine.kind() == Device::Native ? "vectors" : "");
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    for (uint32_t k = 0; k < task->numKernels; ++k) {
      KernelCounters kernel = engine.kernelCounters(*task, k);
      fprintf(out, "%-40s %16llu %14llu %16llu %14llu %10s\n",
              task->kernels[k].name ? task->kernels[k].name : task->name, wide(kernel.lanes), wide(kernel.wavefronts),
              wide(kernel.restartedLanes), wide(kernel.restartedWavefronts),
              engine.kind() == Device::Native ? vectorsOf(task->kernels[k]) : "");
    }
}

static bool endsIn(const char *text, const char *suffix) {
  size_t length = strlen(text), suffixLength = strlen(suffix);
  return length >= suffixLength && !strcmp(text + length - suffixLength, suffix);
}

static bool endsInJson(const Settings &settings) { return endsIn(settings.statistics, ".json"); }

namespace {
struct Subject {
  const Settings &settings;
  const TaskTable &tasks;
  const Engine &engine;
};
} // namespace

bool writeStatistics(const Settings &settings, const TaskTable &tasks, const Engine &engine) {
  Subject subject = {settings, tasks, engine};
  auto write = [](FILE *out, const void *context) {
    const Subject &subject = *static_cast<const Subject *>(context);
    (endsInJson(subject.settings) ? writeJson : writeText)(out, subject.settings, subject.tasks, subject.engine);
  };
  if (writeOutput(settings.statistics, write, &subject))
    return true;
  warning("statistics could not be written to %s (CILK2GPU_STATS): %s", settings.statistics, strerror(errno));
  return false;
}

} // namespace cilk2gpu::rt
