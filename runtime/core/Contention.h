// Tells whether iterations of a cilk_for get in each other's way, as atomic updates of one variable do. Several workers
// then get less done than one worker, so they take turns.
//
//   Contention::Visit visit;
//   while (!contention.enter(clock(), visit))
//     ...                                         // another worker's turn
//   ... run some iterations ...
//   bool isTypical = contention.leave(visit, iterations, clock());
//
// A worker that is alone measures how long an iteration takes. Workers that run iterations together measure the same
// and divide by their number. If that is longer, a few times in a row, iterations are contended for some time. Then all
// may join again: contention ends where the data changes. The waits get longer each time that nothing has changed.
//
// A turn is no lock: a worker that waits for its turn joins when that time is over. So a turn never waits for ever for
// an iteration that waits for a mutex of the program.
//
// Thread-safety: any thread may call these functions. All values are hints, so all accesses are relaxed. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_CONTENTION_H
#define CILK2GPU_RUNTIME_CORE_CONTENTION_H

#include "core/Tunables.h"

#include <stdint.h>

namespace cilk2gpu::rt {

class Contention {
public:
  /// What a worker saw when it entered.
  struct Visit {
    uint64_t start;    ///< nanoseconds
    uint32_t entrants; ///< visits so far, with this one
    uint32_t running;  ///< workers, with this one
  };

  /// Returns whether workers take turns, as far as is known without the time.
  bool takesTurns() const { return __atomic_load_n(&contendedUntil, __ATOMIC_RELAXED); }

  /// Returns whether any worker may run iterations at time `now`, and may hand some to others.
  bool mayJoin(uint64_t now) {
    uint64_t until = __atomic_load_n(&contendedUntil, __ATOMIC_RELAXED);
    if (until && now >= until)
      endTurns();
    return !until || now >= until;
  }

  /// Called before a worker runs iterations at time `now`. Returns false if another worker has its turn.
  bool enter(uint64_t now, Visit &visit) {
    uint32_t none = 0;
    if (mayJoin(now))
      visit.running = __atomic_add_fetch(&running, 1, __ATOMIC_RELAXED);
    else if (__atomic_compare_exchange_n(&running, &none, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      visit.running = 1;
    else
      return false;
    visit.entrants = __atomic_add_fetch(&entrants, 1, __ATOMIC_RELAXED);
    visit.start = now;
    return true;
  }

  /// Called after a worker ran some iterations. Returns whether they took as long as they take without contention.
  bool leave(const Visit &visit, uint64_t iterations, uint64_t now) {
    uint64_t each = (now - visit.start) * kUnit / iterations + 1;
    uint32_t left = __atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
    if (visit.running == 1 && __atomic_load_n(&entrants, __ATOMIC_RELAXED) == visit.entrants)
      return noteAlone(each);
    if (visit.running == 1 || left == 1)
      return true;
    return noteTogether(each / (left < visit.running ? left : visit.running), now);
  }

private:
  static constexpr uint64_t kUnit = 1024; ///< parts of a nanosecond

  bool noteAlone(uint64_t each) {
    uint64_t before = __atomic_load_n(&alone, __ATOMIC_RELAXED);
    bool isFirstTurn = __atomic_exchange_n(&isJudged, false, __ATOMIC_RELAXED);
    if (before && each > before && !isFirstTurn)
      each = before + (each - before) / 4; // a longer time may be due to other programs
    __atomic_store_n(&alone, each, __ATOMIC_RELAXED);
    __atomic_fetch_add(&blocksAlone, 1, __ATOMIC_RELAXED);
    // Iterations have got longer, not contended, if a worker alone is no faster.
    if (takesTurns() && !isLoss(__atomic_load_n(&together, __ATOMIC_RELAXED))) {
      __atomic_store_n(&turns, tunables::kShortestTurns, __ATOMIC_RELAXED);
      endTurns();
    }
    return true;
  }

  bool noteTogether(uint64_t each, uint64_t now) {
    __atomic_store_n(&together, each, __ATOMIC_RELAXED);
    if (!isLoss(each)) {
      __atomic_store_n(&losses, 0, __ATOMIC_RELAXED);
      __atomic_store_n(&turns, tunables::kShortestTurns, __ATOMIC_RELAXED);
      return true;
    }
    if (__atomic_add_fetch(&losses, 1, __ATOMIC_RELAXED) < tunables::kContendedBlocks || takesTurns())
      return false;
    uint64_t time = __atomic_load_n(&turns, __ATOMIC_RELAXED);
    __atomic_store_n(&turns, 2 * time < tunables::kLongestTurns ? 2 * time : tunables::kLongestTurns, __ATOMIC_RELAXED);
    __atomic_store_n(&isJudged, true, __ATOMIC_RELAXED);
    __atomic_store_n(&contendedUntil, now + time, __ATOMIC_RELAXED);
    return false;
  }

  /// Returns whether several workers take longer for an iteration, divided by their number, than one does. As long as
  /// that is not known well, they take turns, too: the first blocks of a program are slow.
  bool isLoss(uint64_t each) const {
    uint64_t one = __atomic_load_n(&alone, __ATOMIC_RELAXED);
    return __atomic_load_n(&blocksAlone, __ATOMIC_RELAXED) < tunables::kBlocksAlone || each > one + one / 4;
  }

  /// Lets all workers join. One more loss shows that iterations are still contended.
  void endTurns() {
    __atomic_store_n(&losses, tunables::kContendedBlocks - 1, __ATOMIC_RELAXED);
    __atomic_store_n(&contendedUntil, 0, __ATOMIC_RELAXED);
  }

  uint32_t running = 0;                      ///< workers that run iterations
  uint32_t entrants = 0;                     ///< wraps around
  uint64_t alone = 0;                        ///< time of an iteration, in parts of a nanosecond; 0: not known
  uint64_t blocksAlone = 0;                  ///< blocks of iterations that one worker ran alone
  uint64_t together = 0;                     ///< the same by several workers, divided by their number
  uint32_t losses = 0;                       ///< blocks in a row that workers ran together, and slower than one
  bool isJudged = false;                     ///< no worker has run alone since iterations were found contended
  uint64_t contendedUntil = 0;               ///< time when all may join again; 0: iterations are not contended
  uint64_t turns = tunables::kShortestTurns; ///< nanoseconds that the next turns last
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_CONTENTION_H
