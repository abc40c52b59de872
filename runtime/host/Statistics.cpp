// Everything written is a count or a setting; ratios are for whoever reads it.
#include "host/Statistics.h"
#include "host/Message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::rt {

namespace {
struct CounterInfo {
  const char *name, *unit, *description;
  uint64_t Counters::*value;
};

const CounterInfo counterInfos[] = {
#define CILK2GPU_COUNTER(name, combine, unit, description) {#name, unit, description, &Counters::name},
#include "aggregator/Counters.def"
#undef CILK2GPU_COUNTER
};
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

static void writeJsonTask(FILE *out, const TaskInfo &task, const WorkerPool &pool) {
  fputs("    {\"name\": ", out);
  writeString(out, task.name);
  fputs(", \"location\": ", out);
  writeString(out, task.location);
  fputs(", \"kernels\": [", out);
  for (uint32_t k = 0; k < task.numKernels; ++k) {
    KernelCounters counters = pool.kernelCounters(task, k);
    fputs(k ? ",\n      {\"name\": " : "\n      {\"name\": ", out);
    writeString(out, task.kernels[k].name);
    fprintf(out, ", \"lanes\": %llu, \"wavefronts\": %llu, \"restarted_lanes\": %llu, \"restarted_wavefronts\": %llu}",
            wide(counters.lanes), wide(counters.wavefronts), wide(counters.restartedLanes),
            wide(counters.restartedWavefronts));
  }
  fputs("]}", out);
}

static void writeJson(FILE *out, const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  Counters counters = pool.counters(tasks);
  fprintf(out, "{\n  \"device\": \"%s\",\n  \"workers\": %u,\n  \"wave\": %u,\n  \"width\": %llu,\n  \"counters\": {",
          deviceName(settings.device), pool.size(), settings.limits.wave, wide(settings.limits.width));
  const char *separator = "\n";
  for (const CounterInfo &info : counterInfos) {
    fprintf(out, "%s    \"%s\": {\"value\": %llu, \"unit\": \"%s\", \"description\": \"%s\"}", separator, info.name,
            wide(counters.*info.value), info.unit, info.description);
    separator = ",\n";
  }
  fputs("\n  },\n  \"tasks\": [", out);
  for (const TaskInfo *task = tasks.first(); task; task = task->next) {
    fputs(task == tasks.first() ? "\n" : ",\n", out);
    writeJsonTask(out, *task, pool);
  }
  fputs("\n  ]\n}\n", out);
}

static void writeText(FILE *out, const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  Counters counters = pool.counters(tasks);
  fprintf(out, "%-22s %16s\n%-22s %16u threads\n%-22s %16u lanes\n%-22s %16llu elements\n", "device",
          deviceName(settings.device), "workers", pool.size(), "wave", settings.limits.wave, "width",
          wide(settings.limits.width));
  for (const CounterInfo &info : counterInfos)
    fprintf(out, "%-22s %16llu %-10s  %s\n", info.name, wide(counters.*info.value), info.unit, info.description);
  fprintf(out, "\n%-40s %16s %14s %16s %14s\n", "kernel", "lanes", "wavefronts", "restarted lanes", "wavefronts");
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    for (uint32_t k = 0; k < task->numKernels; ++k) {
      KernelCounters kernel = pool.kernelCounters(*task, k);
      fprintf(out, "%-40s %16llu %14llu %16llu %14llu\n", task->kernels[k].name ? task->kernels[k].name : task->name,
              wide(kernel.lanes), wide(kernel.wavefronts), wide(kernel.restartedLanes),
              wide(kernel.restartedWavefronts));
    }
}

static bool endsIn(const char *text, const char *suffix) {
  size_t length = strlen(text), suffixLength = strlen(suffix);
  return length >= suffixLength && !strcmp(text + length - suffixLength, suffix);
}

static bool writeTo(FILE *out, const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  bool json = endsIn(settings.statistics, ".json");
  (json ? writeJson : writeText)(out, settings, tasks, pool);
  return fflush(out) == 0 && !ferror(out);
}

/// Devices and pipes are written in place: a rename would put a regular file where they were.
static bool writeInPlace(const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  FILE *out = fopen(settings.statistics, "we");
  bool written = out && writeTo(out, settings, tasks, pool);
  int error = errno;
  if (out && fclose(out) != 0 && written) {
    written = false;
    error = errno;
  }
  errno = error;
  return written;
}

/// Writes a neighbouring file and renames it, so that no reader sees half of it and a failure leaves the old one.
static bool writeFile(const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  size_t length = strlen(settings.statistics) + 32;
  char *temporary = static_cast<char *>(malloc(length));
  if (!temporary)
    return false;
  snprintf(temporary, length, "%s.%ld.tmp", settings.statistics, long(getpid()));
  FILE *out = fopen(temporary, "we");
  bool written = out && writeTo(out, settings, tasks, pool);
  int error = errno;
  if (out && fclose(out) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && rename(temporary, settings.statistics) != 0) {
    written = false;
    error = errno;
  }
  if (out && !written)
    unlink(temporary);
  free(temporary);
  errno = error;
  return written;
}

bool writeStatistics(const Settings &settings, const TaskTable &tasks, const WorkerPool &pool) {
  if (!strcmp(settings.statistics, "-"))
    return writeTo(stderr, settings, tasks, pool);
  struct stat status;
  bool isSpecial = stat(settings.statistics, &status) == 0 && !S_ISREG(status.st_mode);
  if (isSpecial ? writeInPlace(settings, tasks, pool) : writeFile(settings, tasks, pool))
    return true;
  warning("statistics could not be written to %s (CILK2GPU_STATS): %s", settings.statistics, strerror(errno));
  return false;
}

} // namespace cilk2gpu::rt
