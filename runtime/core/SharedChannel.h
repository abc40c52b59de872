// The paper's channel (section 3.2): a bounded queue of elements between many producers and many consumers, watched by
// one aggregator. It is lock-free, array-based, and synchronises once per wavefront: one compare-and-swap reserves
// elements for all lanes. It hands out slots of a data array; ElementStore finds the fields of a slot.
//
//   data array      |  free  | head . . done . dispatched . ready . reserved . . | tail   free   |     width slots
//   done counts     |   one per `granularity` slots: how many of them are done                   |
//   control array   |  old   | dispatched . . . | tail: published up to here . . | reserveTail   | 2 x width entries
//
// Positions are 64-bit counters that never wrap; slot = position mod width, entry = position mod (2 x width).
//
// A control entry holds a slot and the parity of its lap through the control array. The entries that a wave publishes
// together are a span. The first entry of a span also holds the number of its entries. It is written last, and marks
// that the whole span can be read. A producer never waits for producers that reserved control entries before it:
//
//   - The producer marks its span, and moves `tail` over the span if `tail` is at its start.
//   - Otherwise the aggregator moves `tail` over marked spans, when it looks for ready elements.
//
// Publishing is wait-free except for the CAS on reserveTail, which is lock-free. The control array cannot overflow:
// between the publication of an element and its release, fewer than 2 x width elements can be published.
//
// These threads may call these functions at the same time:
//   any number of producers   talloc, enq, giveBack (every element granted is enqueued or given back, once)
//   any number of consumers   deq, tfree, for control positions that the aggregator dispatched, each once
//   one aggregator            initialise (before anyone else), ready, dispatch, reclaim, live
// No function blocks. talloc fails only if the channel is too full, as far as its producer can see: elements that the
// aggregator freed a moment ago may not be visible as free yet.
//
// A producer's writes to an element before enq are visible to its consumer after the aggregator's dispatch, if the
// hand-over from the aggregator to the consumer synchronises. Accesses of a consumer before tfree happen before the
// slot is reserved again.
//
//   HostWave wave(lanes);                                         // producer
//   auto grant = channel.talloc(wave, counts, Grant::Partial, cas);
//   ... write the elements of lane i: slotOf(grant.first[i]) to slotOf(grant.first[i] + grant.count[i] - 1) ...
//   channel.enq(wave, grant.first, grant.count, cas);
//   ControlRange range = channel.dispatch(64);                    // aggregator
//   slots[i] = channel.deq(range.first + i); ... ; channel.tfree(wave, slots);   // consumer, one element per lane
//   channel.reclaim(Reclaim::Drained);                            // aggregator
#ifndef CILK2GPU_RUNTIME_CORE_SHAREDCHANNEL_H
#define CILK2GPU_RUNTIME_CORE_SHAREDCHANNEL_H

#include "core/Atomics.h"
#include "core/ElementState.h"
#include "core/Tunables.h"
#include "core/WaveOps.h"

namespace cilk2gpu::rt {

/// Default number of elements that share a done count: the paper's choice (section 8.2.1).
inline constexpr uint32_t kDoneGranularity = tunables::kDefaultDoneCount;

/// The size of a channel. `width`: its capacity in elements, 1 to 2^31. `granularity`: elements for each done count, at
/// least 1. The last group is smaller if `granularity` does not divide the width.
struct ChannelShape {
  uint64_t width;
  uint32_t granularity = kDoneGranularity;

