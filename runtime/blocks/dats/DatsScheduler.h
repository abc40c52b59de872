// The block scheduler of the modelled machine (DATS), which says what is issued next and to which compute unit:
// Wireframe, MICRO 2017, section 4.3.
//
// - LRR (loose round robin): the ready node with the smallest ID goes to the next compute unit in rotation.
// - LVL (level-bound): as LRR, but the levels of blocks that run at the same time differ by at most a bound.
//
// IDs count level after level. So if the ready node with the smallest ID is above the bound, all ready nodes are.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSSCHEDULER_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSSCHEDULER_H

#include "blocks/dats/ComputeUnits.h"
#include "blocks/dats/Dgb.h"
#include "blocks/dats/RunningLevels.h"

namespace cilk2gpu::rt {

struct DatsPolicy {
  bool isLevelBound = false; ///< LVL; otherwise LRR
  uint64_t bound = 3;        ///< of LVL: the bound of the paper's evaluation
};

class DatsScheduler {
public:
  struct Issue {
    uint64_t node; ///< Dgb::kNone: nothing can be issued now
    uint32_t unit;
  };

  DatsScheduler(DatsPolicy policy, uint32_t units, uint32_t slots, uint64_t numLevels)
      : policy(policy), computeUnits(units, slots), levels(numLevels) {}

  /// Issues the next node of the buffer, if there is one and a slot is free.
  Issue issueNext(Dgb &buffer);
  /// Frees the slot of a node that is done.
  void release(uint32_t unit, uint64_t level);

  const ComputeUnits &units() const { return computeUnits; }
  const RunningLevels &runningLevels() const { return levels; }

private:
  const DatsPolicy policy;
  ComputeUnits computeUnits;
  RunningLevels levels;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSSCHEDULER_H
