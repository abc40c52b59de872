// Reads the variables. The table Variables.def has their names, their allowed values and the functions that read them.
#include "process/Settings.h"
#include "process/CheckSetting.h"
#include "process/Message.h"
#include "process/NameList.h"
#include "process/PolicyChoice.h"
#include "process/Privileges.h"
#include "process/VariableNames.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

namespace cilk2gpu::rt {

static Settings current;

// Names of enumerators, in their order.
static const char *const elisions[] = {"auto", "never", "always"};
static const char *const schedules[] = {"rr", "random", "adversarial"};
static const char *const progressModels[] = {"fair", "occupancy"};
static const char *const reservations[] = {"wave", "lane"};
static const char *const blockVersions[] = {"global", "cdp", "deplinks", "lrr", "lvl"};
static const char *const aggregators[] = {"host", "persistent"};
static const char *const blockLaunches[] = {"persistent", "levels", "graph"};

const char *scheduleName(Schedule schedule) { return schedules[unsigned(schedule)]; }
const char *blockVersionName(BlockVersion version) { return blockVersions[unsigned(version)]; }
const char *aggregatorName(AggregatorPlace place) { return aggregators[unsigned(place)]; }
const char *progressName(ProgressModel progress) { return progressModels[unsigned(progress)]; }

template <typename T, unsigned N> static bool parseName(const char *text, const char *const (&names)[N], T &result) {
  for (unsigned i = 0; i < N; ++i)
    if (!strcmp(text, names[i])) {
      result = T(i);
      return true;
    }
  return false;
}

/// Reads a decimal number in [1, most].
static bool parseNumber(const char *text, uint64_t most, uint64_t &result) {
  if (!*text || strlen(text) > 19 || text[strspn(text, "0123456789")])
    return false;
  result = strtoull(text, nullptr, 10);
  return result >= 1 && result <= most;
}

static bool parseNumber(const char *text, uint32_t most, uint32_t &result) {
  uint64_t value = 0;
  bool valid = parseNumber(text, uint64_t(most), value);
  result = uint32_t(value);
  return valid;
}

static bool parseDevice(const char *text) {
  for (const DeviceTraits &traits : kDevices)
    if (!strcmp(text, traits.name)) {
      current.device = traits.device;
      return current.deviceGiven = true;
    }
  return false;
}

static bool parseKernels(const char *text) {
  bool any = !strcmp(text, "simd");
  if (any || !strcmp(text, "scalar")) {
    current.isas = any ? ~uint32_t(0) : 0;
    return true;
  }
  for (const abi::IsaName &entry : abi::kIsaNames)
    if (!strcmp(text, entry.name)) {
      current.isas = 1u << uint32_t(entry.isa);
      return true;
    }
  return false;
}

static bool parsePolicy(const char *text) { return (current.policy = findPolicy(text)); }

static bool parseElide(const char *text) { return parseName(text, elisions, current.limits.elide); }

static bool parseSchedule(const char *text) {
  static const TaskOrder orders[] = {TaskOrder::Given, TaskOrder::Shuffled, TaskOrder::Reversed};
  bool valid = parseName(text, schedules, current.schedule);
  current.limits.order = orders[unsigned(current.schedule)];
  return valid;
}
static bool parseProgress(const char *text) { return parseName(text, progressModels, current.progress); }
static bool parseReserve(const char *text) { return parseName(text, reservations, current.reservePerLane); }
static bool parseAggregator(const char *text) { return parseName(text, aggregators, current.aggregator); }
static bool parseBlocks(const char *text) { return parseName(text, blockLaunches, current.blocks); }
static bool parseWave(const char *text) {
  current.waveGiven = true;
  return parseNumber(text, abi::kMaxWave, current.limits.wave);
}
static bool parseWorkers(const char *text) {
  current.workersGiven = true;
  return parseNumber(text, tunables::kMaxWorkers, current.workers);
}
static bool parseCus(const char *text) {
  current.cusGiven = true;
  return parseNumber(text, tunables::kMaxCus, current.cus);
}
/// The value has parts, so the message names the one that is wrong.
static bool parseDgb(const char *text) {
  char message[320];
  if (!parseDgbSetting(text, current.dgb, message, sizeof message))
    fatal("CILK2GPU_DGB=%s is not valid: %s", text, message);
  return true;
}
static bool parseBlockVersion(const char *text) { return parseName(text, blockVersions, current.blockVersion); }
static bool parseDoneCount(const char *text) { return parseNumber(text, tunables::kMaxDoneCount, current.doneCount); }
static bool parseTimeout(const char *text) { return parseNumber(text, ~uint64_t(0) >> 1, current.timeout); }
static bool parseProgressLine(const char *text) {
  return parseNumber(text, tunables::kMaxWatchdog, current.progressLine);
}
static bool parseReportOn(const char *text) {
  bool isFirst = !strcmp(text, "SIGUSR1");
  current.reportSignal = isFirst ? SIGUSR1 : SIGUSR2;
  return isFirst || !strcmp(text, "SIGUSR2");
}
static bool parseWatchdog(const char *text) { return parseNumber(text, tunables::kMaxWatchdog, current.watchdog); }

/// Reads a number as parseNumber does, which may be 0.
static bool parseCount(const char *text, uint64_t most, uint64_t &result) {
  size_t length = strlen(text);
  if (length && length <= 19 && strspn(text, "0") == length) {
    result = 0;
    return true;
  }
  return parseNumber(text, most, result);
}

static bool parseSteps(const char *text) {
  current.stepsGiven = true;
  return parseCount(text, ~uint64_t(0) >> 1, current.steps);
}

/// The check has begun before the settings are read (check/RaceCheck.h), so only the value is checked.
static bool parseCheck(const char *text) { return schedulesOf(text); }

static bool parseSeed(const char *text) {
  bool valid = parseCount(text, ~uint64_t(0) >> 1, current.seed);
  current.limits.seed = current.seed;
  return valid;
}

/// Reads a number of bytes. K, M and G stand for 1024, 1024^2 and 1024^3 bytes.
static bool parseBytes(const char *text, uint64_t &result) {
  char digits[24];
  size_t length = strlen(text);
  unsigned shift = 0;
  if (const char *unit = length ? strchr("KMG", text[length - 1]) : nullptr) {
    shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : 30;
    --length;
  }
  if (length >= sizeof digits)
    return false;
  memcpy(digits, text, length);
  digits[length] = 0;
  uint64_t value = 0;
  bool valid = parseNumber(digits, (~uint64_t(0) >> 1) >> shift, value);
  result = value << shift;
  return valid;
}

static bool parseMemoryCap(const char *text) { return parseBytes(text, current.memoryCap); }
static bool parseDeviceStack(const char *text) {
  return parseBytes(text, current.deviceStack) && current.deviceStack <= tunables::kMaxDeviceStack;
}

/// Reads the name of a library for the dynamic linker: a path, or a name to search for.
static bool parseHipLibrary(const char *text) { return *(current.hipLibrary = text); }
static bool parseCudaLibrary(const char *text) { return *(current.cudaLibrary = text); }

/// Reads the width. Every task gets this width, whatever the size of its frames.
static bool parseWidth(const char *text) {
  current.limits.levelBytes = 0;
  current.widthGiven = current.limits.isWidthGiven = true;
  return parseNumber(text, tunables::kMaxWidth, current.limits.width);
}

/// Reads a file name. A relative name is made absolute now, because the program may change its directory before the
/// file is written.
static bool parsePath(const char *text, const char *&result) {
  if (!*text)
    return false;
  char *directory = *text == '/' || !strcmp(text, "-") ? nullptr : getcwd(nullptr, 0);
  size_t length = strlen(text) + (directory ? strlen(directory) + 1 : 0) + 1;
  char *path = static_cast<char *>(malloc(length));
  if (!path)
    fatal("out of memory: %zu bytes for settings could not be allocated", length);
  snprintf(path, length, "%s%s%s", directory ? directory : "", directory ? "/" : "", text);
  free(directory);
  result = path;
  return true;
}

static bool parseStatistics(const char *text) { return parsePath(text, current.statistics); }
static bool parseTrace(const char *text) { return parsePath(text, current.trace); }
static bool parseBlockGraphs(const char *text) { return parsePath(text, current.blockGraphs); }
static bool parseFirmware(const char *text) { return parsePath(text, current.firmware); }
static bool parseUnicornLibrary(const char *text) { return *(current.unicornLibrary = text); }

/// Returns the names that CILK2GPU_DEVICE may have.
static const char *deviceNames() {
  static NameList names;
  for (const DeviceTraits &traits : kDevices)
    names.add(traits.name);
  return names.text;
}

/// What a variable's value may name.
enum class Named : uint8_t {
  Nothing,
  File, ///< a file or a library, which a privileged program must not take from its user
  Runs, ///< how often the program runs, which the user of a privileged program must not choose
};

/// The text about the allowed values, or a function that returns it.
struct Allowed {
  const char *fixed = nullptr;
  const char *(*names)(void) = nullptr;

