// Numbers for the choice between the graph and elisions (core/Elision.h, core/ElisionTrials.h). They follow the rules
// of core/Tunables.h. The graph's share is its part of the time that the graph and the elision take together, in
// 65536ths.
#ifndef CILK2GPU_RUNTIME_CORE_ELISIONTUNABLES_H
#define CILK2GPU_RUNTIME_CORE_ELISIONTUNABLES_H

#include "core/Tunables.h"

namespace cilk2gpu::rt::tunables {

/// The elision of a lane is tried if the lane and its descendants take at most this many nanoseconds. A level of the
/// graph costs a percent of this, and an elision that runs cannot be shared. All elided lanes of a trial together take
/// at most this time, too.
inline constexpr uint64_t kElidedSubtree = 20'000;

/// The number in place of this one above a level of elisions for which the graph's share is above kDearShare (0.534:
/// the graph takes a seventh more time). There, it is expensive to cut an elision into two, for example because each
/// part has views of reducers, which are made and merged.
inline constexpr uint64_t kDearElidedSubtree = 100'000;
inline constexpr uint32_t kDearShare = 35'000;

/// The first levels of a scheduler decide for themselves. Each deeper band of levels has a kBandPart-th of the levels
/// above it. Balanced recursions are less deep. In a recursion of 5,000 levels no level decided before, because each is
/// visited once in a run. With bands, combs of chains take a seventh of the time.
inline constexpr uint64_t kSingleLevels = 64, kBandPart = 32;

/// Dispatches of pre-sync lanes at a level before its first trial: fewer dispatches are not worth a trial, and deeper
/// levels come first. Levels whose elisions would be long do not wait.
inline constexpr uint32_t kFirstTrial = 16;

/// Number of trials before the first decision, and number of trials that the average remembers.
inline constexpr uint32_t kFirstTrials = 8, kRememberedTrials = 16;

/// The elision is chosen if the graph's share is above kChosenShare (0.57: the graph takes a third more time). The
/// choice holds while the share is above kKeptShare (0.53: an eighth more). Single trials differ by more than the
/// distance of the two numbers, but averages of several trials seldom do.
inline constexpr uint32_t kChosenShare = 37'400, kKeptShare = 34'700;

/// The number in place of these two where no vectors are lost (0.505: the graph takes a fiftieth more time). These are
/// tasks that, like their children, run lane after lane, and tasks whose children run as elisions. Each level of a
/// recursion would otherwise stop short of a third of its time. Once chosen, such an elision is kept while the share is
/// above kKeptScalarShare (0.45), because the first elisions of a trial read memory that is in no cache.
inline constexpr uint32_t kScalarShare = 33'100, kKeptScalarShare = 29'500;

/// kClearTrials trials are enough to decide for the graph, if its share is below kClearShare (0.45: vectors take four
/// fifths of the elision's time, or less). With eight trials at each level, trials took a sixteenth of fib(38). Where
/// no vectors are lost, they also decide for the elision, if the graph's share is above kChosenShare.
inline constexpr int32_t kClearTrials = 3;
inline constexpr uint32_t kClearShare = 29'500;

/// One trial of lanes that take more than kElidedSubtree decides for the elision, if the graph's share is above this
/// number (0.75), because other programs seldom disturb so long a trial by so much.
inline constexpr uint32_t kLongShare = 49'150;

/// Lanes that take longer are tried for at most a 64th of the time, and run as elisions only if the graph takes three
/// times as long (kLongShare). These are recursions that leave a little work at each level for others, and where the
/// hand-overs cost more than the work.
inline constexpr uint64_t kLongTrialsPart = 64;

/// The graph's part of a trial ends early if it takes so many times as long as the elisions. That is looked at once in
/// kTriedVisits visits of levels, because reading the clock takes as long as a dispatch of one lane.
inline constexpr uint64_t kLostTrial = 4;
inline constexpr uint32_t kTriedVisits = 64;

/// Dispatches until the next trial: kWaitPerTrial for each earlier trial, at most kLongestWait, multiplied by the ratio
/// of the two ways' times, at most kMostWaitRatio.
inline constexpr uint32_t kWaitPerTrial = 16, kLongestWait = 1024;
inline constexpr uint64_t kMostWaitRatio = 16;

/// Dispatches until the next trial of an elision that was chosen without a trial.
inline constexpr uint32_t kAdoptedWait = 4;

/// Tasks of each kind that a lane spawns, as long as no lane has.
inline constexpr uint64_t kUsualSpawns = 2;

/// Levels decide soon whose lanes take at least this part of kElidedSubtree, because all deeper levels go with them.
/// Elisions of their trials take kUpperTrial nanoseconds together. In shorter trials, elisions seem slower than later.
inline constexpr uint64_t kUpperPart = 32, kUpperTrial = 100'000;

/// Nanoseconds of a lane in the first such trial of a task. The two lanes of a trial that the graph wins take as long
/// as kLostUpperLanes do in the graph.
inline constexpr uint64_t kFirstUpper = 2'500, kLostUpperLanes = 8;

/// kClearTrials of these trials in a row decide, if in each of them the graph's share is above kClearUpperShare (0.53:
/// an eighth more time), or below kClearShare.
inline constexpr uint32_t kClearUpperShare = 34'700;

/// Dispatches of ranges after which trials decide anew whether they run in vectors.
inline constexpr uint32_t kFollowed = 4096;

/// The most levels whose times are added up to estimate the time of a lane with its descendants, and the sixteenths of
/// the most descendants at one level.
inline constexpr uint32_t kMostEstimated = 16;
inline constexpr uint64_t kMostEstimatedLanes = uint64_t(1) << 40;

/// Dispatches after which a level that could not begin a trial asks again.
inline constexpr uint32_t kAskAgain = 16;

/// The most elided lanes of a trial. Moving a lane to the front of the channel takes some nanoseconds.
inline constexpr uint64_t kPickedLanes = 64;

/// Single elisions in a row, each behind a sync of the same lane, before the lane makes calls in place; at most.
inline constexpr uint64_t kCallsBeforeInPlace = 16, kMostCallsBeforeInPlace = 4096;

/// The most calls that a lane makes in place before it comes back to the scheduler.
inline constexpr uint32_t kCallsInPlace = 4096;

/// One call in this many is timed in place, together with those before it. They end the calls in place if one of them
/// takes kSlowTask on average.
inline constexpr uint32_t kTimedCallsInPlace = 4;

/// One in this many dispatches of short elisions is timed. Reading the clock twice took half as long as the rest of a
/// dispatch of one lane.
inline constexpr uint32_t kTimedElisions = 4;

/// A level tries its elision after so many dispatches of few lanes (kFewLanes) in a row, if its band was passed more
/// than kNarrowPasses times. The dispatches take some ten microseconds. After a pass without a wide level, it is known
/// that there is no work to share below. A first pass of 240,000 levels took 12 times as long as 500 elisions.
inline constexpr uint64_t kNarrowDispatches = 256;
inline constexpr uint32_t kNarrowPasses = 1;

/// Trials of long childless tasks end when one way took so many times as long as the other: kClearChildlessRatio times
/// in the first kClearChildlessTrials trials, kChildlessRatio times later. Otherwise the last of kFirstTrials trials
/// decides.
inline constexpr uint64_t kClearChildlessRatio = 4, kChildlessRatio = 2;
inline constexpr uint32_t kClearChildlessTrials = 4;

/// Elisions of long childless tasks are chosen if they take less than so many quarters of the vectors' time.
inline constexpr uint64_t kChosenChildlessQuarters = 3;

/// In a trial of long childless tasks, one in this many lanes runs as its elision, so that vectors stay nearly full.
inline constexpr uint64_t kChildlessTrialPart = 16;

/// If other workers may wait for work, a range of a cilk_for's iterations runs as its elision if it takes at most this
/// many nanoseconds. The tasks that halve ranges then cost a few percent.
inline constexpr uint64_t kElidedRange = 10'000;

/// With CILK2GPU_SCHEDULE=random, one in this many dispatches runs as elisions, so that tests mix elisions with the
/// graph.
inline constexpr uint64_t kShuffledElisions = 4;

} // namespace cilk2gpu::rt::tunables

#endif // CILK2GPU_RUNTIME_CORE_ELISIONTUNABLES_H
