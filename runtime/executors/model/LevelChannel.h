// The pre-sync channel of one task at one level of the modelled machine: bounded, shared, and growing on demand. It is
// a queue of a few buffers, each a SharedChannel with its data array. Producers use the newest buffer, and the
// aggregator dispatches from the oldest.
//
//   oldest buffer (4) --> buffer (4) --> buffer (8) --> newest buffer (16)
//   widths add up to at most `width`
//
// A recursion may be 100,000 levels deep with one element in each level, so a channel starts small. A wave that finds
// the newest buffer full adds a buffer that at least doubles the capacity, up to the width. An empty buffer that is not
// the newest is freed. At most `width` elements exist in any state.
//
// Elements that a wave reserved with its CAS and did not use stay reserved, as `spares`, for the next wave that asks.
// When no producer is left, the spares are given back to the buffers.
//
// A channel of runs is for kernels that fill in several elements as one array, a run. If a run would wrap around the
// end of the data array, it continues past that end, in one piece. There is room for it, and a flag for each slot says
// where its element is.
//
// So a run is granted if enough elements are free, if necessary in a buffer of its own. Room in a buffer cannot be used
// if it is too short, or if it was given back and cannot be freed yet. At most `width` elements exist, but the widths
// of the buffers may add up to more.
//
// Thread-safety: one host thread. Functions that take a CasCounts run inside a wavefront, which may lose its turn at
// every CAS. The rest of the channel is consistent at these points.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H

#include "core/ChannelLayout.h"
#include "core/SharedChannel.h"
#include "core/TaskTable.h"
#include "executors/model/ModelledAtomics.h"

namespace cilk2gpu::rt {

/// Functions and settings of the machine that a channel uses.
struct ChannelBudget {
  Arena &arena;
  uint32_t granularity; ///< elements per done count
};

struct ChannelBuffer {
  using Channel = SharedChannel<ModelledAtomics>;

  Channel channel;
  ChannelBuffer *next;
  void **columns;       ///< of the data array, one for each field
  uint8_t *isPastEnd;   ///< in a channel of runs: a flag for each slot, whether its element lies past the end of the
                        ///< data array; else null
  uint64_t bytes;       ///< size of this block
  uint64_t outstanding; ///< elements that are reserved and not done
  uint64_t head;        ///< position up to which elements are freed
  uint32_t users;       ///< wavefronts inside a talloc, an enq or a tfree of this buffer
  uint32_t reservers;   ///< in a channel of runs: wavefronts inside a talloc
};

/// Reserved elements in neighbouring slots.
struct Reservation {
  ChannelBuffer *segment = nullptr;
  uint64_t position = 0;
  uint64_t count = 0;
};

/// Reserved elements that a wave did not use and left to others.
struct SpareRun {
  SpareRun *next;
  Reservation elements;
};

/// Elements handed to consumers: control positions of one buffer.
struct DispatchedRange {
  ChannelBuffer *segment;
  ControlRange range;
};

class LevelChannel {
public:
  /// Makes an empty channel without buffers. `elementLayout` outlives it.
  void initialise(ElementLayout elementLayout, uint64_t channelWidth) {
    *this = LevelChannel();
    layout = elementLayout;
    width = channelWidth;
  }
  /// Makes an empty channel of runs, whose elements have one field.
  void initialiseRuns(ElementLayout elementLayout, uint64_t channelWidth) {
    initialise(elementLayout, channelWidth);
    hasRuns = true;
  }

