// Records are in chunks, in the order of their creation. The tasks are sorted by counting: first by site, then by
// level. So the loop over a level calls one site after the other, and neighbouring lanes do the same work.
#include "depend/DependTable.h"
#include "process/Message.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

static void *allocate(uint64_t bytes) {
  if (void *block = malloc(bytes))
    return block;
  fatal("out of memory: %llu bytes for ordered tasks could not be allocated; write a sync between the spawns",
        static_cast<unsigned long long>(bytes));
}

void *DependTable::take(uint64_t bytes) {
  memory.take(bytes);
  return allocate(bytes);
}

template <class T> void DependTable::List<T>::push(const T &value, DependMemory &memory) {
  if (count == room) {
    const uint32_t wanted = room ? 2 * room : 8;
    T *larger = static_cast<T *>(allocate(wanted * sizeof(T)));
    memory.take((wanted - room) * sizeof(T));
    room = wanted;
    if (items)
      memcpy(larger, items, count * sizeof(T));
    free(items);
    items = larger;
  }
  items[count++] = value;
}

template <class T> DependTable::List<T>::~List() { free(items); }

DependTable::~DependTable() {
  reset();
  free(chunks);
}

// Keeps the largest chunk, which is the first one, for the next tasks.
void DependTable::reset() {
  memory.countTasks(tasks.count, numLevels);
  if (orderBytes)
    memory.give(orderBytes);
  orderBytes = 0;
  free(sorted);
  free(starts);
  sorted = nullptr;
  starts = nullptr;
  tasks.count = items.count = repetitions.count = 0;
  numLevels = numSites = level = 0;
  accesses.clear();
  if (!chunks)
    return;
  for (Chunk *next; (next = chunks->next); free(next)) {
    memory.give(sizeof(Chunk) + next->bytes);
    chunks->next = next->next;
  }
  room = reinterpret_cast<uintptr_t>(chunks + 1);
}

void DependTable::newChunk(uint64_t bytes) {
  constexpr uint64_t kFirst = 960, kLargest = 1 << 20;
  uint64_t size = chunks ? 2 * chunks->bytes : kFirst;
  size = size > kLargest ? kLargest : size;
  size = size < bytes ? bytes : size;
  auto *chunk = static_cast<Chunk *>(take(sizeof(Chunk) + size));
  *chunk = {chunks, size};
  chunks = chunk;
  room = reinterpret_cast<uintptr_t>(chunk + 1);
  limit = room + size;
}

uintptr_t DependTable::takeFromChunk(uint64_t bytes, uint64_t align) {
  uintptr_t begin = (room + align - 1) & ~(align - 1);
  if (begin + bytes > limit) {
    newChunk(bytes + align);
    begin = (room + align - 1) & ~(align - 1);
  }
  room = begin + bytes;
  return begin;
}

DependTable::Task *DependTable::create(uint32_t site, uint64_t bytes, uint64_t align) {
  created = reinterpret_cast<Task *>(takeFromChunk(bytes, align < alignof(Task) ? alignof(Task) : align));
  items.count = repetitions.count = 0;
  numSites = site < numSites ? numSites : site + 1;
  *created = {site, 0, nullptr};
  return created;
}

DependTable::Place *DependTable::place() {
  if (!created->place) {
    created->place = reinterpret_cast<Place *>(takeFromChunk(sizeof(Place), alignof(Place)));
    *created->place = {this, nullptr, nullptr, 0};
  }
  return created->place;
}

