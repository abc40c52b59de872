// A segment is one block of memory: the channel's words, the columns' addresses, control array, done counts, data
// array.
#include "emulator/LevelChannel.h"

namespace cilk2gpu::rt {

namespace {
/// Places of a segment's parts, in bytes from its start.
struct SegmentPlaces {
  uint64_t columns, control, counts, data, bytes, align;
};

uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

SegmentPlaces placesOf(ElementLayout layout, uint64_t elements, uint32_t granularity, FieldPlace *fields) {
  ChannelShape shape = {elements, granularity};
  StoreSize data = StructureOfArrays::place(layout.fields, layout.numFields, elements, fields);
  SegmentPlaces places;
  places.columns = sizeof(ChannelSegment);
  places.control = alignTo(places.columns + layout.numFields * sizeof(void *), 8);
  places.counts = places.control + shape.controlEntries() * sizeof(ChannelSegment::Channel::ControlCell);
  uint64_t end = places.counts + shape.doneCounts() * sizeof(ChannelSegment::Channel::CountCell);
  places.align = data.align > alignof(ChannelSegment) ? data.align : alignof(ChannelSegment);
  places.data = alignTo(end, data.align);
  if (data.bytes == StoreSize::kTooLarge || __builtin_add_overflow(places.data, data.bytes, &places.bytes))
    places.bytes = ~uint64_t(0) >> 1;
  return places;
}
} // namespace

StoreSize LevelChannel::segmentSize(ElementLayout layout, uint64_t elements, uint32_t granularity) {
  FieldPlace *fields = static_cast<FieldPlace *>(__builtin_alloca((layout.numFields + 1) * sizeof(FieldPlace)));
  SegmentPlaces places = placesOf(layout, elements, granularity, fields);
  return {places.bytes, places.align};
}

/// One for each doubling from a channel's first elements, one that fills it up, and one such that is left of before.
uint64_t LevelChannel::mostSegments(uint64_t width) {
  if (width <= tunables::kFirstSegment)
    return 1;
  uint64_t result = 2;
  for (uint64_t elements = tunables::kFirstSegment; elements < width; elements *= 2)
    ++result;
  return result;
}

uint64_t LevelChannel::largestBytes(ElementLayout layout, uint64_t width, uint32_t granularity) {
  // Widths of the segments add up to the width. Each has a head of its own and may round its columns up to cache lines.
  uint64_t segments = mostSegments(width);
  StoreSize head = segmentSize(layout, 1, granularity), all = segmentSize(layout, width, granularity);
  uint64_t result;
  // Blocks are rounded up, by a quarter at most.
  if (segments == 1)
    return Arena::blockBytes(all.bytes, all.align);
  if (__builtin_add_overflow(all.bytes, (segments - 1) * (head.bytes + 8), &result))
    return ~uint64_t(0);
  return result + result / 4;
}

bool LevelChannel::grow(const ChannelBudget &budget, uint64_t lanes) {
  if (totalWidth >= width || numSegments >= mostSegments(width))
    return false;
  uint64_t first = lanes > tunables::kFirstSegment ? lanes : tunables::kFirstSegment;
  uint64_t added = totalWidth > first ? totalWidth : first;
  if (added > width - totalWidth)
    added = width - totalWidth;
  FieldPlace *fields = static_cast<FieldPlace *>(__builtin_alloca((layout.numFields + 1) * sizeof(FieldPlace)));
  SegmentPlaces places = placesOf(layout, added, budget.granularity, fields);
  // Without memory for more, the wave yields, if there is a segment to go on with.
  for (; !budget.arena.fits(places.bytes, places.align); places = placesOf(layout, added, budget.granularity, fields)) {
    if (newest)
      return false;
    if (added == 1)
      break;
    added /= 2;
  }
  char *memory = static_cast<char *>(budget.arena.allocate(places.bytes, places.align));
  auto *segment = reinterpret_cast<ChannelSegment *>(memory);
  *segment = {{}, nullptr, reinterpret_cast<void **>(memory + places.columns), places.bytes, 0, 0};
  for (uint32_t f = 0; f < layout.numFields; ++f)
    segment->columns[f] = memory + places.data + fields[f].offset;
  segment->channel.initialise({added, budget.granularity},
                              reinterpret_cast<ChannelSegment::Channel::ControlCell *>(memory + places.control),
                              reinterpret_cast<ChannelSegment::Channel::CountCell *>(memory + places.counts));
  (newest ? newest->next : oldest) = segment;
  newest = segment;
  totalWidth += added;
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
    // Neighbours become one run, but none goes round the end of the data array.
    bool isBefore = unused.position + unused.count == other.position;
    if (!isBefore && other.position + other.count != unused.position)
      continue;
    uint64_t later = isBefore ? other.position : unused.position;
    if (unused.segment->channel.slotOf(later) == 0)
      continue;
    if (isBefore)
      other.position = unused.position;
    other.count += unused.count;
    return;
  }
  auto *run = static_cast<SpareRun *>(budget.arena.allocate(sizeof(SpareRun), alignof(SpareRun)));
  *run = {spares, unused};
  spares = run;
}

