// See Elision.h.
#include "core/Elision.h"

namespace cilk2gpu::rt {

using namespace tunables;

void Elision::adopt(uint64_t each) {
  graph = elided = each + 1;
  chosen = isAboveElisions = true;
  wait = kAdoptedWait;
}

/// Sets the choice and the time of the next trial. More earlier trials, and a higher cost of the other way, make it
/// later.
void Elision::endTrial(bool choice) {
  lanes = 0;
  if (trials < kFirstTrials) {
    wait = chosen ? kAdoptedWait : 0; // the trials of an adopted choice need not hurry
    return;
  }
  chosen = choice;
  uint64_t whole = 65536, ours = choice ? whole - share() : share(), ratio = ours ? (whole - ours) / ours + 1 : whole;
  uint64_t each = trials * kWaitPerTrial;
  each = each < kLongestWait ? each : kLongestWait;
  wait = uint32_t(each * (ratio < kMostWaitRatio ? ratio : kMostWaitRatio));
}

void Elision::follow(bool choice, uint64_t each) {
  if (!trials)
    graph = elided = each + 1;
  trials = kFirstTrials;
  endTrial(choice);
}

/// Trials of many lanes have more weight than trials of few. The sum is over shares, not over times, because a share
/// changes little if another program takes the processor for a while.
void Elision::addGraph(uint64_t took, uint64_t of, bool hasVectors) {
  graph = took * 16 / of + 1;
  if (lanes && isChildless) {
    endChildlessTrial();
  } else if (lanes) {
    uint64_t weight = 16 * (of < lanes ? of : lanes); // in sixteenths, so that the division by kRememberedTrials keeps
                                                      // some bits
    shares += graph * 65536 / (graph + elided) * weight - shares / kRememberedTrials;
    weights += weight - weights / kRememberedTrials;
    ++trials;
    bool isClear = !isUpper && int64_t(trials) >= kClearTrials && // trials of upper levels have UpperTrials
                   (share() < kClearShare || (!hasVectors && share() > kChosenShare));
    bool isLong = graph > 16 * kElidedSubtree && share() > kLongShare;
    if ((isClear || isLong || isExtended) && trials < kFirstTrials)
      trials = kFirstTrials;
    uint64_t least = hasVectors ? (chosen ? kKeptShare : kChosenShare) : (chosen ? kKeptScalarShare : kScalarShare);
    endTrial(share() > (isExtended ? kLongShare : least));
  } else if (graph > 16 * longest) {
    trials = trials < kFirstTrials ? kFirstTrials : trials;
    endTrial(false);
    wait = kAskAgain; // lanes this long are so few that asking again costs nothing
  }
}

/// Long childless tasks differ from one another by more than the two ways do, so sums of times decide. There are few
/// dispatches of these tasks, so few trials decide, and the fewest if vectors are much faster.
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

bool Elision::addUntried(uint64_t took, uint64_t before) {
  if (before <= 16 * kElidedSubtree) {
    if (took > 8 * kElidedSubtree)
      wait = 0;
    return false;
  }
  if (took <= before / 2)
    return false;
  // The earlier lanes were lanes of narrow levels, or childless.
  forget();
  return true;
}

void Elision::forget() {
  uint32_t untilNext = isChildless ? 0 : kLongestWait;
  uint64_t last = elided;
  *this = {};
  elided = last;
  wait = untilNext;
}

} // namespace cilk2gpu::rt