  constexpr Allowed(const char *fixed) : fixed(fixed) {}
  constexpr Allowed(const char *(*names)(void)) : names(names) {}
  const char *text() const { return fixed ? fixed : names(); }
};

struct Variable {
  const char *name;
  Named named;
  bool (*parse)(const char *text);
  Allowed allowed;
};

static const Variable variables[] = {
#define CILK2GPU_VARIABLE(name, value, help, named, parse, allowed) {"CILK2GPU_" #name, Named::named, parse, allowed},
#include "process/Variables.def"
};

/// Values of the variables that were set, as in `variables`; null: not set.
static const char *given[sizeof variables / sizeof *variables];
static const char *givenOpenCilkWorkers;

void visitGivenSettings(void (*visit)(void *context, const char *name, const char *value), void *context) {
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i)
    if (given[i])
      visit(context, variables[i].name, given[i]);
  if (givenOpenCilkWorkers)
    visit(context, kOpenCilkWorkers, givenOpenCilkWorkers);
}

static uint32_t availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return uint32_t(CPU_COUNT(&set));
  // sched_getaffinity failed, because the machine has more CPUs than a cpu_set_t holds.
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : uint32_t(online);
}

static void applyVariable(const Variable &variable, const char *text) {
  if (variable.named == Named::File && isPrivileged())
    return warning("%s " CILK2GPU_NAMES_FILE, variable.name);
  if (variable.named == Named::Runs && isPrivileged())
    return warning("%s is ignored: it runs the program several times, and this program has more rights than its user "
                   "(setuid, setgid or capabilities); unset it, or run a program without such rights",
                   variable.name);
  if (!variable.parse(text))
    fatal("%s=%s is not valid; allowed: %s", variable.name, text, variable.allowed.text());
  given[&variable - variables] = text;
}

