// One table says which variables there are, what they allow and where their values go.
#include "host/Settings.h"
#include "Tunables.h"
#include "host/Message.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

namespace cilk2gpu::rt {

static Settings current = {
    Device::Native, {tunables::kDefaultWave, tunables::kDefaultWidth, tunables::kDefaultLevelBytes}, false, 1, nullptr};

const char *deviceName(Device device) { return device == Device::Serial ? "serial" : "native"; }

/// Reads a decimal number in [1, most].
static bool parseNumber(const char *text, uint64_t most, uint64_t &result) {
  if (!*text || strlen(text) > 19 || text[strspn(text, "0123456789")])
    return false;
  result = strtoull(text, nullptr, 10);
  return result >= 1 && result <= most;
}

static bool parseDevice(const char *text) {
  bool serial = !strcmp(text, "serial");
  current.device = serial ? Device::Serial : Device::Native;
  return serial || !strcmp(text, "native");
}

static bool parseKernels(const char *text) {
  current.scalarKernels = !strcmp(text, "scalar");
  return current.scalarKernels || !strcmp(text, "simd");
}

static bool parseWave(const char *text) {
  uint64_t value = 0;
  bool valid = parseNumber(text, abi::kMaxWave, value);
  current.limits.wave = uint32_t(value);
  return valid;
}

/// A width that is asked for is what every task gets.
static bool parseWidth(const char *text) {
  current.limits.levelBytes = 0;
  return parseNumber(text, tunables::kMaxWidth, current.limits.width);
}

static bool parseWorkers(const char *text) {
  uint64_t value = 0;
  bool valid = parseNumber(text, tunables::kMaxWorkers, value);
  current.workers = uint32_t(value);
  return valid;
}

/// The program may change its directory before the file is written: a relative name is completed now.
static bool parseStatistics(const char *text) {
  if (!*text)
    return false;
  char *directory = *text == '/' || !strcmp(text, "-") ? nullptr : getcwd(nullptr, 0);
  size_t length = strlen(text) + (directory ? strlen(directory) + 1 : 0) + 1;
  char *path = static_cast<char *>(malloc(length));
  if (!path)
    fatal("out of memory: %zu bytes for settings could not be allocated", length);
  snprintf(path, length, "%s%s%s", directory ? directory : "", directory ? "/" : "", text);
  free(directory);
  current.statistics = path;
  return true;
}

struct Variable {
  const char *name;
  bool (*parse)(const char *text);
  const char *allowed;
};

static const Variable variables[] = {
    {"CILK2GPU_DEVICE", parseDevice, "native, serial"},
    {"CILK2GPU_KERNELS", parseKernels, "simd, scalar"},
    {"CILK2GPU_WAVE", parseWave, "1 to 64 lanes"},
    {"CILK2GPU_WIDTH", parseWidth, "1 to 2147483648 elements"},
    {"CILK2GPU_WORKERS", parseWorkers, "1 to 1024 threads"},
    {"CILK2GPU_STATS", parseStatistics, "a file name (.json for JSON, else text), or - for stderr"},
};

static uint32_t availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return uint32_t(CPU_COUNT(&set));
  // More CPUs than a cpu_set_t holds.
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : uint32_t(online);
}

static void readVariable(const char *entry) {
  static const char prefix[] = "CILK2GPU_";
  const char *equals = strchr(entry, '=');
  if (strncmp(entry, prefix, sizeof prefix - 1) || !equals)
    return;
  size_t length = size_t(equals - entry);
  for (const Variable &variable : variables) {
    if (strlen(variable.name) != length || strncmp(variable.name, entry, length))
      continue;
    if (!variable.parse(equals + 1))
      fatal("%s=%s is not valid; allowed: %s", variable.name, equals + 1, variable.allowed);
    return;
  }
  warning("the environment variable %.*s is not known and has no effect", int(length), entry);
}

static void readEnvironment() {
  uint32_t cpus = availableCpus();
  current.workers = cpus < tunables::kMaxWorkers ? cpus : tunables::kMaxWorkers;
  for (char **entry = environ; entry && *entry; ++entry)
    readVariable(*entry);
}

const Settings &settings() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readEnvironment);
  return current;
}

} // namespace cilk2gpu::rt
