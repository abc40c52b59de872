// Decides which pre-sync lanes run, with their descendants, as serial elisions, and runs these elisions.
//
// At each level, trials compare the elision with the graph (Elision.h). The cheaper way is used until the next trial.
// Three kinds of levels begin trials in their own ways: wide levels of short tasks, narrow levels (of few lanes), and
// levels of long childless tasks, which run in vectors. Ranges of a cilk_for that run one after the other need no
// trials.
//
//   uint64_t lanes = elisions.lanesToElide(state, available, isTrial);   // 0: the graph's turn
//   elisions.run(state, lanes, isTrial);
//   ... else, if isTrial, the lanes that run in the graph are a part of the trial: graphStarts(), graphEnds()
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H
#define CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class ElisionTrials {
public:
  explicit ElisionTrials(SchedulerState &shared) : shared(shared) {}

  /// Returns the number of dispatches of a level's first lanes before ElisionTrials is asked about elisions.
  uint32_t firstAsked(const TaskInfo &task) const;

  /// Counts a visit of a level, before some of its `available` pre-sync lanes are dispatched.
  void countVisit(ActiveState &active, uint64_t available) {
    if (tried && ++triedVisits % tunables::kTriedVisits == 0)
      endLostTrial();
    if (available > tunables::kFewLanes)
      countWide();
    else
      countNarrow(active);
  }
  /// Counts a wide dispatch: it leaves lanes of its level behind, or has more than kFewLanes lanes.
  void countWide() {
    ++wideDispatches;
    narrowDispatches = 0;
  }

  /// Returns the number of pre-sync lanes of a chain that run as their elisions without a trial.
  uint64_t lanesOfChain(const TaskLevel &state, uint64_t available) const {
    bool isNarrow = narrowDispatches >= tunables::kNarrowDispatches;
    return isNarrow && state.task->isChain ? lanesOfNarrowChain(state, available) : 0;
  }

  /// Returns how many of `lanes` pre-sync lanes run as their elisions now. If 0, sets LevelBand::unasked, or
  /// `isTrial` if the lanes that run in the graph are a part of a trial.
  uint64_t lanesToElide(TaskLevel &state, uint64_t lanes, bool &isTrial);

  /// Returns whether lanes of a task run in vectors, take long by themselves, and spawn nothing or only tasks of this
  /// kind.
  bool isLongChildless(const TaskLevel &state) const {
    return state.active->pace.length == TaskLength::Long && isChildlessInVectors(state);
  }

  /// Runs `lanes` pre-sync lanes as calls of their elisions, which spawn nothing, need no frame and wait for nothing.
  /// If there is no stack for elisions, runs no lane, and no elision is tried later.
  void run(TaskLevel &state, uint64_t lanes, bool isTrial);

  /// Says whether the next pre-sync lanes that run in the graph are a part of a trial.
  void beginGraph(bool isTrial) { triesGraph = isTrial; }
  bool triesNext() const { return triesGraph; }
  /// Returns the most lanes of the graph's part of a trial.
  uint64_t mostOfTrial() const { return mostTried; }
  /// Called when lanes of a trial start in the graph; sets Elision::started.
  void graphStarts(Elision &elision, uint64_t lanes) const;
  /// Called when lanes of the graph ran, before their children do. Returns whether the lanes are a part of a trial; the
  /// trial then lasts until graphEnds().
  bool graphRan(const TaskLevel &state);
  /// Called when the graph's lanes of a level and all their descendants are done, which took `took` nanoseconds. Ends
  /// their trial, if there is one.
  void graphEnds(const TaskLevel &state, uint64_t took);

private:
  void countNarrow(ActiveState &active);
  uint64_t lanesOfNarrowChain(const TaskLevel &state, uint64_t available) const;
  bool isChildlessInVectors(const TaskLevel &state) const;
  bool mayElide(const TaskInfo &task) const;
  bool mayTry(const ActiveState &active, const TaskInfo &task) const;
  bool isNarrow(const ActiveState &active) const;
  bool areShort() const;
  bool isUpperLane(const TaskInfo &task, uint64_t each);
  uint64_t beginUpperTrial(TaskLevel &state, uint64_t lanes, uint64_t each);
  bool followsOthers(const TaskLevel &state, bool isUpper, uint64_t each);
  void askAbove(uint64_t index, const TaskLevel &state);
  bool provideElision(LevelBand &band, const TaskInfo &task);
  uint64_t shuffledLanes(TaskLevel &state, uint64_t lanes);
  uint64_t lanesOfRanges(TaskLevel &state, uint64_t lanes);
  uint64_t timeForLongTrials();
  uint64_t beginChildlessTrial(TaskLevel &state, uint64_t lanes);
  uint64_t beginTrial(TaskLevel &state, uint64_t lanes, bool isNarrowLevel);
  uint64_t chosenLanes(ActiveState &active, uint64_t lanes) const;
  bool isTimed(const Elision &elision, uint64_t lanes, bool isTrial);
  bool call(TaskLevel &state, uint64_t lanes);
  void endTrial();
  void endLostTrial();
  uint64_t triedTime() const;
  uint64_t lostTime() const;
  bool runUntimed(TaskLevel &state, uint64_t lanes);
  void runRanges(TaskLevel &state, uint64_t lanes);

  SchedulerState &shared;
  bool triesGraph = false;           ///< the pre-sync lanes that are dispatched next are a trial's part in the graph
  const TaskLevel *tried = nullptr;  ///< where lanes of a trial run in the graph, or their descendants; null: nowhere
  uint64_t mostTried = ~uint64_t(0); ///< most lanes of the graph's part of the trial
  uint64_t triedAt = 0;              ///< its level
  uint32_t triedVisits = 0;          ///< visits of levels in this trial
  uint64_t began = 0;                ///< Environment::ownClock at the first trial; 0: there was none
  uint64_t spent = 0;                ///< nanoseconds of long elisions in trials
  bool hasNoStack = false;           ///< elisions cannot be called
  uint64_t narrowDispatches = 0;     ///< dispatches of few lanes that left none waiting, since the last wide dispatch
  uint64_t narrowSince = 0;          ///< time when narrowDispatches was kNarrowDispatches / 2
  uint32_t wideDispatches = 0;       ///< wraps around
  uint32_t surprises = 0;            ///< elisions of long lanes that took much longer than those before
  uint32_t untimed = 0;              ///< dispatches of short elisions, timed or not
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ELISIONTRIALS_H
