// Keeps the segments sorted. Both kinds of accesses first split the segments at their ends, so that each segment lies
// inside of the access or outside of it.
#include "depend/AccessMap.h"
#include "process/Message.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

AccessMap::~AccessMap() {
  for (uint32_t i = 0; i != numGroups + numKept; ++i)
    free(groups[i]);
  free(groups);
}

void AccessMap::clear() {
  numKept += numGroups;
  numGroups = 0;
}

uint64_t AccessMap::size() const {
  uint64_t result = 0;
  for (uint32_t i = 0; i != numGroups; ++i)
    result += groups[i]->count;
  return result;
}

// Returns the first segment that ends behind `address`.
AccessMap::Place AccessMap::find(uintptr_t address) const {
  uint32_t low = 0, high = numGroups; // the groups before `low` begin at or before the address
  while (low != high) {
    const uint32_t middle = low + (high - low) / 2;
    if (groups[middle]->segments[0].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return {0, 0};
  const Group &group = *groups[low - 1];
  uint32_t first = 0, last = group.count;
  while (first != last) {
    const uint32_t middle = first + (last - first) / 2;
    if (group.segments[middle].end <= address)
      first = middle + 1;
    else
      last = middle;
  }
  return first == group.count ? Place{low, 0} : Place{low - 1, first};
}

AccessMap::Place AccessMap::next(Place place) const {
  return ++place.index == groups[place.group]->count ? Place{place.group + 1, 0} : place;
}

// Makes room for one more group, which becomes the first kept one.
void AccessMap::addGroup() {
  const uint32_t larger = numGroups < room ? room : room ? 2 * room : 4;
  if (larger != room)
    groups = static_cast<Group **>(realloc(groups, larger * sizeof(Group *)));
  Group *group = groups ? static_cast<Group *>(malloc(sizeof(Group))) : nullptr;
  if (!group)
    fatal("out of memory: the items of depend clauses could not be kept; write a sync between the spawns");
  if (memory)
    memory->take((larger - room) * sizeof(Group *) + sizeof(Group));
  room = larger;
  groups[numGroups] = group;
  numKept = 1;
}

// Puts an empty group at the index.
void AccessMap::insertGroup(uint32_t index) {
  if (numKept == 0)
    addGroup();
  Group *group = groups[numGroups];
  --numKept;
  memmove(groups + index + 1, groups + index, (numGroups - index) * sizeof(Group *));
  group->count = 0;
  groups[index] = group;
  ++numGroups;
}

void AccessMap::splitGroup(uint32_t index) {
  insertGroup(index + 1);
  Group &low = *groups[index], &high = *groups[index + 1];
  high.count = low.count / 2;
  low.count -= high.count;
  memcpy(high.segments, low.segments + low.count, high.count * sizeof(Segment));
}

// Inserts the segment in front of the place, and returns its place.
AccessMap::Place AccessMap::insert(Place place, const Segment &segment) {
  if (numGroups == 0)
    insertGroup(0);
  if (place.index == 0 && place.group != 0) // behind the last segment of the group before
    place = {place.group - 1, groups[place.group - 1]->count};
  if (groups[place.group]->count == kGroupSegments) {
    splitGroup(place.group);
    if (const uint32_t count = groups[place.group]->count; place.index > count)
      place = {place.group + 1, place.index - count};
  }
  Group &group = *groups[place.group];
  memmove(group.segments + place.index + 1, group.segments + place.index,
          (group.count - place.index) * sizeof(Segment));
  group.segments[place.index] = segment;
  ++group.count;
  return place;
}

// Erases the segments from `first` on that begin before `end`.
void AccessMap::erase(Place first, uintptr_t end) {
  while (!isEnd(first) && at(first).begin < end) {
    Group &group = *groups[first.group];
    uint32_t last = first.index + 1;
    while (last != group.count && group.segments[last].begin < end)
      ++last;
    memmove(group.segments + first.index, group.segments + last, (group.count - last) * sizeof(Segment));
    group.count -= last - first.index;
    if (group.count == 0) {
      Group *empty = &group;
      memmove(groups + first.group, groups + first.group + 1, (numGroups - first.group - 1) * sizeof(Group *));
      groups[--numGroups] = empty;
      ++numKept;
      first.index = 0;
    } else if (first.index == group.count) {
      first = {first.group + 1, 0};
    }
  }
}

// Splits the segment that holds the bytes before and behind the address.
void AccessMap::splitAt(uintptr_t address) {
  const Place place = find(address);
  if (isEnd(place) || at(place).begin >= address)
    return;
  Segment low = at(place);
  low.end = address;
  at(place).begin = address;
  insert(place, low);
}

uint32_t AccessMap::latest(const Access &access) const {
  uint32_t level = 0;
  for (Place place = find(access.begin); !isEnd(place) && at(place).begin < access.end; place = next(place)) {
    const Segment &segment = at(place);
    level = segment.written > level ? segment.written : level;
    if (access.writes && segment.read > level)
      level = segment.read;
  }
  return level;
}

void AccessMap::addRead(const Access &access, uint32_t level) {
  uintptr_t done = access.begin;
  for (Place place = find(access.begin); done < access.end; place = next(place)) {
    const bool hasGap = isEnd(place) || at(place).begin > done;
    if (hasGap) {
      const uintptr_t end = isEnd(place) || at(place).begin > access.end ? access.end : at(place).begin;
      place = insert(place, {done, end, 0, level});
    } else if (at(place).read < level) {
      at(place).read = level;
    }
    done = at(place).end;
  }
}

void AccessMap::addWrite(const Access &access, uint32_t level) {
  Place place = find(access.begin);
  if (isEnd(place) || at(place).begin >= access.end) {
    insert(place, {access.begin, access.end, level, 0});
    return;
  }
  Segment &first = at(place);
  const uintptr_t end = first.end;
  first = {access.begin, access.end, level, 0};
  if (end < access.end)
    erase(next(place), access.end);
}

void AccessMap::add(const Access &access, uint32_t level) {
  if (access.begin >= access.end)
    return;
  if (const Place place = find(access.begin);
      !isEnd(place) && at(place).begin == access.begin && at(place).end == access.end) {
    Segment &same = at(place);
    const bool keepsRead = !access.writes && same.read > level;
    same.written = access.writes ? level : same.written;
    same.read = access.writes ? 0 : keepsRead ? same.read : level;
    return;
  }
  splitAt(access.begin);
  splitAt(access.end);
  if (access.writes)
    addWrite(access, level);
  else
    addRead(access, level);
}

} // namespace cilk2gpu::rt
