// The elements that a levelized run of a program would dispatch, found in the serial order of its elision.
//
// A batch is the set of tasks that are on one level at the same time, if channels are as wide as they need to be. All
// tasks of a batch run up to their first sync. Their children are the next batch, one level deeper, which drains. Then
// all tasks of the batch that wait at a sync go on: the next round. So the batch of a task follows from the rounds of
// its ancestors:
//
//   batch(child) = (batch(parent), round of the parent at the spawn)
//
// A kernel's elements in one round of one batch are dispatched together, in wavefronts of up to `wave` lanes.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_SCALE_BATCHES_H
#define CILK2GPU_RUNTIME_SCALE_BATCHES_H

#include "scale/Growing.h"

namespace cilk2gpu::rt::scale {

/// Elements of one kernel in one round of one batch.
struct ElementCount {
  uint32_t batch, kernel;
  uint64_t elements;
};

class Batches {
public:
  static constexpr uint32_t kOutside = 0; ///< the batch of ordinary code, which enqueues the roots of level 0

  Batches() { batches.add({0}); }

  /// Returns the batch of children that tasks of `parent` spawn in `round`.
  uint32_t childOf(uint32_t parent, uint32_t round) {
    uint32_t index = children.find(parent, round, 0, batches.size());
    if (index == batches.size())
      batches.add({batches[parent].depth + 1});
    return index;
  }

  /// Counts an element of `kernel` in a round of a batch.
  void count(uint32_t batch, uint32_t round, uint32_t kernel) {
    uint32_t index = places.find(batch, round, kernel, counted.size());
    if (index == counted.size())
      counted.add({batch, kernel, 0});
    ++counted[index].elements;
  }

  /// Returns the level of a batch that is not kOutside.
  uint32_t level(uint32_t batch) const { return batches[batch].depth - 1; }

  const Growing<ElementCount> &counts() const { return counted; }

private:
  struct Batch {
    uint32_t depth; ///< the level plus one
  };

  Growing<Batch> batches;
  Growing<ElementCount> counted;
  IndexTable children, places;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_BATCHES_H