void DependTable::setThrown(uint64_t number) {
  uint64_t found =
      __atomic_load_n(&firstThrown, __ATOMIC_RELAXED); // read again behind the level, when its tasks are done
  while (number < found &&
         !__atomic_compare_exchange_n(&firstThrown, &found, number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void DependTable::repeat(uint64_t count, uint64_t stride) { repetitions.push({count, stride}, memory); }

// Adds the item's rows. A row as long as the distance to the next one belongs together with it.
void DependTable::addRows(uint32_t dimension, uintptr_t begin, uint64_t bytes, bool writes) {
  if (dimension == repetitions.count)
    return items.push({begin, begin + bytes, writes}, memory);
  const Repetition repetition = repetitions.items[dimension];
  for (uint64_t i = 0; i != repetition.count; ++i)
    addRows(dimension + 1, begin + i * repetition.stride, bytes, writes);
}

void DependTable::item(const void *base, uint64_t count, uint64_t elementSize, bool writes) {
  uint64_t bytes = count * elementSize;
  while (repetitions.count && repetitions.items[repetitions.count - 1].stride == bytes)
    bytes *= repetitions.items[--repetitions.count].count;
  if (bytes != 0)
    addRows(0, reinterpret_cast<uintptr_t>(base), bytes, writes);
  repetitions.count = 0;
}

bool DependTable::add() {
  uint32_t last = 0;
  for (uint32_t i = 0; i != items.count; ++i) {
    const uint32_t found = accesses.latest(items.items[i]);
    last = found > last ? found : last;
  }
  const uint32_t found = last + 1;
  created->level = found;
  tasks.push(created, memory);
  numLevels = found > numLevels ? found : numLevels;
  constexpr bool writesThenReads[] = {true, false}; // a byte that the task reads and writes counts as both
  for (bool writes : writesThenReads)
    for (uint32_t i = 0; i != items.count; ++i)
      if (items.items[i].writes == writes)
        accesses.add(items.items[i], found);
  return tasks.count == kMaxTasks;
}

void DependTable::addAlone() {
  created->level = numLevels = 1;
  tasks.push(created, memory);
}

// Copies the tasks to `to` in the order of their keys, and keeps the order of equal keys. Returns where each key
// begins.
template <class Key>
static uint32_t *sortBy(Key key, uint32_t keys, DependTable::Task *const *from, uint32_t count,
                        DependTable::Task **to) {
  auto *starts = static_cast<uint32_t *>(calloc(keys + 2, sizeof(uint32_t)));
  if (!starts)
    fatal("out of memory: %u ordered tasks could not be sorted; write a sync between the spawns", count);
  for (uint32_t i = 0; i != count; ++i)
    ++starts[key(*from[i]) + 2];
  for (uint32_t i = 2; i != keys + 2; ++i)
    starts[i] += starts[i - 1];
  for (uint32_t i = 0; i != count; ++i)
    to[starts[key(*from[i]) + 1]++] = from[i];
  return starts;
}

void DependTable::sort() {
  orderBytes = tasks.count * sizeof(Task *) + (numLevels + 2) * sizeof(uint32_t);
  memory.take(orderBytes + (numSites + 2) * sizeof(uint32_t));
  sorted = static_cast<Task **>(allocate(tasks.count * sizeof(Task *)));
  if (numSites > 1) {
    free(sortBy([](const Task &task) { return task.site; }, numSites, tasks.items, tasks.count, sorted));
    Task **bySite = sorted;
    sorted = tasks.items;
    tasks.items = bySite;
    orderBytes += (tasks.room - tasks.count) * sizeof(Task *); // the larger one of both arrays
    tasks.room = tasks.count;
  }
  memory.give((numSites + 2) * sizeof(uint32_t));
  starts = sortBy([](const Task &task) { return task.level - 1; }, numLevels, tasks.items, tasks.count, sorted);
}

DependTable::Task *const *DependTable::waiting(uint64_t &count) const {
  const uint32_t first = sorted ? starts[level] : 0;
  count = level == numLevels ? 0 : tasks.count - first;
  return (sorted ? sorted : tasks.items) + first;
}

DependTable::Task **DependTable::next(uint64_t &count) {
  if (level == numLevels) {
    reset();
    return nullptr;
  }
  if (tasks.count == 1) {
    level = numLevels;
    count = 1;
    return tasks.items;
  }
  if (!sorted)
    sort();
  Task **first = sorted + starts[level];
  count = starts[level + 1] - starts[level];
  ++level;
  return first;
}

} // namespace cilk2gpu::rt