/// Reads `entry`, which has the form NAME=VALUE, if the table has its name.
static void readVariable(const char *entry) {
  for (const Variable &variable : variables) {
    size_t length = strlen(variable.name);
    if (!strncmp(variable.name, entry, length) && entry[length] == '=')
      return applyVariable(variable, entry + length + 1);
  }
}

/// Reads OpenCilk's variable. Zero stands for OpenCilk's default. On GPUs, where the workers are wavefronts, the
/// variable has no effect.
static void readOpenCilkWorkers() {
  const char *text = getenv(kOpenCilkWorkers);
  if (!text || current.workersGiven || !strcmp(text, "0"))
    return;
  if (!parseNumber(text, tunables::kMaxWorkers, current.workers))
    fatal("CILK_NWORKERS=%s is not valid; allowed: 1 to %u threads, or 0 for one thread on each CPU that the process "
          "may use",
          text, tunables::kMaxWorkers);
  givenOpenCilkWorkers = text;
}

/// Makes the other settings fit CILK2GPU_STEPS: the choices are those of one thread.
static void applySteps() {
  if (current.device != Device::Native && current.device != Device::Serial)
    fatal("CILK2GPU_STEPS chooses the order of tasks on this CPU, but CILK2GPU_DEVICE is %s; allowed: native, serial",
          traitsOf(current.device).name);
  current.deviceGiven = true;
  current.workers = 1;
  current.limits.order = TaskOrder::Stepped;
  if (!current.limits.isWidthGiven)
    current.limits.width = tunables::kSteppedWidth;
}

static void readEnvironment() {
  uint32_t cpus = availableCpus();
  current.workers = cpus < tunables::kMaxWorkers ? cpus : tunables::kMaxWorkers;
  for (char **entry = environ; entry && *entry; ++entry)
    readVariable(*entry);
  warnOfUnknownVariables();
  readOpenCilkWorkers();
  // A watchdog does not see the progress of elisions.
  if (current.watchdog && current.limits.elide == Elide::Cheaper)
    current.limits.elide = Elide::Never;
  if (current.stepsGiven)
    applySteps();
}

const Settings &settings() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readEnvironment);
  return current;
}

} // namespace cilk2gpu::rt