  constexpr bool isValid() const { return width >= 1 && width <= uint64_t(1) << 31 && granularity >= 1; }
  constexpr uint64_t controlEntries() const { return 2 * width; }
  constexpr uint64_t doneCounts() const { return (width + granularity - 1) / granularity; }
};

/// Grant to a wave that asks for more space than is free: no space (Whole), or all free space (Partial), for its first
/// elements in the order of lanes.
enum class Grant : uint8_t { Whole, Partial };

/// Elements that reclaim may free: only full groups of `granularity` elements that are all done, or also the last,
/// partly filled group when all elements that were ever reserved are done.
enum class Reclaim : uint8_t { FullGroups, Drained };

/// Compare-and-swap operations of one producer; not shared between threads.
struct CasCounts {
  uint64_t attempted = 0;
  uint64_t failed = 0;
};

/// Positions [first, first + count).
struct Span {
  uint64_t first = 0;
  uint64_t count = 0;
};

/// Positions of the control array, for deq.
struct ControlRange {
  uint64_t first = 0;
  uint64_t count = 0;
};

/// Elements that talloc granted: count[i] elements to lane i, from data position first[i] on. `asked` and `granted` are
/// sums over the whole wave.
template <class Wave> struct WaveGrant {
  typename Wave::template PerLane<uint64_t> first;
  typename Wave::template PerLane<uint32_t> count;
  uint64_t asked = 0;
  uint64_t granted = 0;
  bool isPartial() const { return granted < asked; }
};

template <class Atomics = BuiltinAtomics<>, class Observer = NoObserver> class SharedChannel {
public:
  using ControlCell = typename Atomics::template Cell<uint64_t>;
  using CountCell = typename Atomics::template Cell<uint32_t>;
  template <class Wave, class T> using PerLane = typename Wave::template PerLane<T>;

  /// Makes an empty channel in memory that the caller owns and keeps: shape.controlEntries() control cells and
  /// shape.doneCounts() done counts. Positions start at `origin`, a multiple of 2 x width. No other thread may use the
  /// channel before this call has returned.
  void initialise(ChannelShape channelShape, ControlCell *controlCells, CountCell *countCells, uint64_t origin = 0) {
    shape = channelShape;
    control = controlCells;
    doneCount = countCells;
    dispatched = origin;
    // Relaxed, all of these: the caller hands the channel to other threads only afterwards.
    Atomics::store(dataHead, origin, Order::Relaxed);
    Atomics::store(dataTail, origin, Order::Relaxed);
    Atomics::store(reserveTail, origin, Order::Relaxed);
    Atomics::store(controlTail, origin, Order::Relaxed);
    for (uint64_t i = 0; i < shape.controlEntries(); ++i)
      Atomics::store(control[i], lapMark(origin) ^ kLapBit, Order::Relaxed);
    for (uint64_t i = 0; i < shape.doneCounts(); ++i)
      Atomics::store(doneCount[i], uint32_t(0), Order::Relaxed);
  }

  uint64_t slotOf(uint64_t position) const { return position % shape.width; }
  uint64_t width() const { return shape.width; }

  // Producers. -------------------------------------------------------------------------------------------------------

  /// Reserves counts[i] elements for each lane i, with one successful CAS for the wave. A wave that asks for more
  /// elements than the width, with Grant::Whole, is always refused.
  template <class Wave>
  WaveGrant<Wave> talloc(Wave &wave, const PerLane<Wave, uint32_t> &counts, Grant grant, CasCounts &cas) {
    WaveGrant<Wave> result;
    PerLane<Wave, uint64_t> offset;
    result.asked = wave.exclusiveSum(counts, offset);
    Span span;
    if (result.asked && wave.isLeader())
      span = reserveData(result.asked, grant, cas);
    span.first = wave.broadcast(span.first);
    result.granted = wave.broadcast(span.count);
    wave.forEachLane([&](unsigned lane) {
      uint64_t room = offset[lane] < result.granted ? result.granted - offset[lane] : 0;
      result.first[lane] = span.first + offset[lane];
      result.count[lane] = counts[lane] < room ? counts[lane] : uint32_t(room);
      observe(result.first[lane], result.count[lane], ElementState::Reserved);
    });
    return result;
  }

  /// As talloc, but each lane reserves for itself, with a CAS of its own: a baseline for comparisons. A lane gets all
  /// elements that it asked for, or, if `grant` is Partial, as many as are free.
  template <class Wave>
  WaveGrant<Wave> tallocPerLane(Wave &wave, const PerLane<Wave, uint32_t> &counts, Grant grant, CasCounts &cas) {
    WaveGrant<Wave> result;
    PerLane<Wave, uint32_t> granted;
    PerLane<Wave, uint64_t> ignored;
    wave.forEachLane([&](unsigned lane) {
      ScalarWave one;
      WaveGrant<ScalarWave> own = talloc(one, ScalarWave::PerLane<uint32_t>(counts[lane]), grant, cas);
      result.first[lane] = own.first[0];
      result.count[lane] = granted[lane] = own.count[0];
    });
    result.asked = wave.exclusiveSum(counts, ignored);
    result.granted = wave.exclusiveSum(granted, ignored);
    return result;
  }

  /// Publishes the elements at data positions [first[i], first[i] + counts[i]) of each lane i, in lane order. Takes one
  /// successful CAS for the wave, and one more if all waves that reserved before it have published. Does not wait.
  template <class Wave>
  void enq(Wave &wave, const PerLane<Wave, uint64_t> &first, const PerLane<Wave, uint32_t> &counts, CasCounts &cas) {
    PerLane<Wave, uint64_t> offset;
    uint64_t total = wave.exclusiveSum(counts, offset);
    if (!total)
      return;
    uint64_t start = 0;
    if (wave.isLeader())
      start = reserveControl(total, cas);
    start = wave.broadcast(start);
    wave.forEachLane([&](unsigned lane) {
      observe(first[lane], counts[lane], ElementState::Ready);
      if constexpr (Observer::kObserves)
        for (uint32_t i = 0; i < counts[lane]; ++i)
          observer.controlWrite((start + offset[lane] + i) % shape.controlEntries());
      for (uint32_t i = offset[lane] ? 0 : 1; i < counts[lane]; ++i) {
        uint64_t position = start + offset[lane] + i;
        // Relaxed: the span's mark, which comes after the fence, releases it.
        Atomics::store(entry(position), encode(position, slotOf(first[lane] + i), 1), Order::Relaxed);
      }
    });
    wave.fence();
    wave.forEachLane([&](unsigned lane) {
      if (!offset[lane] && counts[lane])
        publish(start, total, slotOf(first[lane]), cas);
    });
  }

  /// As enq, but each lane publishes for itself: a baseline for comparisons.
  template <class Wave>
  void enqPerLane(Wave &wave, const PerLane<Wave, uint64_t> &first, const PerLane<Wave, uint32_t> &counts,
                  CasCounts &cas) {
    wave.forEachLane([&](unsigned lane) {
      ScalarWave one;
      enq(one, ScalarWave::PerLane<uint64_t>(first[lane]), ScalarWave::PerLane<uint32_t>(counts[lane]), cas);
    });
  }

  /// Gives back elements that were granted and will not be enqueued.
  template <class Wave>
  void giveBack(Wave &wave, const PerLane<Wave, uint64_t> &first, const PerLane<Wave, uint32_t> &counts) {
    wave.forEachLane([&](unsigned lane) {
      observe(first[lane], counts[lane], ElementState::Done);
      for (uint32_t i = 0; i < counts[lane]; ++i)
        // Release: pairs with reclaim's acquire of the done count.
        Atomics::add(doneCount[groupOf(slotOf(first[lane] + i))], uint32_t(1), Order::Release);
    });
  }

  // Consumers. -------------------------------------------------------------------------------------------------------

  /// Returns the data slot that a dispatched control position names.
  uint64_t deq(uint64_t controlPosition) {
    observer.controlRead(controlPosition % shape.controlEntries());
    // Relaxed: ready() acquired it, and the thread that handed the position to this consumer synchronised with it. The
    // entry is not overwritten before its element is freed.
    return slotIn(Atomics::load(entry(controlPosition), Order::Relaxed));
  }

  /// Marks slots[i] as done for each active lane i: its consumer needs it no longer. Takes one atomic operation for
  /// each done count.
  template <class Wave> void tfree(Wave &wave, const PerLane<Wave, uint64_t> &slots) {
    wave.forEachLane([&](unsigned lane) { observe(slots[lane], 1, ElementState::Done); });
    wave.fence(); // the lanes' reads of their elements come before the leader's release
    for (uint64_t left = wave.activeMask(); left;) {
      uint64_t group = groupOf(wave.broadcastFrom(slots, unsigned(__builtin_ctzll(left))));
      PerLane<Wave, bool> isMember;
      wave.forEachLane([&](unsigned lane) { isMember[lane] = groupOf(slots[lane]) == group; });
      uint64_t members = wave.ballot(isMember);
      if (wave.isLeader())
        // Release: pairs with reclaim's acquire of the done count. Other consumers' adds continue its release sequence.
        Atomics::add(doneCount[group], uint32_t(__builtin_popcountll(members)), Order::Release);
      left &= ~members;
    }
  }

  // The aggregator. --------------------------------------------------------------------------------------------------

  /// Returns the number of elements that can be dispatched. Moves `tail` over spans whose producers could not move it.
  uint64_t ready() {
    for (;;) {
      // Acquire: pairs with publish's release of `tail`, and with those of earlier producers, whose release sequence it
      // continues.
      uint64_t tail = Atomics::load(controlTail, Order::Acquire);
      // Acquire: pairs with publish's release of the mark.
      uint64_t mark = Atomics::load(entry(tail), Order::Acquire);
      if ((mark & kLapBit) != lapMark(tail))
        return tail - dispatched;
      uint64_t expected = tail;
      // Relaxed: only the aggregator reads entries up to `tail`, and it has acquired this span's mark. A
      // read-modify-write keeps the release sequence of earlier producers. If it fails, the producer was faster.
      Atomics::compareExchange(controlTail, expected, tail + lengthIn(mark), Order::Relaxed);
    }
  }

  /// Takes up to `most` ready elements, the oldest published first. The caller hands the positions to consumers, in a
  /// way that synchronises.
  ControlRange dispatch(uint64_t most) {
    uint64_t available = ready();
    ControlRange range = {dispatched, available < most ? available : most};
    if constexpr (Observer::kObserves)
      for (uint64_t i = 0; i < range.count; ++i)
        observe(deq(range.first + i), 1, ElementState::Dispatched);
    dispatched += range.count;
    return range;
  }

  /// Frees elements that are done, in the order in which they were reserved. Returns the number of freed slots,
  /// including skipped slots.
  uint64_t reclaim(Reclaim mode) {
    // Relaxed: only the aggregator writes dataHead.
    uint64_t start = Atomics::load(dataHead, Order::Relaxed), head = start;
    for (;;) {
      uint64_t group = groupOf(slotOf(head)), size = groupSize(group);
      // Acquire: pairs with the release of each tfree and giveBack in this group.
      uint64_t done = Atomics::load(doneCount[group], Order::Acquire);
      uint64_t used = done == size ? size : mode == Reclaim::Drained ? closeGroup(head, size, done) : 0;
      if (!used)
        break;
      observe(head, used, ElementState::Available);
      // Relaxed: the release of dataHead below comes before any reservation that leads to the next add.
      Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);
      head += size;
    }
    if (head != start)
      // Release: pairs with reserveData's acquire.
      Atomics::store(dataHead, head, Order::Release);
    return head - start;
  }

