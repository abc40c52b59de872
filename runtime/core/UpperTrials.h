// What trials of the longest elisions of a task (Elision.h) have shown at all levels together. Levels that had no trial
// follow it. In runs of some milliseconds, no level has lanes for all trials that a decision takes. For ranges of a
// cilk_for, the trials are those of parts that are halved no more.
//
// Single trials of few lanes are wrong now and then, so several in a row must agree.
//
// Thread-safety: all methods may be called by any worker. Notes of workers that meet may be lost. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_UPPERTRIALS_H
#define CILK2GPU_RUNTIME_CORE_UPPERTRIALS_H

#include "core/ElisionTunables.h"

namespace cilk2gpu::rt {

class UpperTrials {
public:
  enum class Verdict { Unknown, Graph, Elision };

  /// Notes the graph's share of the time of a trial, in 65536ths.
  void note(uint64_t share) {
    int64_t before = get() == kUntried ? 0 : get();
    bool isWon = share > tunables::kClearUpperShare, isLost = share < tunables::kClearShare;
    set(isWon ? (before > 0 ? before + 1 : 1) : isLost ? (before < 0 ? before - 1 : -1) : 0);
  }
  Verdict verdict() const {
    int64_t now = get();
    if (now == kUntried)
      return Verdict::Unknown;
    return now >= tunables::kClearTrials    ? Verdict::Elision
           : now <= -tunables::kClearTrials ? Verdict::Graph
                                            : Verdict::Unknown;
  }

  /// Counts a dispatch of ranges that follows the verdict without a trial. Trials decide anew after kFollowed of them.
  void follow() {
    uint32_t before = __atomic_load_n(&followed, __ATOMIC_RELAXED);
    __atomic_store_n(&followed, before + 1, __ATOMIC_RELAXED);
    if (before % tunables::kFollowed == tunables::kFollowed - 1)
      set(0);
  }

  /// Returns the nanoseconds that a lane may take in the next trial, if the trial need not be paid for by the time that
  /// has passed. Where vectors are much faster, the elision of a lane takes many times as long.
  uint64_t longest() const {
    int64_t now = get();
    return now < 0 ? 0 : now == kUntried ? tunables::kFirstUpper : tunables::kElidedSubtree;
  }

private:
  static constexpr int64_t kUntried = INT64_MAX;

  int64_t get() const { return __atomic_load_n(&streak, __ATOMIC_RELAXED); }
  void set(int64_t value) { __atomic_store_n(&streak, value, __ATOMIC_RELAXED); }

  int64_t streak = kUntried; ///< trials in a row that the elision has won, or, if negative, the graph
  uint32_t followed = 0;     ///< dispatches that followed the verdict
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_UPPERTRIALS_H
