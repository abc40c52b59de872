// Queues of ready thread blocks that the workgroups of a GPU share, as templates over the machine: the GPU's, the
// host's, or a model checker's. A block is ready when the count of its parents has reached 0. The workgroup that
// counts it down to 0 pushes it. So no workgroup ever waits for a certain block.
//
// ReadyQueue, for the policy LRR. Each workgroup takes a number, and gets the block in the slot of that number:
//
//   slots     | 3 | 4 | 7 | 0 | 0 | ...   [nodes] a block's ID plus 1; 0: not written yet
//   taken               ^                 a workgroup waits at the slot before it
//   pushed                ^
//
// A workgroup whose slot is empty reads nothing but its slot. Workgroups that wait have the highest numbers, so each
// block that is ready has a workgroup. Numbers of at least `nodes` mean that all blocks have been taken.
//
// LevelQueue, for the policy LVL. Each level has slots of its own. A workgroup takes a block of the lowest level that
// has a ready one, but no block more than `bound` levels above the lowest level whose blocks have not all ended. So the
// levels of blocks that run at the same time differ by at most `bound`.
//
//   level     0       1           2           all blocks of level 0 have ended
//   slots     | 1 2 | | 3 5 | 4 0 | | 0 0 |   a workgroup may take 5 (bound 0); with a bound of 1, also from level 2
//   lowest              ^
//
// Ordering: what a block wrote happens before its children run. A child's count is decremented with release and
// acquire, so its last parent has seen what the others did. A slot is written with release and read with acquire. All
// threads of a workgroup meet before its leader completes a block, and after it has taken one (BlockJob.h).
//
// Thread-safety: the leaders of any number of workgroups.
#ifndef CILK2GPU_RUNTIME_DEVICE_BLOCKQUEUE_H
#define CILK2GPU_RUNTIME_DEVICE_BLOCKQUEUE_H

#include "core/Tunables.h"
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

inline constexpr uint64_t kNoBlock = ~uint64_t(0);

/// Waits for other workgroups, longer each time.
template <class Machine> class Patience {
public:
  void wait() {
    for (uint32_t i = 0; i < pauses; ++i)
      Machine::pause();
    pauses = pauses < rt::tunables::kMostBlockPauses ? 2 * pauses : pauses;
  }

private:
  uint32_t pauses = 1;
};

/// The children of blocks, and the counts of parents.
template <class Machine> struct BlockRows {
  template <class T> using Word = typename Machine::template Word<T>;

  const uint64_t *starts;   ///< [nodes + 1]
  const uint32_t *children; ///< [edges]
  Word<uint32_t> *parents;  ///< [nodes]; a run counts them down to 0

  /// Calls ready(child) for each child of which `node` was the last parent.
  template <class Ready> void release(uint64_t node, Ready ready) const {
    using Atomics = typename Machine::OnDevice;
    for (uint64_t edge = toGlobal(starts)[node], end = toGlobal(starts)[node + 1]; edge < end; ++edge) {
      uint32_t child = toGlobal(children)[edge];
      // Release and acquire: pair with the decrements of the child's other parents.
      if (Atomics::template add<__ATOMIC_ACQ_REL>(toGlobal(parents + child), ~uint32_t(0)) == 1)
        ready(child);
    }
  }
};

template <class Machine> class ReadyQueue {
public:
  template <class T> using Word = typename Machine::template Word<T>;
  using Atomics = typename Machine::OnDevice;

  /// Before the run. `ownSlots` begin with the blocks that have no parents, and are 0 behind them.
  void initialise(uint64_t ownNodes, Word<uint32_t> *ownSlots, uint64_t numReady) {
    nodes = ownNodes;
    slots = ownSlots;
    // Relaxed: the launch of the kernel orders them.
    Atomics::template store<__ATOMIC_RELAXED>(toGlobal(&taken), uint64_t(0));
    Atomics::template store<__ATOMIC_RELAXED>(toGlobal(&pushed), numReady);
  }

  /// Waits for a ready block and takes it; kNoBlock: all blocks have been taken.
  uint64_t take() {
    // Relaxed: the slot has what belongs to the block.
    uint64_t number = Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&taken), uint64_t(1));
    if (number >= nodes)
      return kNoBlock;
    Patience<Machine> patience;
    uint32_t slot;
    while (!(slot = Atomics::template load<__ATOMIC_ACQUIRE>(toGlobal(slots + number)))) // pairs with push()
      patience.wait();
    return slot - 1;
  }

  void complete(uint64_t node, const BlockRows<Machine> &rows) {
    rows.release(node, [&](uint32_t child) { push(child); });
  }

  /// Returns about how many blocks are ready and have not been taken, for statistics.
  uint64_t count() {
    uint64_t all = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&pushed));
    uint64_t gone = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&taken));
    return all > gone ? all - gone : 0;
  }

  Word<uint32_t> *slots;

