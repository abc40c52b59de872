// A queue of ready blocks that several workers share, and the counts that release blocks.
//
//   head -> | 3 | 4 | 7 | 0 | 0 | ...   [size] slots: a block's ID plus 1; 0: not written yet
//                         ^ tail
//
// A slot is written once, by the worker that has advanced `tail` over it. It is read by the worker that advances `head`
// over it. So the queue has a slot for each block that is pushed.
//
// Thread-safety: any worker. What a worker did before push(), another worker has seen after pop() of that block. A
// worker that wants to sleep calls beginSleep(), then pop(), and sleeps only if that finds nothing. Whoever pushes a
// block that it did not find is told to wake it.
//
//   ReadyBlocks<> ready;
//   ready.initialise(slots, size);
//   if (ready.push(block)) ... wake a worker ...
//   uint64_t block = ready.pop(); // kNone: nothing is ready
//
// A model checker plugs in atomics of its own (test/model/BlockModel.cpp).
#ifndef CILK2GPU_RUNTIME_BLOCKS_READYBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_READYBLOCKS_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Atomic operations on plain words. Orders are those of the compiler's functions.
struct WordAtomics {
  template <class T> using Cell = T;
  static constexpr unsigned kLine = 64;

  template <class T> [[gnu::always_inline]] static T load(const T &cell, int order) {
    return __atomic_load_n(&cell, order);
  }
  template <class T> [[gnu::always_inline]] static void store(T &cell, T value, int order) {
    __atomic_store_n(&cell, value, order);
  }
  template <class T> [[gnu::always_inline]] static T exchange(T &cell, T value, int order) {
    return __atomic_exchange_n(&cell, value, order);
  }
  /// Adds, and returns the old value.
  template <class T> [[gnu::always_inline]] static T add(T &cell, T value, int order) {
    return __atomic_fetch_add(&cell, value, order);
  }
  template <class T> [[gnu::always_inline]] static bool compareExchange(T &cell, T &expected, T value, int order) {
    return __atomic_compare_exchange_n(&cell, &expected, value, true, order, __ATOMIC_RELAXED);
  }
};

/// Counts a block down that one of its parents has ended. Returns whether that was the last one. Then the caller has
/// seen what all parents did.
///
/// A parent that finds 1 is the last one: nobody else will look at the count, so it need not be written. Acquire: pairs
/// with the release of the other parents, whose decrements form one release sequence.
template <class Atomics> [[gnu::always_inline]] bool countDown(typename Atomics::template Cell<uint32_t> &parents) {
  return Atomics::load(parents, __ATOMIC_ACQUIRE) == 1 || Atomics::add(parents, ~uint32_t(0), __ATOMIC_ACQ_REL) == 1;
}

template <class Atomics = WordAtomics> class ReadyBlocks {
public:
  template <class T> using Cell = typename Atomics::template Cell<T>;
  static constexpr uint64_t kNone = ~uint64_t(0);

  /// Before other workers use the queue. The slots are 0.
  void initialise(Cell<uint32_t> *ownSlots, uint64_t ownSize) {
    slots = ownSlots;
    size = ownSize;
  }
  /// As above, with slots from `begin` to `end` - 1 that are written already.
  void initialise(Cell<uint32_t> *ownSlots, uint64_t ownSize, uint64_t begin, uint64_t end) {
    initialise(ownSlots, ownSize);
    Atomics::add(head, begin, __ATOMIC_RELAXED); // no other worker is there yet
    Atomics::add(tail, end, __ATOMIC_RELAXED);
  }

  /// Shares a block. Returns whether a worker may sleep, and has to be woken.
  bool push(uint32_t block) {
    uint64_t slot = Atomics::add(tail, uint64_t(1), __ATOMIC_RELAXED); // it only makes the slot this worker's
    // Release: pairs with pop(). Sequentially consistent, with the next load: pairs with beginSleep(). Either this
    // worker sees the sleeper, or the sleeper sees the slot.
    Atomics::exchange(slots[slot], block + 1, __ATOMIC_SEQ_CST);
    return Atomics::load(sleepers, __ATOMIC_SEQ_CST) != 0;
  }

  /// Shares several blocks with fewer exchanges. Returns whether a worker may sleep; then all have to be woken.
  bool push(const uint32_t *blocks, uint32_t count) {
    uint64_t slot = Atomics::add(tail, uint64_t(count), __ATOMIC_RELAXED); // as above
    for (uint32_t i = 0; i < count; ++i)
      Atomics::store(slots[slot + i], blocks[i] + 1, __ATOMIC_RELEASE); // pairs with pop()
    // Release: pairs with beginSleep(). A sleeper that this worker does not see reads what it adds here, and so has
    // seen the slots.
    return Atomics::add(sleepers, uint32_t(0), __ATOMIC_RELEASE) != 0;
  }

  /// Takes the block that was pushed first; kNone if its slot is not written.
  uint64_t pop() {
    uint64_t first = Atomics::load(head, __ATOMIC_RELAXED); // a stale value fails below
    while (first < size) {
      uint32_t slot = Atomics::load(slots[first], __ATOMIC_SEQ_CST); // acquire: pairs with push()
      if (!slot)
        return kNone;
      // Relaxed: the slot has what belongs to the block. No slot is written twice.
      if (Atomics::compareExchange(head, first, first + 1, __ATOMIC_RELAXED))
        return slot - 1;
    }
    return kNone;
  }

  void beginSleep() { Atomics::add(sleepers, uint32_t(1), __ATOMIC_SEQ_CST); } // pairs with push()
  /// Relaxed: too large a number only has a worker woken that does not sleep.
  void endSleep() { Atomics::add(sleepers, ~uint32_t(0), __ATOMIC_RELAXED); }

  /// Returns about how many blocks are in the queue. Relaxed: a count for statistics.
  uint64_t count() const {
    uint64_t taken = Atomics::load(head, __ATOMIC_RELAXED), pushed = Atomics::load(tail, __ATOMIC_RELAXED);
    return pushed > taken ? pushed - taken : 0;
  }

private:
  Cell<uint32_t> *slots;
  uint64_t size;
  alignas(Atomics::kLine) Cell<uint64_t> head{0};
  alignas(Atomics::kLine) Cell<uint64_t> tail{0};
  alignas(Atomics::kLine) Cell<uint32_t> sleepers{0};
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_READYBLOCKS_H
