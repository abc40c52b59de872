// See ViewTable.h.
#include "reducers/ViewTable.h"
#include "process/Message.h"
#include "reducers/SmallBlocks.h"

#include <stddef.h>
#include <stdlib.h>

namespace cilk2gpu::rt::reducers {

/// Alignment of a view: the largest power of two that divides its size, because the alignment of a type divides the
/// size of the type. At least the alignment of malloc, and at most a page.
static size_t alignmentOf(size_t size) {
  size_t align = size & -size;
  return align < 16 ? 16 : align > 4096 ? 4096 : align;
}

/// Returns true if a view needs more alignment than malloc gives.
static bool isAligned(size_t size) { return alignmentOf(size) > alignof(max_align_t); }

View makeView(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce) {
  if (!identity || !reduce)
    fatal("a reducer has a function for the identity and a function that reduces two views; found a null pointer");
  View view;
  view.key = key;
  view.reduce = reduce;
  view.bytes = size;
  if (!isAligned(size))
    view.memory = takeBlock(size);
  else if (posix_memalign(&view.memory, alignmentOf(size), size) != 0)
    view.memory = nullptr;
  if (!view.memory)
    fatal("out of memory: a view of a reducer with %zu bytes could not be made", size);
  identity(view.memory);
  return view;
}

void reduceInto(void *left, const View &right) {
  right.reduce(left, right.memory);
  isAligned(right.bytes) ? free(right.memory) : giveBlock(right.memory, right.bytes);
}

ViewTable::~ViewTable() {
  if (entries)
    giveBlock(entries, capacity * sizeof(View));
}

uint32_t ViewTable::slotOf(const void *key) const {
  uint64_t hash = reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u;
  return uint32_t(hash >> 32) & (capacity - 1);
}

View *ViewTable::findEntry(const void *key) {
  if (!capacity)
    return nullptr;
  for (uint32_t at = slotOf(key);; at = (at + 1) & (capacity - 1)) {
    if (entries[at].key == key)
      return &entries[at];
    if (!entries[at].key)
      return nullptr;
  }
}

/// Doubles the entries, so that at most half of them are used.
void ViewTable::grow() {
  View *old = entries;
  uint32_t oldCapacity = capacity;
  capacity = capacity ? 2 * capacity : 8;
  entries = static_cast<View *>(takeBlock(capacity * sizeof(View)));
  if (!entries)
    fatal("out of memory: a table of %u views of reducers could not be made", capacity);
  for (uint32_t at = 0; at < capacity; ++at)
    entries[at] = {};
  for (uint32_t at = 0; at < oldCapacity; ++at)
    if (old[at].key)
      addEntry(old[at]);
  if (old)
    giveBlock(old, oldCapacity * sizeof(View));
}

/// Adds a view to the entries, without counting it. There is room.
void ViewTable::addEntry(const View &view) {
  uint32_t at = slotOf(view.key);
  while (entries[at].key)
    at = (at + 1) & (capacity - 1);
  entries[at] = view;
}

void ViewTable::add(const View &view) {
  if (!single.key) {
    single = view;
  } else {
    if (2 * (used() + 1) > capacity)
      grow();
    addEntry(view);
  }
  ++count;
}

View ViewTable::takeEntry(View *found) {
  View taken = *found;
  *found = {};
  // The entries behind it move up, because a search ends at the first empty entry.
  for (uint32_t at = (uint32_t(found - entries) + 1) & (capacity - 1); entries[at].key;
       at = (at + 1) & (capacity - 1)) {
    View moved = entries[at];
    entries[at] = {};
    addEntry(moved);
  }
  return taken;
}

View ViewTable::take(const void *key) {
  View *found = find(key);
  if (!found)
    return {};
  --count;
  if (found != &single)
    return takeEntry(found);
  View taken = single;
  single = {};
  return taken;
}

void ViewTable::swap(ViewTable &other) {
  auto exchange = [](auto &a, auto &b) {
    auto held = a;
    a = b;
    b = held;
  };
  exchange(single, other.single);
  exchange(entries, other.entries);
  exchange(capacity, other.capacity);
  exchange(count, other.count);
}

/// Takes all views out of the table, and calls `use(view)` for each.
template <typename Use> void ViewTable::takeAll(Use use) {
  View first = single;
  single = {};
  count -= first.key != nullptr;
  if (first.key)
    use(first);
  for (uint32_t at = 0; count && at < capacity; ++at) {
    View view = entries[at];
    if (!view.key)
      continue;
    entries[at] = {};
    --count;
    use(view);
  }
}

void ViewTable::absorb(ViewTable &right) {
  if (isEmpty())
    return swap(right);
  right.takeAll([&](const View &view) {
    View *left = find(view.key);
    if (!left)
      add(view);
    else if (view.isReducer()) // a new reducer at the address of one that was not unregistered
      *left = view;
    else
      reduceInto(left->memory, view);
  });
}

void ViewTable::reduceToReducers() {
  takeAll([](const View &view) {
    if (!view.isReducer())
      reduceInto(view.key, view);
  });
}

} // namespace cilk2gpu::rt::reducers
