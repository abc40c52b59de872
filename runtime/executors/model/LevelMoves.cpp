// See LevelMoves.h.
#include "executors/model/LevelMoves.h"

namespace cilk2gpu::rt {

/// The data of a level, or of a task there, that a policy asks for. The model measures no times, and runs nothing in
/// vectors.
struct LevelMoves::PolicyView {
  const LevelMoves &moves;
  uint64_t level;

  uint64_t started() const { return level == moves.currentLevel ? moves.started : 0; }
  bool isHalfFullBelow() const { return moves.isHalfFullBelow(level); }
  bool isFullBelow() const { return false; }
  TaskLength taskLength() const { return TaskLength::Short; }
  bool isMeasured() const { return false; }
  bool isVectorised() const { return false; }
  bool feedsVectors() const { return false; }
};

/// Returns whether a channel one level deeper is more than half full.
bool LevelMoves::isHalfFullBelow(uint64_t index) const {
  for (LevelTask *task = shared.tasksAt(index + 1); task; task = task->next)
    if (task->pre.outstanding() * 2 > task->width)
      return true;
  return false;
}

uint64_t LevelMoves::lanesAtOnce(const LevelTask &task) const {
  PolicyView view = {.moves = *this, .level = task.level};
  return withPolicy(shared.settings.limits.policy, [&](auto chosen) { return chosen.lanesAtOnce(view); });
}

bool LevelMoves::descends(uint64_t index) const {
  PolicyView view = {.moves = *this, .level = index};
  return withPolicy(shared.settings.limits.policy, [&](auto chosen) { return chosen.descends(view); });
}

/// Returns whether levels deeper than `index` hold nothing of the tasks that are awaited.
bool LevelMoves::isDrainedBelow(uint64_t index, const Closure &awaited) const {
  for (uint64_t at = index + 1; at < shared.numLevels && at <= shared.alive.deepest(); ++at) {
    if (shared.levels[at].running)
      return false;
    for (const LevelTask *task = shared.levels[at].tasks; task; task = task->next) {
      bool holds = task->pre.outstanding() || (task->active && task->active->firstBlocked);
      for (uint32_t k = 1; task->active && k < task->task->numKernels; ++k)
        holds |= task->active->post(k).elements.size() != 0;
      if (holds && awaited.contains(*task->task))
        return false;
    }
  }
  return true;
}

/// Makes post-sync elements at `index` ready for which nothing deeper is left of the tasks that their dependencies cover.
/// `isDrained`: nothing deeper is left at all. Returns false if there are none.
bool LevelMoves::makeReady(uint64_t index, bool isDrained) {
  bool any = false;
  for (LevelTask *task = shared.tasksAt(index); task; task = task->next)
    for (uint32_t k = 1; task->active && k < task->task->numKernels; ++k) {
      PostQueue &queue = task->active->post(k);
      if (!isDrained && (!queue.elements.size() || !isDrainedBelow(index, task->task->awaited[k])))
        continue;
      any |= queue.ready != queue.elements.size();
      queue.ready = queue.elements.size();
    }
  if (any)
    shared.candidates.insert(shared.arena, index);
  return any;
}

/// Before going deeper, finds post-sync elements whose dependencies are drained although other work is left deeper, and
/// makes their level the current one. Looks at the deepest levels only, so that the search takes constant time.
bool LevelMoves::riseToReady() {
  for (uint64_t index = currentLevel, looks = 0; looks < tunables::kEdgeLevels; ++looks, --index) {
    if (makeReady(index, /*isDrained=*/false)) {
      currentLevel = index;
      return true;
    }
    if (!index)
      break;
  }
  return false;
}

/// Goes one level deeper, or up to `deepest`, or finds that more can be dispatched at the current level. Returns false
/// if none of it is possible.
bool LevelMoves::changeLevel(uint64_t deepest) {
  if (deepest > currentLevel) {
    bool rises = shared.policy().followsEdges && !goesDown && riseToReady();
    if (!rises)
      ++currentLevel;
    return true;
  }
  // Deeper levels are empty: lanes that yielded find room.
  if (goesDown || makeReady(currentLevel))
    return true;
  if (deepest == currentLevel)
    return false;
  currentLevel = deepest;
  return true;
}

bool LevelMoves::move() {
  uint64_t deepest = shared.alive.deepest();
  if (deepest == LevelSet::kNone)
    return false;
  if (shared.policy().levels != LevelOrder::OneAtATime) {
    if (shared.countsChildren() || !makeReady(deepest))
      return false;
  } else {
    if (shared.level(currentLevel).running || !changeLevel(deepest))
      return false;
    if (shared.policy().endsFirst && deepest <= currentLevel)
      makeReady(currentLevel);
    goesDown = false;
    started = 0;
  }
  shared.spend(shared.modelTotals.aggregator_level_moves, tunables::kAggregatorMove);
  return true;
}

} // namespace cilk2gpu::rt
