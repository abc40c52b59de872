// The pre-sync channel of one task at one level of the modelled machine: bounded, shared, and as large as it needs to
// be. It is a queue of a few buffers, each a SharedChannel with its data array; producers use the newest one, the
// aggregator dispatches from the oldest.
//
//   oldest buffer (4) --> buffer (4) --> buffer (8) --> newest buffer (16)
//   widths add up to at most `width`
//
// Recursion may be 100,000 levels deep with one element in each, so a level starts small. A wave that finds the newest
// buffer full adds one that at least doubles the capacity, up to the width; a buffer that is empty, and not the
// newest, is given back. At most `width` elements exist in any state.
//
// What a wave reserved with its one CAS and did not use stays reserved, as `spare`, for the next wave that asks. When
// no producer is left, the spares are given back to the buffers.
//
// A channel of runs is for kernels that fill in several elements as one array. A run that goes round the end of a data
// array lies past that end, in one piece: there is room for it, and a flag for each slot says where its element is.
//
// So a run is granted wherever so many elements are free, if need be in a buffer of its own. Room in other buffers
// does not count if it is too short, or if it was given back and cannot be freed yet. Elements add up to at most
// `width`; the widths of the buffers may add up to more.
//
// Thread-safety: one host thread. Functions that take a CasCounts run inside a wavefront and may lose its turn at every
// CAS; everything else here is consistent at those points.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H

#include "core/ChannelLayout.h"
#include "core/SharedChannel.h"
#include "core/TaskTable.h"
#include "executors/model/ModelledAtomics.h"

namespace cilk2gpu::rt {

/// What a channel asks of the machine around it.
struct ChannelBudget {
  Arena &arena;
  uint32_t granularity; ///< elements per done count
};

struct ChannelBuffer {
  using Channel = SharedChannel<ModelledAtomics>;

  Channel channel;
  ChannelBuffer *next;
  void **columns;       ///< of the data array, one for each field
  uint8_t *isPastEnd;   ///< of runs: whether a slot's element lies past the end of the data array; else null
  uint64_t bytes;       ///< of this block
  uint64_t outstanding; ///< elements reserved and not done
  uint64_t head;        ///< position up to which they are freed
  uint32_t users;       ///< wavefronts inside a talloc, an enq or a tfree of this buffer
  uint32_t reservers;   ///< of runs: those inside a talloc
};

/// Reserved elements in neighbouring slots.
struct Reservation {
  ChannelBuffer *segment = nullptr;
  uint64_t position = 0;
  uint64_t count = 0;
};

/// Reserved elements that the wave which reserved them left to others.
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
  /// An empty channel without buffers. `layout` outlives it.
  void initialise(ElementLayout elementLayout, uint64_t channelWidth) {
    *this = LevelChannel();
    layout = elementLayout;
    width = channelWidth;
  }
  /// Likewise, of runs of elements with one field.
  void initialiseRuns(ElementLayout elementLayout, uint64_t channelWidth) {
    initialise(elementLayout, channelWidth);
    hasRuns = true;
  }

  /// Up to `asked` elements for a wave of `lanes`; `count` 0 if the channel is full.
  Reservation reserve(const ChannelBudget &budget, uint64_t asked, uint64_t lanes, CasCounts &cas);
  /// Of a channel of runs: up to `asked` elements, at least `least`, or none; from an empty channel any number up to
  /// its width. A new buffer has at least `first` elements if there is room.
  Reservation reserveRun(const ChannelBudget &budget, uint64_t asked, uint64_t least, uint64_t first, CasCounts &cas);
  /// Makes one run, side by side, of elements that were reserved, or of some of them. Returns the first one's address.
  void *makeRun(const Reservation &run);
  /// Where an element of a run lies.
  void *elementOfRun(const ChannelBuffer &segment, uint64_t slot) const {
    uint64_t place = slot + (segment.isPastEnd[slot] ? segment.channel.width() : 0);
    return static_cast<char *>(segment.columns[0]) + place * layout.fields[0].size;
  }
  /// Publishes what was reserved.
  void publish(const Reservation &filled, CasCounts &cas);
  /// Keeps for others what was reserved and is not needed.
  void leave(const ChannelBudget &budget, const Reservation &unused);

  /// Elements that can be dispatched.
  uint64_t ready();
  /// Takes up to `most` of them, at most `maxRanges` runs; returns the number of ranges.
  uint32_t dispatch(uint64_t most, DispatchedRange *ranges, uint32_t maxRanges);

  /// Gives spares back: nobody produces any more. Returns whether there were any.
  bool dropSpares(const ChannelBudget &budget);
  /// Frees what is done, in order. Returns the slots freed.
  uint64_t reclaim(const ChannelBudget &budget);
  /// Whether elements are done that reclaim would have to look at.
  bool mayReclaim = false;
  /// Of runs: whether what was refused, because others might have needed the room, may be granted now.
  bool hasMoreRoom = false;

  /// Elements in any state but available.
  uint64_t outstanding() const;
  /// Elements that could be reserved without a wait, if the channel were grown to its width; a wave of `lanes` asks,
  /// for whom there may be no memory to grow it. Of runs: no more than these.
  uint64_t room(const ChannelBudget &budget, uint64_t lanes) const;
  /// Whether there may be room for a run of `least`.
  bool mayGrantRun(uint64_t least) const;
  /// Whether elements that are done stand in the way of a reservation.
  bool holdsDone() const;
  uint64_t capacity() const { return totalWidth; }

  /// Bytes of one buffer of `elements`, without runs.
  static StoreSize segmentSize(ElementLayout layout, uint64_t elements, uint32_t granularity);
  /// The most buffers of a channel at one time.
  static uint64_t mostSegments(uint64_t width);
  /// The most bytes that buffers of a channel may take at one time.
  static uint64_t largestBytes(ElementLayout layout, uint64_t width, uint32_t granularity);

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
  SpareRun *holes = nullptr; ///< of runs: spares that were given back and are not freed yet
  ChannelBuffer *oldest = nullptr, *newest = nullptr;
  uint64_t totalWidth = 0, numSegments = 0;
  bool hasRuns = false;
  bool hasDoubts = false; ///< a run was refused because of reservers
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_LEVELCHANNEL_H
