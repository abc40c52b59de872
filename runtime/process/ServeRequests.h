// The protocol of the host's side of requests (cilk2gpu/abi/Requests.h), as a template over the machine. RequestServer
// and a model checker have machines of their own.
//
// Thread-safety: one thread serves a queue.
#ifndef CILK2GPU_RUNTIME_PROCESS_SERVEREQUESTS_H
#define CILK2GPU_RUNTIME_PROCESS_SERVEREQUESTS_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Serves the lanes of one request. perform(function, arguments, count, second) returns a lane's result, and writes the
/// second result of functions that have two.
template <class Machine, class Slot, class Perform> void serveSlot(Slot &slot, uint64_t lanes, Perform &perform) {
  constexpr uint32_t kArguments = sizeof slot.arguments / sizeof slot.arguments[0];
  for (uint64_t left = lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctzll(left));
    auto call = Machine::get(&slot.calls[lane]);
    uint64_t arguments[kArguments] = {};
    for (uint32_t i = 0; i < call.count && i < kArguments; ++i)
      arguments[i] = Machine::get(&slot.arguments[i][lane]);
    uint64_t second = 0;
    Machine::set(&slot.results[lane], perform(call.function, arguments, call.count, second));
    Machine::set(&slot.seconds[lane], second);
  }
}

/// Serves all waiting requests. Returns the number of lanes that were served.
template <class Machine, class Queue, class Perform> uint64_t serveRequests(Queue &queue, Perform perform) {
  uint64_t served = 0;
  for (auto &slot : queue.slots) {
    // Pairs with the lanes' release: their arguments can be read from here on.
    uint64_t posted = Machine::template load<__ATOMIC_ACQUIRE>(&slot.posted);
    if (posted == Machine::own(&slot.served))
      continue;
    uint64_t lanes = Machine::get(&slot.lanes);
    serveSlot<Machine>(slot, lanes, perform);
    served += uint64_t(__builtin_popcountll(lanes));
    Machine::template store<__ATOMIC_RELEASE>(&slot.served, posted); // pairs with the leader's acquire
  }
  return served;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_SERVEREQUESTS_H