private:
  void push(uint32_t block) {
    // Relaxed: it only makes the slot this workgroup's.
    uint64_t number = Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&pushed), uint64_t(1));
    Atomics::template store<__ATOMIC_RELEASE>(toGlobal(slots + number), block + 1); // pairs with take()
  }

  uint64_t nodes;
  alignas(Machine::kLine) Word<uint64_t> taken;
  alignas(Machine::kLine) Word<uint64_t> pushed;
};

template <class Machine> class LevelQueue {
public:
  template <class T> using Word = typename Machine::template Word<T>;
  using Atomics = typename Machine::OnDevice;

  /// The words of a level.
  struct Level {
    Word<uint32_t> taken, pushed;
    Word<uint32_t> left;     ///< blocks that have not ended
    Word<uint32_t> hasEnded; ///< not 0: all blocks of the level have
  };

  /// Arrays of a run.
  struct Setup {
    uint64_t numLevels, bound;
    const uint32_t *levelOf;   ///< [nodes]
    const uint64_t *firstSlot; ///< [levels + 1]
    Word<uint32_t> *slots;     ///< [nodes]; those of level 0 have its blocks, the others are 0
    Level *levels;             ///< [levels]; initialised
  };

  void initialise(const Setup &own) {
    setup = own;
    Atomics::template store<__ATOMIC_RELAXED>(toGlobal(&lowest), uint64_t(0)); // the launch orders it
  }

  /// Waits for a block that may run and takes it; kNoBlock: all blocks have ended.
  uint64_t take() {
    for (Patience<Machine> patience;; patience.wait()) {
      // Relaxed: an old value allows fewer levels.
      uint64_t low = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&lowest));
      if (low == setup.numLevels)
        return kNoBlock;
      uint64_t last = setup.numLevels - 1 - low < setup.bound ? setup.numLevels - 1 : low + setup.bound;
      for (uint64_t level = low; level <= last; ++level)
        if (uint64_t node = takeFrom(level); node != kNoBlock)
          return node;
    }
  }

  void complete(uint64_t node, const BlockRows<Machine> &rows) {
    rows.release(node, [&](uint32_t child) { push(child); });
    uint64_t level = toGlobal(setup.levelOf)[node];
    // Relaxed: it only says which block of the level is the last one to end.
    if (Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&setup.levels[level].left), ~uint32_t(0)) != 1)
      return;
    // Sequentially consistent, with the load in raise(): of two workgroups that end levels at the same time, one at
    // least sees both.
    Atomics::template add<__ATOMIC_SEQ_CST>(toGlobal(&setup.levels[level].hasEnded), uint32_t(1));
    raise();
  }

  Setup setup;

private:
  uint64_t takeFrom(uint64_t level) {
    uint64_t first = toGlobal(setup.firstSlot)[level], size = toGlobal(setup.firstSlot)[level + 1] - first;
    auto taken = toGlobal(&setup.levels[level].taken);
    for (;;) {
      uint32_t number = Atomics::template load<__ATOMIC_RELAXED>(taken); // an old value fails below
      if (number >= size)
        return kNoBlock;
      uint32_t slot = Atomics::template load<__ATOMIC_ACQUIRE>(toGlobal(setup.slots + first + number)); // push()
      if (!slot)
        return kNoBlock;
      // Relaxed: the slot has what belongs to the block, and no slot is written twice.
      if (Atomics::template exchange<__ATOMIC_RELAXED>(taken, number, number + 1))
        return slot - 1;
    }
  }

  void push(uint32_t block) {
    uint64_t level = toGlobal(setup.levelOf)[block];
    // Relaxed: it only makes the slot this workgroup's.
    uint64_t number = Atomics::template add<__ATOMIC_RELAXED>(toGlobal(&setup.levels[level].pushed), uint32_t(1));
    uint64_t slot = toGlobal(setup.firstSlot)[level] + number;
    Atomics::template store<__ATOMIC_RELEASE>(toGlobal(setup.slots + slot), block + 1); // pairs with takeFrom()
  }

  /// Raises `lowest` above levels whose blocks have all ended.
  void raise() {
    // Relaxed: `hasEnded` says which levels have ended. With an old value, the exchange fails.
    for (uint64_t low; (low = Atomics::template load<__ATOMIC_RELAXED>(toGlobal(&lowest))) < setup.numLevels;) {
      if (!Atomics::template load<__ATOMIC_SEQ_CST>(toGlobal(&setup.levels[low].hasEnded)))
        return;
      Atomics::template exchange<__ATOMIC_RELAXED>(toGlobal(&lowest), low, low + 1); // or another workgroup has
    }
  }

  alignas(Machine::kLine) Word<uint64_t> lowest;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_BLOCKQUEUE_H
