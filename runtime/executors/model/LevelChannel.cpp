// A buffer is one block of memory: the channel's words, the addresses of columns, the control array, the done counts,
// the data array. In a channel of runs, a flag for each slot comes before the data array, and behind the array is room
// for all but one of its elements.
#include "executors/model/LevelChannel.h"

namespace cilk2gpu::rt {

namespace {
/// Offsets of a buffer's parts, in bytes from its start.
struct BufferLayout {
  uint64_t columns, control, counts, flags, data, bytes, align;
};

uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

BufferLayout placesOf(ElementLayout layout, uint64_t elements, uint32_t granularity, bool hasRuns,
                      FieldLayout *fields) {
  ChannelShape shape = {elements, granularity};
  StoreSize data =
      StructureOfArrays::place(layout.fields, layout.numFields, hasRuns ? 2 * elements - 1 : elements, fields);
  BufferLayout places;
  places.columns = sizeof(ChannelBuffer);
  places.control = alignTo(places.columns + layout.numFields * sizeof(void *), 8);
  places.counts = places.control + shape.controlEntries() * sizeof(ChannelBuffer::Channel::ControlCell);
  places.flags = places.counts + shape.doneCounts() * sizeof(ChannelBuffer::Channel::CountCell);
  uint64_t end = places.flags + (hasRuns ? elements : 0);
  places.align = data.align > alignof(ChannelBuffer) ? data.align : alignof(ChannelBuffer);
  places.data = alignTo(end, data.align);
  if (data.bytes == StoreSize::kTooLarge || __builtin_add_overflow(places.data, data.bytes, &places.bytes))
    places.bytes = ~uint64_t(0) >> 1;
  return places;
}
} // namespace

StoreSize LevelChannel::segmentSize(ElementLayout layout, uint64_t elements, uint32_t granularity) {
  FieldLayout *fields = static_cast<FieldLayout *>(__builtin_alloca((layout.numFields + 1) * sizeof(FieldLayout)));
  BufferLayout places = placesOf(layout, elements, granularity, false, fields);
  return {places.bytes, places.align};
}

/// Returns the most buffers: one for each doubling from the first buffer on, one that fills the channel up, and one
/// that was left from earlier.
uint64_t LevelChannel::mostSegments(uint64_t width) {
  if (width <= tunables::kFirstBuffer)
    return 1;
  uint64_t result = 2;
  for (uint64_t elements = tunables::kFirstBuffer; elements < width; elements *= 2)
    ++result;
  return result;
}

uint64_t LevelChannel::largestBytes(ElementLayout layout, uint64_t width, uint32_t granularity) {
  // The widths of the buffers add up to the channel's width. Each buffer has a head of its own, and may round its
  // columns up to cache lines.
  uint64_t segments = mostSegments(width);
  StoreSize head = segmentSize(layout, 1, granularity), all = segmentSize(layout, width, granularity);
  uint64_t result;
  // Rounding adds a quarter to a block at most.
  if (segments == 1)
    return Arena::blockBytes(all.bytes, all.align);
  if (__builtin_add_overflow(all.bytes, (segments - 1) * (head.bytes + 8), &result))
    return ~uint64_t(0);
  return result + result / 4;
}

/// Returns the elements of the buffer to add next, when a wave of `lanes` asks; 0: no buffer can be added.
uint64_t LevelChannel::growth(uint64_t lanes) const {
  if (totalWidth >= width || numSegments >= mostSegments(width))
    return 0;
  uint64_t first = lanes > tunables::kFirstBuffer ? lanes : tunables::kFirstBuffer;
  uint64_t added = totalWidth > first ? totalWidth : first;
  return added < width - totalWidth ? added : width - totalWidth;
}

bool LevelChannel::grow(const ChannelBudget &budget, uint64_t lanes) {
  uint64_t added = growth(lanes);
  // Without memory for another buffer, the wave yields, if the channel has a buffer.
  return added && addSegment(budget, added, newest ? added : 1);
}

bool LevelChannel::hasMemoryFor(const ChannelBudget &budget, uint64_t elements) const {
  if (!budget.arena.isLimited())
    return true;
  FieldLayout *fields = static_cast<FieldLayout *>(__builtin_alloca((layout.numFields + 1) * sizeof(FieldLayout)));
  BufferLayout places = placesOf(layout, elements, budget.granularity, hasRuns, fields);
  return budget.arena.fits(places.bytes, places.align);
}

/// Adds a buffer with room for a run of `least` elements, if the channel has so many free elements.
bool LevelChannel::growForRun(const ChannelBudget &budget, uint64_t least, uint64_t first) {
  // An empty buffer may be too small for the run, and its memory may be needed.
  retire(budget, nullptr);
  uint64_t room = freeForRuns();
  for (const ChannelBuffer *segment = oldest; segment; segment = segment->next)
    // While this wavefront used the buffer, the last group of done elements could not be freed.
    mayReclaim |= !segment->users && !segment->outstanding && segment->channel.live();
  if (room < least)
    return false;
  for (const ChannelBuffer *segment = oldest; segment; segment = segment->next)
    // These wavefronts may still get the rest of the buffer.
    if (segment->reservers) {
      hasDoubts = true;
      return false;
    }
  uint64_t added = totalWidth > first ? totalWidth : first;
  added = added > tunables::kFirstBuffer ? added : tunables::kFirstBuffer;
  return addSegment(budget, added < room ? added : room, least);
}

/// Adds a buffer of `elements` elements; if memory is short, of fewer, but at least `least`. If there is no memory for
/// the first buffer of a channel, the run fails.
bool LevelChannel::addSegment(const ChannelBudget &budget, uint64_t elements, uint64_t least) {
  while (elements > least && !hasMemoryFor(budget, elements))
    elements = elements / 2 > least ? elements / 2 : least;
  if (newest && !hasMemoryFor(budget, elements))
    return false;
  FieldLayout *fields = static_cast<FieldLayout *>(__builtin_alloca((layout.numFields + 1) * sizeof(FieldLayout)));
  BufferLayout places = placesOf(layout, elements, budget.granularity, hasRuns, fields);
  char *memory = static_cast<char *>(budget.arena.allocate(places.bytes, places.align));
  auto *segment = reinterpret_cast<ChannelBuffer *>(memory);
  auto *flags = hasRuns ? reinterpret_cast<uint8_t *>(memory + places.flags) : nullptr;
  *segment = {.channel = {},
              .next = nullptr,
              .columns = reinterpret_cast<void **>(memory + places.columns),
              .isPastEnd = flags,
              .bytes = places.bytes,
              .outstanding = 0,
              .head = 0,
              .users = 0,
              .reservers = 0};
  for (uint32_t f = 0; f < layout.numFields; ++f)
    segment->columns[f] = memory + places.data + fields[f].offset;
  segment->channel.initialise({elements, budget.granularity},
                              reinterpret_cast<ChannelBuffer::Channel::ControlCell *>(memory + places.control),
                              reinterpret_cast<ChannelBuffer::Channel::CountCell *>(memory + places.counts));
  (newest ? newest->next : oldest) = segment;
  newest = segment;
  totalWidth += elements;
  mostWidth = totalWidth > mostWidth ? totalWidth : mostWidth;
  ++numSegments;
  return true;
}

Reservation LevelChannel::takeSpare(const ChannelBudget &budget, uint64_t asked, uint64_t least) {
  SpareRun **link = &spares;
  while (*link && (*link)->elements.count < least)
    link = &(*link)->next;
  SpareRun *run = *link;
  if (!run)
    return {};
  Reservation result = run->elements;
  if (asked < result.count)
    result.count = asked;
  run->elements.position += result.count;
  run->elements.count -= result.count;
  if (!run->elements.count) {
    *link = run->next;
    budget.arena.release(run, sizeof(SpareRun), alignof(SpareRun));
  }
  return result;
}

void LevelChannel::leave(const ChannelBudget &budget, const Reservation &unused) {
  if (!unused.count)
    return;
  for (SpareRun *run = spares; run; run = run->next) {
    Reservation &other = run->elements;
    if (other.segment != unused.segment)
      continue;
    // Neighbours become one run. Only in a channel of runs it may continue past the end of the data array.
    bool isBefore = unused.position + unused.count == other.position;
    if (!isBefore && other.position + other.count != unused.position)
      continue;
    uint64_t later = isBefore ? other.position : unused.position;
    if (!hasRuns && unused.segment->channel.slotOf(later) == 0)
      continue;
    if (isBefore)
      other.position = unused.position;
    other.count += unused.count;
    return;
  }
  auto *run = static_cast<SpareRun *>(budget.arena.allocate(sizeof(SpareRun), alignof(SpareRun)));
  *run = {.next = spares, .elements = unused};
  spares = run;
}

/// Cuts a reservation at the end of the data array. The rest is left to the next wavefront that asks.
Reservation LevelChannel::cutAtEnd(const ChannelBudget &budget, Reservation whole) {
  if (!whole.count)
    return whole;
  uint64_t slot = whole.segment->channel.slotOf(whole.position), size = whole.segment->channel.width();
  if (slot + whole.count <= size)
    return whole;
  uint64_t first = size - slot;
  leave(budget, {whole.segment, whole.position + first, whole.count - first});
  return {whole.segment, whole.position, first};
}

Reservation LevelChannel::reserve(const ChannelBudget &budget, uint64_t asked, uint64_t lanes, CasCounts &cas) {
  for (;;) {
    Reservation spare = takeSpare(budget, asked);
    if (spare.count)
      return cutAtEnd(budget, spare);
    ChannelBuffer *segment = newest;
    if (segment) {
      ScalarWave one;
      ++segment->users;
      auto grant = segment->channel.talloc(one, ScalarWave::PerLane<uint32_t>(uint32_t(asked)), Grant::Partial, cas);
      --segment->users;
      segment->outstanding += grant.granted;
      if (grant.granted)
        return cutAtEnd(budget, {segment, grant.first[0], grant.granted});
    }
    // Another wavefront may have left a spare, or added a buffer, while this wavefront waited for its turn.
    if (newest == segment && !spares && !grow(budget, lanes))
      return {};
  }
}

Reservation LevelChannel::reserveRun(const ChannelBudget &budget, uint64_t asked, uint64_t least, uint64_t first,
                                     CasCounts &cas) {
  for (uint64_t wanted = asked;;) {
    if (Reservation spare = takeSpare(budget, asked, least); spare.count)
      return spare;
    ChannelBuffer *segment = newest;
    if (segment) {
      ScalarWave one;
      ++segment->users;
      ++segment->reservers;
      auto grant = segment->channel.talloc(one, ScalarWave::PerLane<uint32_t>(uint32_t(wanted)), Grant::Whole, cas);
      --segment->users;
      if (!--segment->reservers && hasDoubts) {
        hasDoubts = false;
        hasMoreRoom = true;
      }
      segment->outstanding += grant.granted;
      if (grant.granted)
        return {segment, grant.first[0], grant.granted};
    }
    if (wanted > least)
      wanted = least;
    else if (newest == segment && !growForRun(budget, least, asked > first ? asked : first))
      return {};
  }
}

void *LevelChannel::makeRun(const Reservation &run) {
  uint64_t first = run.segment->channel.slotOf(run.position), size = run.segment->channel.width();
  for (uint64_t place = first; place < first + run.count; ++place)
    run.segment->isPastEnd[place % size] = place >= size;
  return elementOfRun(*run.segment, first);
}

void LevelChannel::publish(const Reservation &filled, CasCounts &cas) {
  ScalarWave one;
  ++filled.segment->users;
  filled.segment->channel.enq(one, ScalarWave::PerLane<uint64_t>(filled.position),
                              ScalarWave::PerLane<uint32_t>(uint32_t(filled.count)), cas);
  --filled.segment->users;
}

uint64_t LevelChannel::ready() {
  uint64_t result = 0;
  for (ChannelBuffer *segment = oldest; segment; segment = segment->next)
    result += segment->channel.ready();
  return result;
}

uint32_t LevelChannel::dispatch(uint64_t most, DispatchedRange *ranges, uint32_t maxRanges) {
  uint32_t count = 0;
  for (ChannelBuffer *segment = oldest; segment && most && count < maxRanges; segment = segment->next) {
    ControlRange range = segment->channel.dispatch(most);
    if (!range.count)
      continue;
    ranges[count++] = {.segment = segment, .range = range};
    most -= range.count;
  }
  return count;
}

bool LevelChannel::dropSpares(const ChannelBudget &budget) {
  bool any = spares;
  while (SpareRun *run = spares) {
    Reservation unused = run->elements;
    spares = run->next;
    ScalarWave one;
    unused.segment->outstanding -= unused.count;
    mayReclaim = true;
    unused.segment->channel.giveBack(one, ScalarWave::PerLane<uint64_t>(unused.position),
                                     ScalarWave::PerLane<uint32_t>(uint32_t(unused.count)));
    if (hasRuns) {
      run->next = holes;
      holes = run;
    } else {
      budget.arena.release(run, sizeof(SpareRun), alignof(SpareRun));
    }
  }
  return any;
}

uint64_t LevelChannel::reclaim(const ChannelBudget &budget) {
  uint64_t freed = 0;
  mayReclaim = false;
  for (ChannelBuffer *segment = oldest; segment; segment = segment->next) {
    if (!segment->channel.live())
      continue;
    uint64_t count =
        segment->channel.reclaim(segment->outstanding || segment->users ? Reclaim::FullGroups : Reclaim::Drained);
    segment->head += count;
    freed += count;
    forgetHoles(budget, *segment);
  }
  retire(budget, newest);
  return freed;
}

/// Forgets holes that were freed.
void LevelChannel::forgetHoles(const ChannelBudget &budget, const ChannelBuffer &segment) {
  for (SpareRun **link = &holes; SpareRun *run = *link;) {
    Reservation &hole = run->elements;
    uint64_t end = hole.position + hole.count;
    if (hole.segment == &segment && end <= segment.head) {
      *link = run->next;
      budget.arena.release(run, sizeof(SpareRun), alignof(SpareRun));
      continue;
    }
    if (hole.segment == &segment && hole.position < segment.head)
      hole = {.segment = hole.segment, .position = segment.head, .count = end - segment.head};
    link = &run->next;
  }
}

/// Frees all empty buffers except `kept`.
void LevelChannel::retire(const ChannelBudget &budget, const ChannelBuffer *kept) {
  newest = nullptr;
  for (ChannelBuffer **link = &oldest; ChannelBuffer *segment = *link;) {
    if (segment == kept || segment->outstanding || segment->users || segment->channel.live()) {
      newest = segment;
      link = &segment->next;
      continue;
    }
    *link = segment->next;
    totalWidth -= segment->channel.width();
    --numSegments;
    uint64_t align = segmentSize(layout, segment->channel.width(), budget.granularity).align;
    budget.arena.release(segment, segment->bytes, align);
  }
}

uint64_t LevelChannel::outstanding() const {
  uint64_t result = 0;
  for (ChannelBuffer *segment = oldest; segment; segment = segment->next)
    result += segment->outstanding;
  return result;
}

/// Returns the free elements, including those of a buffer that could be added, without spares.
uint64_t LevelChannel::freeForRuns() const {
  uint64_t result = width;
  for (const SpareRun *hole = holes; hole; hole = hole->next)
    result += hole->elements.count;
  for (const ChannelBuffer *segment = oldest; segment; segment = segment->next)
    result -= segment->channel.live();
  return result;
}

bool LevelChannel::mayGrantRun(uint64_t least) const {
  for (const SpareRun *run = spares; run; run = run->next)
    if (run->elements.count >= least)
      return true;
  return freeForRuns() >= least;
}

uint64_t LevelChannel::room(const ChannelBudget &budget, uint64_t lanes) const {
  uint64_t result = 0;
  if (hasRuns) {
    result = freeForRuns();
  } else {
    // There must be a first buffer, even if memory is short.
    uint64_t added = growth(lanes);
    if (added && (!newest || hasMemoryFor(budget, added)))
      result = width - totalWidth;
    if (newest)
      result += newest->channel.width() - newest->channel.live();
  }
  for (const SpareRun *run = spares; run; run = run->next)
    result += run->elements.count;
  return result;
}

bool LevelChannel::holdsDone() const { return newest && newest->channel.live() > newest->outstanding; }

} // namespace cilk2gpu::rt
