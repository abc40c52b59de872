// See Elision.h.
#include "core/Elision.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

using namespace tunables;

/// The next trial comes the later, the more trials there were and the more the other way costs.
void Elision::endTrial(bool choice) {
  lanes = 0;
  if (trials < kFirstTrials)
    return;
  chosen = choice;
  uint64_t whole = 65536, ours = choice ? whole - share() : share(), ratio = ours ? (whole - ours) / ours + 1 : whole;
  uint64_t each = trials * kWaitPerTrial;
  each = each < kLongestWait ? each : kLongestWait;
  wait = uint32_t(each * (ratio < kMostWaitRatio ? ratio : kMostWaitRatio));
}

/// Trials of many lanes count more than trials of few. Shares are summed up, not times: a share changes little where
/// another program has the processor for a while.
void Elision::addGraph(uint64_t took, uint64_t of) {
  graph = took * 16 / of + 1;
  if (lanes && isChildless) {
    endChildlessTrial();
  } else if (lanes) {
    uint64_t weight = 16 * (of < lanes ? of : lanes); // sixteenths remain when the weight gets old
    shares += graph * 65536 / (graph + elided) * weight - shares / kRememberedTrials;
    weights += weight - weights / kRememberedTrials;
    ++trials;
    bool isClear = trials >= kClearTrials && share() < kClearShare;
    bool isLong = graph > 16 * kElidedSubtree && share() > kLongShare;
    if ((isClear || isLong) && trials < kFirstTrials)
      trials = kFirstTrials;
    endTrial(share() > (chosen ? kKeptShare : kChosenShare));
  } else if (graph > 16 * kElidedSubtree) {
    trials = trials < kFirstTrials ? kFirstTrials : trials;
    endTrial(false);
  }
}

/// Long childless tasks differ by more than the two ways do, so that sums of times decide. There are few dispatches of
/// such tasks, so few trials decide, and fewest where vectors are much faster.
void Elision::endChildlessTrial() {
  lanes = 0;
  trials = sumGraph ? trials + 1 : 1;
  sumGraph += graph;
  sumElided += elided;
  bool isLost = sumElided > (trials == 1 ? kClearChildlessRatio : kChildlessRatio) * sumGraph;
  bool isWon =
      trials > 1 && (trials < kClearChildlessTrials ? kClearChildlessRatio : kChildlessRatio) * sumElided < sumGraph;
  if (!isLost && !isWon && trials < kFirstTrials)
    return;
  chosen = sumElided * 4 < sumGraph * kChosenChildlessQuarters;
  sumGraph = sumElided = 0;
  trials = kFirstTrials;
  wait = kLongestWait;
}

void Elision::addUntried(uint64_t took, uint64_t before) {
  if (before <= 16 * kElidedSubtree) {
    if (took > 8 * kElidedSubtree)
      wait = 0;
    return;
  }
  if (took <= before / 2)
    return;
  // The lanes were narrow levels' lanes, or childless ones. Now they are longer, and there may be something to share.
  uint32_t untilNext = isChildless ? 0 : kLongestWait;
  *this = {};
  elided = took * 16;
  wait = untilNext;
}

} // namespace cilk2gpu::rt
