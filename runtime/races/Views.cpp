// See Views.h.
#include "Views.h"

#include <stdlib.h>

namespace cilk2gpu::races {

static View **find(ViewSet &set, void *key) {
  View **next = &set.first;
  while (*next && (*next)->key != key)
    next = &(*next)->next;
  return next;
}

static void insert(ViewSet &set, void *key, void *memory, Reduce reduce) {
  auto *view = static_cast<View *>(malloc(sizeof(View)));
  *view = {key, memory, reduce, set.first};
  set.first = view;
}

void *Views::lookup(void *key, size_t size, Identity identity, Reduce reduce) {
  if (View *view = *find(current, key))
    return view->memory;
  if (current.isLeftmost)
    return key;
  constexpr size_t kAlignment = 64; // of a cache line: a view may have any alignment up to this
  void *memory = aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
  insert(current, key, memory, reduce);
  identity(memory);
  return memory;
}

void Views::add(void *key, Reduce reduce) {
  if (!*find(current, key))
    insert(current, key, key, reduce);
}

Removal Views::take(ViewSet &set, void *key, Removal removal) {
  View **place = find(set, key), *found = *place;
  if (removal.isDone || (!found && !set.isLeftmost))
    return removal;
  View left = {key, key, removal.view.reduce, nullptr}; // of the leftmost strand
  if (found) {
    left = *found;
    *place = found->next;
    free(found);
  }
  if (removal.view.memory) {
    ++pauses;
    removal.view.reduce(left.memory, removal.view.memory);
    --pauses;
    free(removal.view.memory);
  }
  return {left, left.memory == key};
}

/// Joins the views of two neighbours. `right` becomes empty.
void Views::join(ViewSet &left, ViewSet &right) {
  if (!left.isUsed) {
    left = right;
    right = {};
    return;
  }
  ++pauses;
  while (View *view = right.first) {
    right.first = view->next;
    View *before = *find(left, view->key);
    if (!before && !left.isLeftmost) {
      view->next = left.first;
      left.first = view;
      continue;
    }
    if (!before && view->memory == view->key) { // made by the right strand: it is the leftmost view already
      free(view);
      continue;
    }
    view->reduce(before ? before->memory : view->key, view->memory);
    if (view->memory != view->key)
      free(view->memory);
    free(view);
  }
  --pauses;
  right = {};
}

void Views::endChild(ViewSet &ended) {
  join(ended, current);
  current.isUsed = true;
}

void Views::wait(ViewSet &ended) {
  if (!ended.isUsed)
    return;
  join(ended, current);
  current = ended;
  ended = {};
}

} // namespace cilk2gpu::races
