// See ViewTable.h.
#include "reducers/ViewTable.h"
#include "process/Message.h"

#include <stdlib.h>

namespace cilk2gpu::rt::reducers {

/// Alignment of a view: the largest power of two that divides its size, because the alignment of a type divides the
/// size of the type. At least the alignment of malloc, and at most a page.
static size_t alignmentOf(size_t size) {
  size_t align = size & -size;
  return align < 16 ? 16 : align > 4096 ? 4096 : align;
}

View makeView(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce) {
  if (!identity || !reduce)
    fatal("a reducer has a function for the identity and a function that reduces two views; found a null pointer");
  View view;
  view.key = key;
  view.reduce = reduce;
  if (posix_memalign(&view.memory, alignmentOf(size), size ? size : 1) != 0)
    fatal("out of memory: a view of a reducer with %zu bytes could not be made", size);
  identity(view.memory);
  return view;
}

void reduceInto(void *left, const View &right) {
  right.reduce(left, right.memory);
  free(right.memory);
}

ViewTable::~ViewTable() { free(entries); }

uint32_t ViewTable::slotOf(const void *key) const {
  uint64_t hash = reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u;
  return uint32_t(hash >> 32) & (capacity - 1);
}

View *ViewTable::find(const void *key) {
  if (!count)
    return nullptr;
  for (uint32_t at = slotOf(key);; at = (at + 1) & (capacity - 1)) {
    if (entries[at].key == key)
      return &entries[at];
    if (!entries[at].key)
      return nullptr;
  }
}

/// Doubles the table, so that at most half of its entries are used.
void ViewTable::grow() {
  View *old = entries;
  uint32_t oldCapacity = capacity;
  capacity = capacity ? 2 * capacity : 4;
  entries = static_cast<View *>(calloc(capacity, sizeof(View)));
  if (!entries)
    fatal("out of memory: a table of %u views of reducers could not be made", capacity);
  count = 0;
  for (uint32_t at = 0; at < oldCapacity; ++at)
    if (old[at].key)
      add(old[at]);
  free(old);
}

void ViewTable::add(const View &view) {
  if (2 * (count + 1) > capacity)
    grow();
  uint32_t at = slotOf(view.key);
  while (entries[at].key)
    at = (at + 1) & (capacity - 1);
  entries[at] = view;
  ++count;
}

View ViewTable::take(const void *key) {
  View *found = find(key);
  if (!found)
    return {};
  View taken = *found;
  *found = {};
  --count;
  // The entries behind it move up, because a search ends at the first empty entry.
  for (uint32_t at = (uint32_t(found - entries) + 1) & (capacity - 1); entries[at].key;
       at = (at + 1) & (capacity - 1)) {
    View moved = entries[at];
    entries[at] = {};
    --count;
    add(moved);
  }
  return taken;
}

void ViewTable::swap(ViewTable &other) {
  ViewTable held;
  auto exchange = [](ViewTable &to, ViewTable &from) {
    to.entries = from.entries, to.capacity = from.capacity, to.count = from.count;
  };
  exchange(held, *this);
  exchange(*this, other);
  exchange(other, held);
  held.entries = nullptr;
}

void ViewTable::absorb(ViewTable &right) {
  if (isEmpty())
    swap(right);
  for (uint32_t at = 0; right.count && at < right.capacity; ++at) {
    View view = right.entries[at];
    if (!view.key)
      continue;
    right.entries[at] = {};
    --right.count;
    View *left = find(view.key);
    if (!left)
      add(view);
    else if (view.isReducer()) // a new reducer at the address of one that was not unregistered
      *left = view;
    else
      reduceInto(left->memory, view);
  }
}

void ViewTable::reduceToReducers() {
  for (uint32_t at = 0; count && at < capacity; ++at) {
    View view = entries[at];
    if (!view.key)
      continue;
    entries[at] = {};
    --count;
    if (!view.isReducer())
      reduceInto(view.key, view);
  }
}

} // namespace cilk2gpu::rt::reducers
