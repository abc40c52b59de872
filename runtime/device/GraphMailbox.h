// Both sides of the mailbox of a hand-written graph's lane (cilk2gpu/abi/GraphLanes.h), as templates over the machine:
// the GPU's, the host's, or a model checker's.
//
// Thread-safety: one lane asks, and one host thread answers.
#ifndef CILK2GPU_RUNTIME_DEVICE_GRAPHMAILBOX_H
#define CILK2GPU_RUNTIME_DEVICE_GRAPHMAILBOX_H

#include "cilk2gpu/abi/GraphLanes.h"
#include "core/Tunables.h"
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// The lane's side: makes a request, and waits for the answer, which is then in the mailbox.
template <class Machine, class Lane> void askHost(Lane lane, const abi::GraphRequest &request) {
  using Atomics = typename Machine::WithHost;
  Machine::set(&lane->request, request);
  uint64_t number = Machine::own(&lane->asked) + 1;
  Atomics::template store<__ATOMIC_RELEASE>(&lane->asked, number); // pairs with hasAsked()
  uint32_t pauses = 1;
  while (Atomics::template load<__ATOMIC_ACQUIRE>(&lane->answered) != number) { // pairs with answerLane()
    for (uint32_t i = 0; i < pauses; ++i)
      Machine::pause();
    pauses = pauses < rt::tunables::kMostGraphPauses ? 2 * pauses : pauses;
  }
}

/// The host's side: returns whether there is a request, which can then be read.
template <class Machine, class Lane> bool hasAsked(Lane lane) {
  uint64_t asked = Machine::WithHost::template load<__ATOMIC_ACQUIRE>(&lane->asked); // pairs with askHost()
  return asked != Machine::own(&lane->answered);
}

/// The host's side: answers the request that is there.
template <class Machine, class Lane> void answerLane(Lane lane, const abi::GraphAnswer &answer) {
  Machine::set(&lane->answer, answer);
  uint64_t number = Machine::own(&lane->asked);
  Machine::WithHost::template store<__ATOMIC_RELEASE>(&lane->answered, number); // pairs with askHost()
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_GRAPHMAILBOX_H