  /// Returns the number of elements that are reserved, ready, dispatched, or done and not freed. If it returns zero
  /// after reclaim(Drained), all elements are freed whose reservation happened before the call.
  uint64_t live() const {
    // Relaxed: if the caller has seen the end of a task, the task's reservations happened before, so coherence makes
    // them visible.
    return Atomics::load(dataTail, Order::Relaxed) - Atomics::load(dataHead, Order::Relaxed);
  }

  /// Observer that is told of transitions. Set it before the channel is shared.
  [[no_unique_address]] Observer observer;

private:
  // | parity of the lap: 1 bit | length of the span - 1: 31 bits | slot: 32 bits |
  static constexpr uint64_t kLapBit = uint64_t(1) << 63;
  /// Set in even laps, so that an entry of the previous lap never looks published.
  uint64_t lapMark(uint64_t position) const { return position / shape.controlEntries() % 2 ? 0 : kLapBit; }
  uint64_t encode(uint64_t position, uint64_t slot, uint64_t length) const {
    return lapMark(position) | (length - 1) << 32 | slot;
  }
  static uint64_t slotIn(uint64_t entry) { return entry & 0xffffffff; }
  static uint64_t lengthIn(uint64_t entry) { return (entry >> 32 & 0x7fffffff) + 1; }