/// Cuts a reservation at the end of the data array; what lies behind is left to the next who asks.
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
    ChannelSegment *segment = newest;
    if (segment) {
      ScalarWave one;
      ++segment->users;
      auto grant = segment->channel.talloc(one, ScalarWave::PerLane<uint32_t>(uint32_t(asked)), Grant::Partial, cas);
      --segment->users;
      segment->outstanding += grant.granted;
      if (grant.granted)
        return cutAtEnd(budget, {segment, grant.first[0], grant.granted});
    }
    // Another wavefront may have left a spare or added a segment while this one waited for its turn.
    if (newest == segment && !spares && !grow(budget, lanes))
      return {};
  }
}

void LevelChannel::giveBack(const Reservation &unused) {
  if (!unused.count)
    return;
  ScalarWave one;
  unused.segment->outstanding -= unused.count;
  mayReclaim = true;
  unused.segment->channel.giveBack(one, ScalarWave::PerLane<uint64_t>(unused.position),
                                   ScalarWave::PerLane<uint32_t>(uint32_t(unused.count)));
}

Reservation LevelChannel::reserveRun(const ChannelBudget &budget, uint64_t asked, uint64_t least, uint64_t first,
                                     CasCounts &cas) {
  for (uint64_t wanted = asked;;) {
    if (Reservation spare = takeSpare(budget, asked, least); spare.count)
      return spare;
    ChannelSegment *segment = newest;
    uint64_t granted = 0, position = 0;
    if (segment) {
      ScalarWave one;
      ++segment->users;
      auto grant = segment->channel.talloc(one, ScalarWave::PerLane<uint32_t>(uint32_t(wanted)), Grant::Whole, cas);
      --segment->users;
      granted = grant.granted;
      position = grant.first[0];
      segment->outstanding += granted;
    }
    if (granted) {
      // The run may go round the end of the data array: one of its parts is returned.
      uint64_t slot = segment->channel.slotOf(position), size = segment->channel.width();
      uint64_t upToEnd = slot + granted <= size ? granted : size - slot;
      bool takesFirst = upToEnd >= least;
      Reservation front = {segment, position, upToEnd}, back = {segment, position + upToEnd, granted - upToEnd};
      if (!takesFirst && back.count < least) {
        giveBack(front);
        giveBack(back);
        continue;
      }
      leave(budget, takesFirst ? back : front);
      return takesFirst ? front : back;
    } else if (wanted > least) {
      wanted = least;
    } else if (newest == segment && !grow(budget, asked > first ? asked : first)) {
      return {};
    }
  }
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
  for (ChannelSegment *segment = oldest; segment; segment = segment->next)
    result += segment->channel.ready();
  return result;
}

uint32_t LevelChannel::dispatch(uint64_t most, DispatchedRange *ranges, uint32_t maxRanges) {
  uint32_t count = 0;
  for (ChannelSegment *segment = oldest; segment && most && count < maxRanges; segment = segment->next) {
    ControlRange range = segment->channel.dispatch(most);
    if (!range.count)
      continue;
    ranges[count++] = {segment, range};
    most -= range.count;
  }
  return count;
}

void LevelChannel::dropSpares(const ChannelBudget &budget) {
  while (SpareRun *run = spares) {
    Reservation unused = run->elements;
    spares = run->next;
    budget.arena.release(run, sizeof(SpareRun), alignof(SpareRun));
    ScalarWave one;
    unused.segment->outstanding -= unused.count;
    mayReclaim = true;
    unused.segment->channel.giveBack(one, ScalarWave::PerLane<uint64_t>(unused.position),
                                     ScalarWave::PerLane<uint32_t>(uint32_t(unused.count)));
  }
}

uint64_t LevelChannel::reclaim(const ChannelBudget &budget) {
  uint64_t freed = 0;
  mayReclaim = false;
  for (ChannelSegment *segment = oldest; segment; segment = segment->next)
    if (segment->channel.live())
      freed +=
          segment->channel.reclaim(segment->outstanding || segment->users ? Reclaim::FullGroups : Reclaim::Drained);
  retire(budget);
  return freed;
}

void LevelChannel::retire(const ChannelBudget &budget) {
  for (ChannelSegment **link = &oldest; *link != newest;) {
    ChannelSegment *segment = *link;
    if (segment->outstanding || segment->users || segment->channel.live()) {
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
  for (ChannelSegment *segment = oldest; segment; segment = segment->next)
    result += segment->outstanding;
  return result;
}

uint64_t LevelChannel::room() const {
  uint64_t result = numSegments < mostSegments(width) ? width - totalWidth : 0;
  for (const SpareRun *run = spares; run; run = run->next)
    result += run->elements.count;
  if (newest)
    result += newest->channel.width() - newest->channel.live();
  return result;
}

bool LevelChannel::holdsDone() const { return newest && newest->channel.live() > newest->outstanding; }

} // namespace cilk2gpu::rt