  /// Reserves up to `asked` elements for a wave of `lanes`. The result has `count` 0 if the channel is full.
  Reservation reserve(const ChannelBudget &budget, uint64_t asked, uint64_t lanes, CasCounts &cas);
  /// In a channel of runs: reserves up to `asked` elements, but at least `least`, or none. An empty channel can grant
  /// any number up to its width. A new buffer has at least `first` elements if there is room.
  Reservation reserveRun(const ChannelBudget &budget, uint64_t asked, uint64_t least, uint64_t first, CasCounts &cas);
  /// Makes one run of reserved elements, or of a part of them, side by side. Returns the address of the first element.
  void *makeRun(const Reservation &run);
  /// Returns the address of an element of a run.
  void *elementOfRun(const ChannelBuffer &segment, uint64_t slot) const {
    uint64_t place = slot + (segment.isPastEnd[slot] ? segment.channel.width() : 0);
    return static_cast<char *>(segment.columns[0]) + place * layout.fields[0].size;
  }
  /// Publishes reserved elements that were filled in.
  void publish(const Reservation &filled, CasCounts &cas);
  /// Keeps reserved elements that are not needed for other waves.
  void leave(const ChannelBudget &budget, const Reservation &unused);

  /// Returns the number of elements that can be dispatched.
  uint64_t ready();
  /// Takes up to `most` ready elements, in at most `maxRanges` ranges. Returns the number of ranges.
  uint32_t dispatch(uint64_t most, DispatchedRange *ranges, uint32_t maxRanges);

  /// Gives the spares back to their buffers. Called when there is no producer any more. Returns whether there were
  /// spares.
  bool dropSpares(const ChannelBudget &budget);
  /// Frees done elements, in order. Returns the number of freed slots.
  uint64_t reclaim(const ChannelBudget &budget);
  /// True if some elements are done and reclaim() may free them.
  bool mayReclaim = false;
  /// In a channel of runs: true if a run that was refused, because others might have needed the room, may be granted
  /// now.
  bool hasMoreRoom = false;

  /// Returns the number of elements in any state except available.
  uint64_t outstanding() const;
  /// Returns the number of elements that a wave of `lanes` could reserve without a wait, if the channel grows as far as
  /// its width and memory allow. For a channel of runs, this is an upper bound.
  uint64_t room(const ChannelBudget &budget, uint64_t lanes) const;
  /// Returns whether there may be room for a run of `least` elements.
  bool mayGrantRun(uint64_t least) const;
  /// Returns whether done elements that are not freed prevent a reservation.
  bool holdsDone() const;
  uint64_t capacity() const { return totalWidth; }

  /// Returns the size of one buffer of `elements` elements, in a channel without runs.
  static StoreSize segmentSize(ElementLayout layout, uint64_t elements, uint32_t granularity);
  /// Returns the most buffers of a channel at one time.
  static uint64_t mostSegments(uint64_t width);
  /// Returns the most bytes that the buffers of a channel may take at one time.
  static uint64_t largestBytes(ElementLayout layout, uint64_t width, uint32_t granularity);

  /// Returns the most elements that the buffers had room for at one time.
  uint64_t widthReached() const { return mostWidth; }

  ElementLayout layout = {};
  uint64_t width = 0;

private:
  uint64_t growth(uint64_t lanes) const;
  bool hasMemoryFor(const ChannelBudget &budget, uint64_t elements) const;
  uint64_t freeForRuns() const;
  void forgetHoles(const ChannelBudget &budget, const ChannelBuffer &segment);
  bool grow(const ChannelBudget &budget, uint64_t lanes);
  bool growForRun(const ChannelBudget &budget, uint64_t least, uint64_t first);
  bool addSegment(const ChannelBudget &budget, uint64_t elements, uint64_t least);
  Reservation takeSpare(const ChannelBudget &budget, uint64_t asked, uint64_t least = 1);
  Reservation cutAtEnd(const ChannelBudget &budget, Reservation whole);
  void retire(const ChannelBudget &budget, const ChannelBuffer *kept);

  SpareRun *spares = nullptr;
  SpareRun *holes = nullptr; ///< in a channel of runs: spares that were given back and are not freed yet
  ChannelBuffer *oldest = nullptr, *newest = nullptr;
  uint64_t totalWidth = 0, numSegments = 0;
  uint64_t mostWidth = 0; ///< the largest totalWidth so far
  bool hasRuns = false;
  bool hasDoubts = false; ///< a run was refused because a wavefront was inside a talloc
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H
