// See LevelMoves.h.
#include "executors/model/LevelMoves.h"

namespace cilk2gpu::rt {

/// The data of a level, or of a task there, that a policy asks for. The model measures no times, and runs nothing in
/// vectors.
struct LevelMoves::PolicyView {
  const LevelMoves &moves;
  uint64_t level;

  uint64_t started() const { return level == moves.current() ? moves.started : 0; }
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

/// Nothing of the current level runs: changes the level, or makes post-sync elements ready. Returns false if there is
/// nothing to do.
bool LevelMoves::changeLevel() {
  if (shared.level(current()).running)
    return false;
  LevelMove move = order.next(goesDown);
  if (move == LevelMove::Stuck)
    return false;
  if (move == LevelMove::Drained)
    order.riseTo(levels.deepest());
  goesDown = false;
  started = 0;
  return true;
}

bool LevelMoves::move() {
  uint64_t deepest = levels.deepest();
  if (deepest == LevelSet::kNone)
    return false;
  if (shared.policy().levels == LevelOrder::OneAtATime) {
    if (!changeLevel())
      return false;
  } else if (shared.countsChildren() || !order.makeReady(deepest).areNew) {
    return false;
  }
  shared.spend(shared.modelTotals.aggregator_level_moves, tunables::kAggregatorMove);
  return true;
}

} // namespace cilk2gpu::rt
