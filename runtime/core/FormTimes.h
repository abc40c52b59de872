// Decides in which form a kernel with vectors runs: in vectors, or lane after lane.
//
// The compiler estimates whether vectors pay. The estimate is wrong for some long kernels: lanes that take different
// paths, gathers that are slow on this machine, wavefronts that are seldom full. So dispatches of kernels whose lanes
// take long are timed now and then in both forms, and the form that takes less time for a lane is used. Short kernels
// stay in vectors, because trials would cost more than they could save.
//
//   FormTimes::Trial trial = times.nextTrial(lanes);    // for one dispatch in kTimedForms
//   ... runs trial.lanes lanes in vectors, or lane after lane if trial.isEach
//   times.note(trial, nanoseconds);
//
// Thread-safety: any thread. The numbers are hints, so all accesses are relaxed. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_FORMTIMES_H
#define CILK2GPU_RUNTIME_CORE_FORMTIMES_H

#include "core/Tunables.h"

namespace cilk2gpu::rt {

class FormTimes {
public:
  /// A dispatch that is timed.
  struct Trial {
    uint64_t lanes; ///< that run
    bool isEach;    ///< lane after lane
  };

  /// Returns whether lanes run one after the other.
  bool prefersEach() const { return __atomic_load_n(&each, __ATOMIC_RELAXED); }

  /// One in this many dispatches is timed: a power of two, because a division takes a part of a short dispatch.
  uint32_t period() const {
    return __atomic_load_n(&isShort, __ATOMIC_RELAXED) ? tunables::kTimedShortForms : tunables::kTimedForms;
  }

  /// Returns how the next dispatch of `lanes` lanes is timed.
  Trial nextTrial(uint64_t lanes);
  /// Notes the time of a trial's lanes, without what they spawned.
  void note(const Trial &trial, uint64_t nanoseconds);

private:
  /// The time of recent lanes in one form.
  struct Recent {
    uint64_t nanoseconds, lanes;
    uint32_t trials;
  };
  static uint64_t get(const uint64_t &value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
  static void set(uint64_t &value, uint64_t to) { __atomic_store_n(&value, to, __ATOMIC_RELAXED); }
  static uint64_t credible(const Recent &recent, uint64_t lanes, uint64_t nanoseconds);
  void decide();

  Recent recent[2]; ///< [0]: in vectors, [1]: lane after lane
  uint64_t wait;    ///< lanes that are timed in the chosen form before the other form has its next trial
  bool each;        ///< the choice
  bool isShort;     ///< lanes in vectors take less than kLongLane
};

inline FormTimes::Trial FormTimes::nextTrial(uint64_t lanes) {
  using namespace tunables;
  bool chosen = prefersEach();
  bool isKnown = __atomic_load_n(&recent[0].trials, __ATOMIC_RELAXED) >= kFormTrials;
  if (!isKnown || __atomic_load_n(&isShort, __ATOMIC_RELAXED))
    return {lanes, false};
  // Between two trials of the other form, the chosen form is timed at least once, however many lanes a dispatch has.
  if (uint64_t left = get(wait)) {
    set(wait, left - (left < lanes ? left : lanes));
    return {lanes, chosen};
  }
  uint64_t most = chosen || lanes < kFormTrialLanes ? lanes : kFormTrialLanes;
  return {most, !chosen};
}

/// Returns the time that counts: at most kFormOutlier times the average, because another program may have had the
/// processor for the rest.
inline uint64_t FormTimes::credible(const Recent &recent, uint64_t lanes, uint64_t nanoseconds) {
  uint64_t of = get(recent.lanes); // 0 if another thread is noting the first trial
  if (!of || recent.trials < tunables::kFormTrials)
    return nanoseconds;
  uint64_t most = tunables::kFormOutlier * get(recent.nanoseconds) / of * lanes;
  return nanoseconds < most ? nanoseconds : most;
}

inline void FormTimes::note(const Trial &trial, uint64_t nanoseconds) {
  Recent &times = recent[trial.isEach];
  nanoseconds = credible(times, trial.lanes, nanoseconds);
  uint64_t part = times.trials >= tunables::kRememberedForms ? 2 : 1;
  set(times.nanoseconds, (get(times.nanoseconds) + nanoseconds) / part);
  set(times.lanes, (get(times.lanes) + trial.lanes + part - 1) / part);
  __atomic_store_n(&times.trials, times.trials / uint32_t(part) + 1, __ATOMIC_RELAXED);
  bool isKnown = recent[0].trials >= tunables::kFormTrials;
  __atomic_store_n(&isShort, isKnown && get(recent[0].nanoseconds) < tunables::kLongLane * get(recent[0].lanes),
                   __ATOMIC_RELAXED);
  decide();
  if (trial.isEach == prefersEach())
    return;
  // The other form has its next trial when trials are a small part of the time again.
  uint64_t ours = get(recent[prefersEach()].nanoseconds), ourLanes = get(recent[prefersEach()].lanes);
  bool isFirst = times.trials < tunables::kFormTrials;
  uint64_t ratio = ourLanes ? nanoseconds * ourLanes / (ours + 1) / trial.lanes + 1 : 1;
  set(wait, trial.lanes * ratio * (isFirst ? tunables::kFirstFormWait : tunables::kFormWait) / tunables::kTimedForms);
}

inline void FormTimes::decide() {
  using namespace tunables;
  if (recent[0].trials < kFormTrials || recent[1].trials < kFormTrials)
    return;
  uint64_t vectors = get(recent[0].nanoseconds) / 8 * get(recent[1].lanes);
  uint64_t lanes = get(recent[1].nanoseconds) / 8 * get(recent[0].lanes);
  bool chosen = prefersEach() ? lanes < vectors : lanes * kFormMargin < vectors * (kFormMargin - 1);
  __atomic_store_n(&each, chosen, __ATOMIC_RELAXED);
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FORMTIMES_H
