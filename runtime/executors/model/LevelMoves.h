// The aggregator's way through the levels. Levelization (core/Levelization.h) chooses the level, and finds the
// post-sync elements that are ready.
//
// A policy with LevelOrder::OneAtATime has a current level. The aggregator dispatches there until nothing of the level
// can be dispatched and nothing of it runs; then move() makes another level the current one. Under other policies
// move() only makes post-sync elements ready.
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELMOVES_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELMOVES_H

#include "core/Levelization.h"
#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

/// A model's levels, as Levelization.h wants to see them.
class ModelLevelView {
public:
  explicit ModelLevelView(ModelState &shared) : shared(shared) {}

  uint64_t current() const { return currentLevel; }
  uint64_t lowest() const { return 0; }
  uint64_t deepest() const { return shared.alive.deepest(); }
  bool holds(uint64_t index) const { return deepest() == index; }
  LevelTask *tasksAt(uint64_t index) const { return shared.tasksAt(index); }
  bool isShared(uint64_t index) const { return index < shared.numLevels && shared.levels[index].running; }
  /// Lanes that find a channel full are blocked, and restarted when there is room.
  bool mayGoOnAt(uint64_t) const { return true; }
  void goDeeper() { ++currentLevel; }
  void goBackTo(uint64_t index) { currentLevel = index; }
  void becameReady(uint64_t index) { shared.candidates.insert(shared.arena, index); }

private:
  ModelState &shared;
  uint64_t currentLevel = 0;
};

class LevelMoves {
public:
  explicit LevelMoves(ModelState &shared) : shared(shared), levels(shared), order(levels, shared.policy()) {}
  LevelMoves(const LevelMoves &) = delete;

  /// A run starts at level 0.
  void start() {
    levels.goBackTo(0);
    started = 0;
    goesDown = false;
  }
  uint64_t current() const { return levels.current(); }
  /// Returns whether nothing more is dispatched at the current level before deeper levels are empty.
  bool isGoingDown() const { return goesDown; }
  /// A wavefront at level `index` yielded: the way to space is down.
  void yielded(uint64_t index) { goesDown |= index == current(); }
  /// Pre-sync lanes were dispatched.
  void startedLanes(uint64_t lanes) { started += lanes; }
  /// Something was dispatched at the current level: asks the policy whether its children run next.
  void askPolicy() { goesDown = descends(current()); }

  /// Returns whether, by the policy, the children of level `index` run next.
  bool descends(uint64_t index) const;
  /// Returns how many pre-sync lanes of a task the policy lets start at once.
  uint64_t lanesAtOnce(const LevelTask &task) const;

  /// An action of the aggregator: changes the level, or makes post-sync elements ready. Returns false if there is
  /// nothing to do.
  bool move();

private:
  struct PolicyView;

  bool isHalfFullBelow(uint64_t index) const;
  bool changeLevel();

  ModelState &shared;
  ModelLevelView levels;
  Levelization<ModelLevelView> order;
  uint64_t started = 0; ///< pre-sync lanes dispatched since the current level was entered
  bool goesDown = false;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELMOVES_H
