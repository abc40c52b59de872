// Calls from ordinary code that take little time run as serial elisions, without the graph (cilk2gpu/abi/EntrySite.h).
//
// Every run of a closed site is timed. After a few short runs, the next calls are elisions, which are timed, too. If
// elisions take less time than runs, the site opens: calls go straight to the elision, and now and then one is timed. A
// long elision closes the site. The more often a site closes, the more short runs are needed before it opens again.
#include "api/Host.h"
#include "cilk2gpu/abi/EntrySite.h"
#include "cilk2gpu/abi/Records.h"
#include "process/DeepStack.h"
#include "process/HostEnvironment.h"
#include "process/Settings.h"
#include "process/StackFaults.h"
#include "process/TaskScope.h"
#include "process/Ticks.h"

using namespace cilk2gpu;
using namespace cilk2gpu::rt;
using abi::EntrySite;

constinit thread_local int32_t __cilk2gpu_direct_calls = 0;

namespace cilk2gpu::rt {
namespace {

/// Nanoseconds of direct calls after which one is timed. Timing takes about 40 ns.
constexpr uint64_t kTimedEvery = 2'000;
/// Direct calls after which one is timed at the latest, on average.
constexpr uint64_t kMostDirectCalls = 64;
/// Nanoseconds below which a run is short. A run takes half a microsecond by itself, and other workers start after 50
/// microseconds. An elision that takes more than twice as long closes its site.
constexpr uint64_t kShortRun = 100'000;
/// Short runs before elisions are tried: at first, and at most.
constexpr uint32_t kFirstShortRuns = 8, kMostShortRuns = 1u << 20;
/// Elisions that are timed before a site stays open.
constexpr uint32_t kTrialElisions = 8;
/// Timed elisions after which half of the short runs suffice.
constexpr uint32_t kForgottenSamples = 64;

enum class Mode : uint8_t {
  Unknown, ///< before the end of the first run
  Graph,   ///< calls run the graph
  Shorter, ///< short calls run as elisions
  Serial   ///< CILK2GPU_DEVICE=serial
};

Mode mode = Mode::Unknown;
uint64_t firstTicks = 0, firstTime = 0; ///< of the first call
uint64_t ticksPerMicrosecond = 0;

template <typename T> T get(const T &field) {
  T value;
  __atomic_load(&field, &value, __ATOMIC_RELAXED);
  return value;
}
template <typename T> void set(T &field, T value) { __atomic_store(&field, &value, __ATOMIC_RELAXED); }

/// Decides the mode, after the first run. Counts, schedules and bounds that the user asks for are those of the graph.
void decideMode() {
  uint64_t elapsed = hostClock() - get(firstTime);
  set(ticksPerMicrosecond, elapsed ? (ticks() - get(firstTicks)) * 1000 / elapsed + 1 : 1000);
  set(mode, mayBypassGraph() ? Mode::Shorter : Mode::Graph);
}

/// Returns a number of direct calls that take about kTimedEvery together. It is random, because several sites may take
/// turns.
int32_t directCalls(uint64_t elided) {
  static thread_local uint32_t random = uint32_t(uintptr_t(&random) >> 4) | 1;
  random ^= random << 13, random ^= random >> 17, random ^= random << 5;
  uint64_t calls = kTimedEvery * get(ticksPerMicrosecond) / 1000 / (elided ? elided : 1);
  calls = calls < 1 ? 1 : calls > kMostDirectCalls ? kMostDirectCalls : calls;
  return int32_t(calls / 2 + random % (calls + 1));
}

void update(uint64_t &average, uint64_t took) {
  uint64_t before = get(average);
  set(average, before ? before - before / 8 + took / 8 : took);
}

void close(EntrySite &site, uint32_t factor) {
  uint64_t needed = uint64_t(get(site.needed)) * factor;
  set(site.open, 0);
  set(site.shortRuns, 0u);
  set(site.trial, 0u);
  set(site.needed, uint32_t(needed < kMostShortRuns ? needed : kMostShortRuns));
  set(site.elided, uint64_t(0));
}

void runEnds(EntrySite &site, uint64_t took) {
  if (get(mode) == Mode::Unknown)
    return decideMode();
  if (get(mode) != Mode::Shorter)
    return;
  if (took > kShortRun * get(ticksPerMicrosecond) / 1000) {
    set(site.shortRuns, 0u);
    return;
  }
  update(site.run, took);
  set(site.shortRuns, get(site.shortRuns) + 1);
  if (!get(site.needed))
    set(site.needed, kFirstShortRuns);
  if (get(site.shortRuns) < get(site.needed))
    return;
  set(site.trial, kTrialElisions);
  set(site.samples, 0u);
  set(site.open, INT32_MAX);
  __cilk2gpu_direct_calls = 0;
}

void elisionEnds(EntrySite &site, uint64_t took) {
  if (took > 2 * kShortRun * get(ticksPerMicrosecond) / 1000) {
    giveBackDeepStack();
    return close(site, 4);
  }
  update(site.elided, took);
  if (uint32_t trial = get(site.trial)) {
    set(site.trial, trial - 1);
    if (trial > 1)
      return;
  }
  if (get(site.elided) > get(site.run))
    return close(site, 8);
  set(site.samples, get(site.samples) + 1);
  if (get(site.samples) % kForgottenSamples == 0 && get(site.needed) > kFirstShortRuns)
    set(site.needed, get(site.needed) / 2);
  __cilk2gpu_direct_calls = directCalls(get(site.elided));
}

/// Returns the token of a call that is the elision because the program runs serially.
uint64_t enterSerial(EntrySite &site) {
  watchThreadStack();
  set(site.open, INT32_MAX);
  __cilk2gpu_direct_calls = INT32_MAX;
  return abi::kEntersElision;
}

uint64_t timedToken(uint64_t flags) { return ticks() << 2 | abi::kIsTimed | flags; }

} // namespace
} // namespace cilk2gpu::rt

extern "C" uint64_t __cilk2gpu_enter(EntrySite *site) {
  if (insideTask())
    return abi::kEntersElision;
  if (get(mode) == Mode::Unknown && settings().device == Device::Serial)
    set(mode, Mode::Serial);
  if (get(mode) == Mode::Serial)
    return enterSerial(*site);
  if (get(site->open) && (!site->isRecursive || reserveDeepStack()))
    return timedToken(abi::kEntersElision);
  if (__cilk2gpu_serial())
    return abi::kEntersElision;
  if (get(mode) == Mode::Graph)
    return 0;
  if (get(mode) == Mode::Unknown && !get(firstTicks)) {
    set(firstTime, hostClock());
    set(firstTicks, ticks());
  }
  return timedToken(0);
}

extern "C" void __cilk2gpu_left(EntrySite *site, uint64_t token) {
  if (!(token & abi::kIsTimed))
    return;
  uint64_t took = ((ticks() << 2) - (token & ~uint64_t(3))) >> 2;
  token &abi::kEntersElision ? elisionEnds(*site, took) : runEnds(*site, took);
}

extern "C" void __cilk2gpu_call_elision(void (*elision)(void *), void *arguments) {
  callOnDeepStack(elision, arguments);
}
