// The five states of a channel's element, and the legal transitions.
//
//   Available  -> Reserved     talloc: a producer's compare-and-swap moved the data array's tail over it
//   Reserved   -> Ready        enq: its offset is in the control array and marked as published
//   Ready      -> Dispatched   the aggregator points a consumer at its control entry
//   Dispatched -> Done         tfree: its consumer added it to the done count
//   Done       -> Available    the aggregator moved the data array's head over it, in order
//   Reserved   -> Done         giveBack: its producer has no use for it; it was never visible to the aggregator
//   Available  -> Available    the aggregator skips the rest of a group when all reserved elements are done
//
// A channel reports every transition except the last to its Observer. The shipped observer, NoObserver, does nothing
// and costs nothing.
#ifndef CILK2GPU_RUNTIME_CORE_ELEMENTSTATE_H
#define CILK2GPU_RUNTIME_CORE_ELEMENTSTATE_H

#include <stdint.h>

namespace cilk2gpu::rt {

enum class ElementState : uint8_t { Available, Reserved, Ready, Dispatched, Done };

constexpr bool isLegal(ElementState from, ElementState to) {
  switch (from) {
  case ElementState::Available:
    return to == ElementState::Reserved;
  case ElementState::Reserved:
    return to == ElementState::Ready || to == ElementState::Done;
  case ElementState::Ready:
    return to == ElementState::Dispatched;
  case ElementState::Dispatched:
    return to == ElementState::Done;
  case ElementState::Done:
    return to == ElementState::Available;
  }
  return false;
}

/// The thread that makes a transition calls the observer's transition() while it owns the element: after the element
/// was handed over to that thread, and before the thread hands it on. So an observer with a plain state for each slot
/// has data races exactly if the channel has some.
struct NoObserver {
  static constexpr bool kObserves = false;
  void transition(uint64_t, ElementState) {}
  /// Called when a producer writes, or a consumer reads, an entry of the control array. The two never happen at the
  /// same time.
  void controlWrite(uint64_t) {}
  void controlRead(uint64_t) {}
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ELEMENTSTATE_H
