// See Activation.h.
#include "reducers/Activation.h"
#include "process/Message.h"
#include "reducers/SmallBlocks.h"

#include <new>
#include <sched.h>
#include <sys/single_threaded.h>

namespace cilk2gpu::rt::reducers {

static Slot *makeSlot(Activation *owner) {
  void *memory = takeBlock(sizeof(Slot));
  if (!memory)
    fatal("out of memory: the views of a task could not be listed");
  Slot *slot = new (memory) Slot;
  slot->owner = owner;
  return slot;
}

static void freeSlot(Slot *slot) {
  slot->~Slot();
  giveBlock(slot, sizeof(Slot));
}

/// Reduces the views of `right` to those of `left`, or to the reducers themselves if no strand comes before `left`.
static void reduceSlot(Slot *left, Slot *right) {
  if (left->isLeftmost())
    right->views.reduceToReducers();
  else
    left->views.absorb(right->views);
}

/// A process with one thread needs no atomic operations. The thread makes no other one under the lock.
void Activation::lock() {
  if (__libc_single_threaded)
    return;
  while (__atomic_exchange_n(&isLocked, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

void Activation::unlock() {
  if (isLocked) // by this thread
    __atomic_store_n(&isLocked, 0, __ATOMIC_RELEASE);
}

void Activation::begin(Slot *slot) {
  first = strand = slot;
  head = tail = nullptr;
  outer = nullptr;
  isEntered = isMerging = isLocked = reserved = 0;
}

void Activation::end() {
  if (head)
    internalError("a task with reducers ended before its children");
  if (first->isLeftmost())
    freeSlot(first);
  else
    first->owner->settle(first);
}

/// Appends an open slot to the list. The lock is held.
Slot *Activation::append() {
  Slot *slot = makeSlot(this);
  slot->left = tail;
  (tail ? tail->right : head) = slot;
  tail = slot;
  return slot;
}

void Activation::unlink(Slot *slot) {
  (slot->left ? slot->left->right : head) = slot->right;
  (slot->right ? slot->right->left : tail) = slot->left;
}

Slot *Activation::spawn() { return appendChild(SlotState::Open); }

Slot *Activation::reserve() { return appendChild(SlotState::Reserved); }

/// Ends the running strand, and appends a slot for a child.
Slot *Activation::appendChild(SlotState state) {
  if (isEntered)
    forgetLookups();
  Slot *ended = strand != first ? strand : nullptr;
  lock();
  strand = nullptr;
  Slot *child = append();
  child->state = state;
  unlock();
  if (ended)
    settle(ended);
  return child;
}

Slot *Activation::adopt(Slot *slot) {
  if (head)
    internalError("an ordered task with reducers began before the children of the task before had ended");
  forgetLookups();
  Slot *own = first;
  first = strand = slot;
  return own;
}

void Activation::release(Slot *own) {
  forgetLookups();
  end();
  first = strand = own;
}

/// Returns the slot of the running strand. Goes on in the first slot if nothing stands between them.
Slot *Activation::open() {
  if (strand)
    return strand;
  lock();
  strand = head || isMerging ? append() : first;
  unlock();
  return strand;
}

bool Activation::mayMerge(const Slot *slot) const {
  return slot == first ? strand != first && !isMerging : slot->state == SlotState::Done;
}

Slot *Activation::neighbourOf(const Slot *slot, bool isLeft) const {
  if (slot == first)
    return isLeft ? nullptr : head;
  return isLeft ? (slot->left ? slot->left : first) : slot->right;
}

/// Reduces `slot`, which is done, and a neighbour that is done, too. Afterwards `slot` is the slot with the views of
/// both. Returns false if there is no such neighbour. The lock is held, except during the reduction.
bool Activation::mergeWithNeighbour(Slot *&slot) {
  if (!mayMerge(slot))
    return false;
  Slot *left = neighbourOf(slot, /*isLeft=*/true), *right = slot;
  if (!left || !mayMerge(left))
    left = slot, right = neighbourOf(slot, /*isLeft=*/false);
  if (!right || !mayMerge(right))
    return false;
  unlink(right);
  left == first ? void(isMerging = 1) : void(left->state = SlotState::Merging);
  unlock();
  reduceSlot(left, right);
  freeSlot(right);
  lock();
  left == first ? void(isMerging = 0) : void(left->state = SlotState::Done);
  slot = left;
  return true;
}

/// Ends the strands of `slot`, and reduces it with its neighbours that are done.
void Activation::settle(Slot *slot) {
  lock();
  slot->state = SlotState::Done;
  while (mergeWithNeighbour(slot)) {
  }
  unlock();
}

void Activation::sync() {
  if (isEntered)
    forgetLookups();
  Slot *ended = strand != first ? strand : nullptr;
  strand = nullptr;
  if (ended)
    settle(ended);
  if (!head)
    strand = first;
  else if (head->state != SlotState::Reserved)
    internalError("the views of a task's children were not reduced at its sync");
}

void *Activation::lookupFirst(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce) {
  Slot *slot = open();
  if (slot->isLeftmost())
    return key;
  if (View *view = slot->views.find(key))
    return view->memory;
  View view = makeView(key, size, identity, reduce);
  slot->views.add(view);
  return view.memory;
}

void Activation::add(void *key, __cilk2gpu_reduce reduce) {
  forgetLookups();
  Slot *slot = open();
  if (slot->isLeftmost())
    return;
  slot->views.take(key); // a reducer at the same address that was not unregistered
  View view;
  view.key = view.memory = key;
  view.reduce = reduce;
  slot->views.add(view);
}

/// Adds the view `right` to the view in the slot, which becomes `right`. Returns true if that is the reducer itself.
static bool takeFrom(Slot *slot, void *key, View &right) {
  if (slot->isLeftmost()) {
    if (right.key)
      reduceInto(key, right);
    return true;
  }
  View left = slot->views.take(key);
  if (!left.key)
    return false;
  if (right.key)
    reduceInto(left.memory, right);
  right = left;
  return right.isReducer();
}

/// Takes the views of the reducer out of the slots to the left of `from`, which is open. Returns true at the reducer
/// itself. Waits while a slot is being merged.
bool Activation::takeLeftOf(const Slot *from, void *key, View &right) {
  lock();
  for (Slot *slot = neighbourOf(from, /*isLeft=*/true); slot; slot = neighbourOf(slot, /*isLeft=*/true)) {
    while (slot == first ? isMerging : slot->state == SlotState::Merging) {
      unlock();
      sched_yield();
      lock();
      slot = neighbourOf(from, /*isLeft=*/true);
    }
    // An open slot belongs to a task that runs or will run, which cannot use a reducer whose life ends.
    bool isOpen = slot != first && (slot->state == SlotState::Open || slot->state == SlotState::Reserved);
    if (!isOpen && takeFrom(slot, key, right))
      return unlock(), true;
  }
  unlock();
  return false;
}

void Activation::remove(void *key) {
  forgetLookups();
  View right;
  Slot *slot = open();
  if (takeFrom(slot, key, right))
    return;
  for (Activation *at = this; !at->takeLeftOf(slot, key, right); at = slot->owner)
    slot = at->first;
}

void Activation::enter() {
  outer = Activation::current();
  setThreadStrand(this);
  isEntered = 1;
}

void Activation::leave() {
  if (!isEntered)
    return;
  isEntered = 0;
  setThreadStrand(outer);
}

Slot *rootSlot() { return Activation::current() ? Activation::current()->spawn() : makeSlot(nullptr); }

} // namespace cilk2gpu::rt::reducers
