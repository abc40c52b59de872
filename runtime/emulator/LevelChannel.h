// The pre-sync channel of one task at one level of the modelled machine: bounded, shared, and as large as it needs to
// be. It is a queue of a few segments, each a SharedChannel with its data array; producers use the newest one, the
// aggregator dispatches from the oldest.
//
//   oldest segment (4) --> segment (4) --> segment (8) --> newest segment (16)
//   widths add up to at most `width`
//
// Recursion may be 100,000 levels deep with one element in each, so a level starts small. A wave that finds the newest
// segment full adds one that at least doubles the capacity, up to the width; a segment that is empty, and not the
// newest, is given back. At most `width` elements exist in any state.
//
// What a wave reserved with its one CAS and did not use stays reserved, as `spare`, for the next wave that asks. When
// no producer is left, the spares are given back to the segments.
//
// Thread-safety: one host thread. Functions that take a CasCounts run inside a wavefront and may lose its turn at every
// CAS; everything else here is consistent at those points.
#ifndef CILK2GPU_RUNTIME_EMULATOR_LEVELCHANNEL_H
#define CILK2GPU_RUNTIME_EMULATOR_LEVELCHANNEL_H

#include "aggregator/TaskTable.h"
#include "channel/ChannelLayout.h"
#include "channel/SharedChannel.h"
#include "emulator/ModelledAtomics.h"

namespace cilk2gpu::rt {

/// What a channel asks of the machine around it.
struct ChannelBudget {
  Arena &arena;
  uint32_t granularity; ///< elements per done count
};

struct ChannelSegment {
  using Channel = SharedChannel<ModelledAtomics>;

  Channel channel;
  ChannelSegment *next;
  void **columns;       ///< of the data array, one for each field
  uint64_t bytes;       ///< of this block
  uint64_t outstanding; ///< elements reserved and not done
  uint32_t users;       ///< wavefronts inside a talloc or an enq of this segment
};

/// Reserved elements in neighbouring slots.
struct Reservation {
  ChannelSegment *segment = nullptr;
  uint64_t position = 0;
  uint64_t count = 0;
};

/// Reserved elements that the wave which reserved them left to others.
struct SpareRun {
  SpareRun *next;
  Reservation elements;
};

/// Elements handed to consumers: control positions of one segment.
struct DispatchedRange {
  ChannelSegment *segment;
  ControlRange range;
};

class LevelChannel {
public:
  /// An empty channel without segments. `layout` outlives it.
  void initialise(ElementLayout elementLayout, uint64_t channelWidth) {
    *this = LevelChannel();
    layout = elementLayout;
    width = channelWidth;
  }

  /// Up to `asked` elements for a wave of `lanes`; `count` 0 if the channel is full.
  Reservation reserve(const ChannelBudget &budget, uint64_t asked, uint64_t lanes, CasCounts &cas);
  /// Elements side by side: up to `asked`, at least `least`, or none. A first segment has at least `first` elements.
  Reservation reserveRun(const ChannelBudget &budget, uint64_t asked, uint64_t least, uint64_t first, CasCounts &cas);
  /// Returns what was reserved and is not needed.
  void giveBack(const Reservation &unused);
  /// Publishes what was reserved.
  void publish(const Reservation &filled, CasCounts &cas);
  /// Keeps for others what was reserved and is not needed.
  void leave(const ChannelBudget &budget, const Reservation &unused);

  /// Elements that can be dispatched.
  uint64_t ready();
  /// Takes up to `most` of them, at most `maxRanges` runs; returns the number of ranges.
  uint32_t dispatch(uint64_t most, DispatchedRange *ranges, uint32_t maxRanges);

  /// Gives spares back: nobody produces any more.
  void dropSpares(const ChannelBudget &budget);
  /// Frees what is done, in order. Returns the slots freed.
  uint64_t reclaim(const ChannelBudget &budget);
  /// Whether elements are done that reclaim would have to look at.
  bool mayReclaim = false;

  /// Elements in any state but available.
  uint64_t outstanding() const;
  /// Elements that could be reserved without a wait, if the channel were grown to its width.
  uint64_t room() const;
  /// Whether elements that are done stand in the way of a reservation.
  bool holdsDone() const;
  uint64_t capacity() const { return totalWidth; }

  /// Bytes of one segment of `elements`.
  static StoreSize segmentSize(ElementLayout layout, uint64_t elements, uint32_t granularity);
  /// The most segments of a channel at one time.
  static uint64_t mostSegments(uint64_t width);
  /// The most bytes that segments of a channel may take at one time.
  static uint64_t largestBytes(ElementLayout layout, uint64_t width, uint32_t granularity);

  ElementLayout layout = {};
  uint64_t width = 0;

private:
  bool grow(const ChannelBudget &budget, uint64_t lanes);
  Reservation takeSpare(const ChannelBudget &budget, uint64_t asked, uint64_t least = 1);
  Reservation cutAtEnd(const ChannelBudget &budget, Reservation whole);
  void retire(const ChannelBudget &budget);

  SpareRun *spares = nullptr;
  ChannelSegment *oldest = nullptr, *newest = nullptr;
  uint64_t totalWidth = 0, numSegments = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EMULATOR_LEVELCHANNEL_H
