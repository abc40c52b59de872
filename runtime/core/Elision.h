// Measurements of the serial elisions of one level's tasks. They say whether tasks, with their descendants, take less
// time as elisions than in the graph.
//
// Now and then a trial compares both ways (ElisionTrials.h). A trial takes the lanes of one block. First, some
// neighbours from anywhere in the block run as elisions. Then the other lanes run in the graph. Trials are repeated
// because the subtrees of a level differ, and because the tasks that wait there change.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_ELISION_H
#define CILK2GPU_RUNTIME_CORE_ELISION_H

#include "core/ElisionTunables.h"

namespace cilk2gpu::rt {

struct Elision {
  uint64_t graph;      ///< sixteenths of a nanosecond that a lane took in the graph in the last trial; 0: no trial yet
  uint64_t elided;     ///< sixteenths of a nanosecond that a lane took as its elision
  uint64_t shares;     ///< sum over trials of weight times the graph's share of both ways' time, in 65536ths
  uint64_t weights;    ///< sum of the weights: the lanes of the trials; older trials weigh less
  uint64_t started;    ///< Environment::ownClock when the graph's lanes started; 0: Environment::clock is enough
  uint64_t handedOver; ///< Counters::stolen_blocks when the graph's lanes started
  uint64_t longest;    ///< nanoseconds of the longest lanes whose elision is tried
  bool isExtended;     ///< lanes of a trial may take longer, so the elision is chosen only if the graph loses clearly
  uint32_t trials;
  uint32_t lanes;               ///< lanes that ran as elisions in the trial that is under way; 0: no trial
  uint32_t wait;                ///< dispatches until the next trial
  uint32_t surprises;           ///< ElisionTrials::surprises at the last trial
  uint64_t sumGraph, sumElided; ///< of long childless tasks: sums of `graph` and `elided` since the last decision
  bool isUpper;                 ///< lanes of the trial take nearly as long as elisions may
  bool isChildless;             ///< lanes are long, and nearly all of their time is their own
  bool chosen;                  ///< the tasks of the level run as their elisions
  bool isAboveElisions;         ///< all tasks that they spawn are chosen, or above elisions, too

  /// Notes that `of` lanes took `took` nanoseconds as elisions.
  void addElided(uint64_t took, uint64_t of) { elided = took * 16 / of + 1; }
  /// Notes that elisions outside of a trial took `took` nanoseconds for each lane. `before` is the value of `elided`
  /// before. Returns whether long lanes have become much longer; then the decision is forgotten.
  bool addUntried(uint64_t took, uint64_t before);
  /// Returns whether lanes take longer than elisions usually may.
  bool isLong() const { return elided > 16 * tunables::kElidedSubtree; }
  /// Decides as trials of other levels have. `each` is the time that a lane probably takes.
  void follow(bool choice, uint64_t each);
  /// Chooses the elision without a trial. `each` is the time that a lane probably takes.
  void adopt(uint64_t each);
  /// Forgets all but the time of an elision. There may be work to share now.
  void forget();
  /// Notes that `of` lanes took `took` nanoseconds in the graph outside of a trial, which may have been too short.
  void addUntriedGraph(uint64_t took, uint64_t of) {
    if (!lanes && took * 16 / of > graph)
      graph = took * 16 / of;
  }
  /// Ends a trial, whose `of` lanes in the graph took `took` nanoseconds with their descendants. `hasVectors` says that
  /// some of these tasks run in vectors.
  void addGraph(uint64_t took, uint64_t of, bool hasVectors);
  /// Returns the graph's share of the time of both ways, in 65536ths.
  uint64_t share() const { return weights ? shares / weights : 0; }

private:
  void endTrial(bool choice);
  void endChildlessTrial();
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ELISION_H