  ControlCell &entry(uint64_t position) const { return control[position % shape.controlEntries()]; }
  uint64_t groupOf(uint64_t slot) const { return slot / shape.granularity; }
  uint64_t groupSize(uint64_t group) const {
    uint64_t rest = shape.width - group * shape.granularity;
    return rest < shape.granularity ? rest : shape.granularity;
  }

  /// Moves the data array's tail over `asked` positions, or as `grant` says. Lock-free: it tries again only if another
  /// producer reserved elements or the aggregator freed some.
  Span reserveData(uint64_t asked, Grant grant, CasCounts &cas) {
    // Acquire: pairs with reclaim's release, so that consumers are done with the slots. The head is read before the
    // tail, so that the tail is at or behind it.
    uint64_t head = Atomics::load(dataHead, Order::Acquire);
    for (;;) {
      // Relaxed: the CAS checks the value, and no data that earlier producers wrote is read.
      uint64_t tail = Atomics::load(dataTail, Order::Relaxed), used = tail - head;
      uint64_t room = used < shape.width ? shape.width - used : 0; // used > width: the head is stale
      uint64_t count = asked <= room ? asked : grant == Grant::Partial ? room : 0;
      if (count < asked) {
        // Acquire: as above. An unchanged head means that the channel was this full when the tail was read.
        uint64_t latest = Atomics::load(dataHead, Order::Acquire);
        if (latest != head) {
          head = latest;
          continue;
        }
        if (!count)
          return {};
      }
      ++cas.attempted;
      // Relaxed: the CAS publishes no data; the contents of slots are handed over through dataHead and the control
      // array.
      if (Atomics::compareExchange(dataTail, tail, tail + count, Order::Relaxed))
        return {tail, count};
      ++cas.failed;
      // Acquire: as above.
      head = Atomics::load(dataHead, Order::Acquire);
    }
  }

