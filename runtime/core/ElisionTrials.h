// Decides which pre-sync lanes run as their serial elisions, with all that they would spawn, and runs them.
//
// At each level trials compare the elision with the graph (Elision.h), and the cheaper way is chosen until the next
// trial. Three kinds of levels begin trials in their own ways: wide levels of short tasks, narrow levels (of few
// lanes), and levels of long childless tasks, which run in vectors.
//
//   uint64_t lanes = elisions.lanesToElide(state, available, isTrial);   // 0: the graph's turn
//   elisions.run(state, lanes, isTrial);
//   ... else, where isTrial, the lanes that run in the graph are a part of the trial: graphStarts(), graphEnds()
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H
#define CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class ElisionTrials {
public:
  explicit ElisionTrials(SchedulerState &shared) : shared(shared) {}

  /// Returns the number of dispatches of a level's first lanes before it asks about elisions.
  uint32_t firstAsked(const TaskInfo &task) const;

  /// Pre-sync lanes of a level are about to be dispatched, `available` of them.
  void countVisit(ActiveState &active, uint64_t available) {
    if (available > tunables::kFewLanes)
      countWide();
    else
      countNarrow(active);
  }
  /// A dispatch leaves lanes of its level behind, or has more than a few: levels are wide here.
  void countWide() {
    ++wideDispatches;
    narrowDispatches = 0;
  }

  /// Returns the number of pre-sync lanes of a chain that run as their elisions although nothing is known about the
  /// elisions.
  uint64_t lanesOfChain(const TaskLevel &state, uint64_t available) const {
    bool isNarrow = narrowDispatches >= tunables::kNarrowDispatches;
    return isNarrow && state.task->isChain ? lanesOfNarrowChain(state, available) : 0;
  }

  /// Returns the number of `lanes` pre-sync lanes that run as their elisions now. If 0: sets `isTrial` where the lanes
  /// that run in the graph are a trial, and ActiveState::unasked.
  uint64_t lanesToElide(TaskLevel &state, uint64_t lanes, bool &isTrial);

  /// Returns whether lanes of a task run in vectors, take long by themselves, and spawn nothing or only tasks that do
  /// so.
  bool isLongChildless(const TaskLevel &state) const {
    return state.active->pace.length == TaskLength::Long && isChildlessInVectors(state);
  }

  /// Runs `lanes` pre-sync lanes as calls of their elisions: they spawn nothing, need no frame and wait for nothing.
  /// Where elisions cannot be called, no lane runs, now and later.
  void run(TaskLevel &state, uint64_t lanes, bool isTrial);

  /// The next pre-sync lanes that run in the graph are a trial.
  void beginGraph(bool isTrial) { triesGraph = isTrial; }
  bool triesNext() const { return triesGraph; }
  /// Lanes of the graph start; sets Elision::started.
  void graphStarts(Elision &elision, uint64_t lanes) const;
  /// Those lanes ran; their children may be still to come. Returns whether they were a trial's, which lasts until
  /// graphEnds().
  bool graphRan(ActiveState &active);
  /// The graph's lanes of a level are done with all that they spawned. Ends their trial, if they were one.
  void graphEnds(ActiveState &active);

private:
  void countNarrow(ActiveState &active);
  uint64_t lanesOfNarrowChain(const TaskLevel &state, uint64_t available) const;
  bool isChildlessInVectors(const TaskLevel &state) const;
  bool mayElide(const TaskInfo &task) const;
  bool mayTry(const ActiveState &active, const TaskInfo &task) const;
  bool isNarrow(const ActiveState &active) const;
  bool areShort() const;
  Elision &elisionOf(TaskLevel &state);
  uint64_t shuffledLanes(TaskLevel &state, uint64_t lanes);
  uint64_t beginChildlessTrial(TaskLevel &state, uint64_t lanes);
  uint64_t beginTrial(TaskLevel &state, uint64_t lanes, bool isNarrowLevel);
  uint64_t chosenLanes(ActiveState &active, uint64_t lanes) const;
  bool isTimed(const Elision &elision, uint64_t lanes, bool isTrial);
  bool call(TaskLevel &state, uint64_t lanes);

  SchedulerState &shared;
  bool triesGraph = false;       ///< the pre-sync lanes that are dispatched are a trial of the graph
  bool isTrying = false;         ///< lanes of a trial of the graph are under way
  bool hasNoStack = false;       ///< elisions cannot be called
  uint64_t narrowDispatches = 0; ///< dispatches of few lanes, all that waited, since the last wide dispatch
  uint64_t narrowSince = 0;      ///< time when narrowDispatches was kNarrowDispatches / 2
  uint32_t wideDispatches = 0;   ///< wraps around
  uint32_t untimed = 0;          ///< dispatches of short elisions, timed or not
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H
