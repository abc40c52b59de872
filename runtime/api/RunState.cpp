// See RunState.h.
#include "api/RunState.h"
#include "api/Quantity.h"
#include "blocks/BlockObserver.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"

#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

static uint64_t runningSince; ///< time at which the run began; 0: no run is under way; atomic

// Relaxed: an old value only makes a line older.
void noteRun(const Settings &settings, bool isRunning) {
  if (settings.progressLine || settings.reportSignal)
    __atomic_store_n(&runningSince, isRunning ? hostClock() : 0, __ATOMIC_RELAXED);
}

namespace {

/// The text of a line, which grows by parts. Parts that do not fit are cut off.
class Line {
public:
  template <typename... Values> void add(const char *format, Values... values) {
    int room = int(sizeof text) - length;
    int needed = snprintf(text + length, size_t(room), format, values...);
    length += needed < room ? needed : room - 1;
  }
  char text[400] = "";

private:
  int length = 0;
};

} // namespace

/// Adds the tasks, and how many of them ran in each second since the last line.
static void addTasks(Line &line, const Counters &counters) {
  static uint64_t lastTime, lastTasks;
  uint64_t now = hostClock(), tasks = counters.tasks + counters.elided;
  line.add("%s so far", counted(tasks, "task").text);
  if (lastTime && now > lastTime)
    line.add(" (%s per second)", grouped(uint64_t(double(tasks - lastTasks) * 1e9 / double(now - lastTime))).text);
  lastTime = now;
  lastTasks = tasks;
}

/// Writes the line. `since` is the time at which the run began.
static void writeLine(const TaskTable &tasks, const Engine &engine, uint64_t since) {
  const Executor &executor = engine.executor();
  Line line;
  line.add("the run has taken %s", duration(hostClock() - since).text);
  if (!executor.isReadable()) {
    note("%s; its state cannot be read before it ends", line.text);
    return;
  }
  const Counters counters = engine.counters(tasks, /*mayRun=*/true);
  line.add("; ");
  addTasks(line, counters);
  uint64_t lanes = counters.tasks + counters.post_sync_lanes;
  if (counters.wavefronts)
    line.add(", lanes %u %% full",
             unsigned(100.0 * double(lanes) / (double(counters.wavefronts) * executor.limits().wave) + 0.5));
  if (counters.elided)
    line.add(", %s", counted(counters.elided, "elision").text);
  line.add(", %s", counted(counters.levels, "level").text);
  line.add(", %s", bytes(counters.memory_high_water).text);
  note("%s", line.text);
}

void writeProgressLine(const TaskTable &tasks, const Engine &engine) {
  if (uint64_t since = __atomic_load_n(&runningSince, __ATOMIC_RELAXED))
    writeLine(tasks, engine, since);
}

static void reportLine(void *, const char *text) { note("%s", text); }

void writeRunState(const TaskTable &tasks, Engine &engine) {
  uint64_t since = __atomic_load_n(&runningSince, __ATOMIC_RELAXED);
  uint32_t launches = observedLaunches();
  if (since) {
    writeLine(tasks, engine, since);
    if (engine.executor().isReadable())
      engine.executor().report(reportLine, nullptr);
  }
  if (launches) {
    note("thread blocks that run:");
    reportRunningBlocks(reportLine, nullptr);
  }
  if (!since && !launches)
    note("no run is under way%s", settings().device == Device::Serial
                                      ? "; with CILK2GPU_DEVICE=serial, functions run as their serial elisions, which "
                                        "have no state"
                                      : "");
}

} // namespace cilk2gpu::rt