  uint64_t reserveControl(uint64_t count, CasCounts &cas) {
    // Relaxed: the CAS checks it.
    uint64_t start = Atomics::load(reserveTail, Order::Relaxed);
    // Acquire and release: pair with each other. The element whose entry is overwritten was freed. Perhaps only an
    // earlier producer has seen this in dataHead; this producer then learns it from the earlier one.
    do
      ++cas.attempted;
    while (!Atomics::compareExchange(reserveTail, start, start + count, Order::AcquireRelease) && ++cas.failed);
    return start;
  }

  void publish(uint64_t start, uint64_t total, uint64_t slot, CasCounts &cas) {
    // Release: pairs with the acquire of the mark in ready().
    Atomics::store(entry(start), encode(start, slot, total), Order::Release);
    // Relaxed: with an old value, this producer only leaves the move to the aggregator.
    uint64_t expected = Atomics::load(controlTail, Order::Relaxed);
    if (expected != start)
      return;
    ++cas.attempted;
    // Release: pairs with the acquire of `tail` in ready().
    if (!Atomics::compareExchange(controlTail, expected, start + total, Order::Release))
      ++cas.failed; // the aggregator was faster
  }

  /// Reserves the rest of a group if all elements that were ever reserved are done. (`done` elements are done from
  /// `head` on.) The head can then move to the group's end, and elements of the next lap do not count for this group.
  /// Returns `done`, or 0.
  uint64_t closeGroup(uint64_t head, uint64_t size, uint64_t done) {
    if (!done)
      return 0;
    // Relaxed: the reservations of the done elements happened before their additions to the done count, which the
    // caller acquired. All these elements are in front of this tail. If the tail is just `done` positions behind the
    // head, there are no others.
    uint64_t tail = Atomics::load(dataTail, Order::Relaxed);
    if (tail - head != done)
      return 0;
    // Relaxed: the release of dataHead comes after it.
    return Atomics::compareExchange(dataTail, tail, head + size, Order::Relaxed) ? done : 0;
  }

  void observe(uint64_t position, uint64_t count, ElementState to) {
    if constexpr (Observer::kObserves)
      for (uint64_t i = 0; i < count; ++i)
        observer.transition(slotOf(position + i), to);
  }

  using PositionCell = typename Atomics::template Cell<uint64_t>;
  // Constant after initialise.
  ChannelShape shape;
  ControlCell *control;
  CountCell *doneCount;
  // Written by producers. Each is on a cache line of its own, because a wave does one CAS on each.
  alignas(Atomics::kLine) PositionCell dataTail;
  alignas(Atomics::kLine) PositionCell reserveTail;
  alignas(Atomics::kLine) PositionCell controlTail; ///< the tail of the control array; the aggregator moves it, too
                                                    ///< Written by the aggregator.
  alignas(Atomics::kLine) PositionCell dataHead;
  uint64_t dispatched; ///< the head of the control array; only the aggregator reads it
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_SHAREDCHANNEL_H
