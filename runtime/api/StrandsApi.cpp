// The functions of reducers that compiled programs call (cilk2gpu/abi/StrandViews.h).
#include "api/Host.h"
#include "process/Message.h"
#include "process/TaskScope.h"
#include "reducers/Activation.h"

using namespace cilk2gpu::rt;
using namespace cilk2gpu::rt::reducers;

[[noreturn, gnu::cold, gnu::noinline]] static void refuseUnplacedTask() {
  fatal("a reducer was used in a task whose place in the serial order is not known: a source file without reducers "
        "has a doacross nest in the function that spawned the task, has code for GPUs, or started the task before a "
        "library with the reducer was loaded; use a reducer in that file, too, and none in a doacross nest");
}

/// Returns the activation to whose strand ordinary code belongs. Null outside of runs.
static Activation *currentActivation() {
  Activation *current = Activation::current();
  if (!current && insideTask())
    refuseUnplacedTask();
  return current;
}

static Activation &at(void *activation) { return *static_cast<Activation *>(activation); }

namespace cilk2gpu::rt {

/// Returns false if tasks run on a GPU, where they update reducers in place (lib/Target/GPU/DeviceReducers.cpp). They
/// would never say that their slots are done, so they get none.
static bool haveSlots() {
  static uint32_t answer; // 0: not known yet
  constexpr uint32_t kYes = 1, kNo = 2;
  uint32_t known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (!known) {
    known = startedGpu() ? kNo : kYes;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known == kYes;
}

} // namespace cilk2gpu::rt

// The runtime is compiled with hidden visibility. Functions that programs call are not hidden.
#pragma GCC visibility push(default)
extern "C" {

void *__hyper_lookup(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce) {
  Activation *current = currentActivation();
  return current ? current->lookup(key, size, identity, reduce) : key;
}

void __cilkrts_reducer_register(void *key, size_t, __cilk2gpu_identity, __cilk2gpu_reduce reduce) {
  if (Activation *current = currentActivation())
    current->add(key, reduce);
}

void __cilkrts_reducer_unregister(void *key) {
  if (Activation *current = currentActivation())
    current->remove(key);
}

void __cilk2gpu_views_begin(void *activation, void *slot) {
  at(activation).begin(slot ? static_cast<Slot *>(slot) : rootSlot());
}
void __cilk2gpu_views_end(void *activation) { at(activation).end(); }

void __cilk2gpu_views_begin_host(void *activation) {
  at(activation).begin(rootSlot());
  at(activation).enter();
}

void __cilk2gpu_views_end_host(void *activation) {
  at(activation).leave();
  at(activation).end();
}

void *__cilk2gpu_views_root(void) { return haveSlots() ? rootSlot() : nullptr; }
void *__cilk2gpu_views_spawn(void *activation) { return haveSlots() ? at(activation).spawn() : nullptr; }
void *__cilk2gpu_views_root_if_used(void) { return __cilk2gpu_reducers_used ? __cilk2gpu_views_root() : nullptr; }
void *__cilk2gpu_views_spawn_if_used(void *activation) {
  return __cilk2gpu_reducers_used ? __cilk2gpu_views_spawn(activation) : nullptr;
}
void __cilk2gpu_views_sync(void *activation) { at(activation).sync(); }
void __cilk2gpu_views_enter(void *activation) { at(activation).enter(); }
void __cilk2gpu_views_leave(void *activation) { at(activation).leave(); }

void *__cilk2gpu_views_lookup(void *activation, void *key, size_t size, __cilk2gpu_identity identity,
                              __cilk2gpu_reduce reduce) {
  return at(activation).lookup(key, size, identity, reduce);
}

void __cilk2gpu_views_register(void *activation, void *key, size_t, __cilk2gpu_identity, __cilk2gpu_reduce reduce) {
  at(activation).add(key, reduce);
}

void __cilk2gpu_views_unregister(void *activation, void *key) { at(activation).remove(key); }
}
#pragma GCC visibility pop
