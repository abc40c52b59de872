// The lanes' side of requests to the host (cilk2gpu/abi/Requests.h). GPUs use it, and so do tests that run lanes as
// fibers.
#ifndef CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H
#define CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H

#include "cilk2gpu/abi/Requests.h"
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// Posts requests to a queue. `locks` has a word in device memory for each slot, zero at first.
template <class Machine, class Queue> class BasicRequestClient {
public:
  using Lock = typename Machine::template Word<uint32_t>;

  BasicRequestClient(Queue *queue, Global<Lock> locks) : queue(queue), locks(locks) {}

  /// Requests a call of `function` with `count` arguments, waits, and returns the result. `second`, if not null, gets a
  /// second result. Lanes that call this together share a request.
  uint64_t ask(abi::HostFunction function, const uint64_t *arguments, uint32_t count,
               uint64_t *second = nullptr) const {
    uint64_t lanes = Machine::activeLanes(Purpose::Ask);
    uint32_t self = Machine::ownLane(), leader = firstLane(lanes);
    uint64_t index = 0;
    if (self == leader)
      index = lock();
    index = Machine::broadcast(lanes, index, leader);
    Machine::synchronise(lanes); // the slot's last use happens before each of these lanes' actions
    auto slot = toGlobal(queue->slots) + index;
    Machine::set(&slot->calls[self], abi::RequestCall{function, uint16_t(count)});
    for (uint32_t i = 0; i < count; ++i)
      Machine::set(&slot->arguments[i][self], arguments[i]);
    Machine::synchronise(lanes);
    if (self == leader)
      post(slot, lanes);
    Machine::synchronise(lanes);
    uint64_t result = Machine::get(&slot->results[self]);
    if (second)
      *second = Machine::get(&slot->seconds[self]);
    Machine::synchronise(lanes);
    if (self == leader)
      unlock(uint32_t(index));
    return result;
  }

  template <class... Arguments> uint64_t call(abi::HostFunction function, Arguments... arguments) const {
    uint64_t words[sizeof...(arguments) + 1] = {(uint64_t)arguments...};
    return ask(function, words, sizeof...(arguments));
  }

private:
  /// Called by the leader: posts the request, and waits until the host has served the lanes.
  template <class Slot> void post(Slot slot, uint64_t lanes) const {
    using Atomics = typename Machine::WithHost;
    Machine::set(&slot->lanes, lanes);
    uint64_t number = Machine::own(&slot->posted) + 1;
    Atomics::template store<__ATOMIC_RELEASE>(&slot->posted, number);         // pairs with the server's load
    while (Atomics::template load<__ATOMIC_ACQUIRE>(&slot->served) != number) // pairs with the server's store
      Machine::pause();
  }

  /// Takes a free slot. If none is free, waits for other wavefronts, which hold their slots only until the host has
  /// served them. The acquire pairs with unlock().
  uint64_t lock() const {
    for (;; Machine::pause())
      for (uint32_t i = 0; i < Queue::kSlots; ++i)
        if (Machine::OnDevice::template exchange<__ATOMIC_ACQUIRE>(&locks[i], 0u, 1u))
          return i;
  }

  void unlock(uint32_t index) const { Machine::OnDevice::template store<__ATOMIC_RELEASE>(&locks[index], 0u); }

  Queue *queue;
  Global<Lock> locks;
};

using RequestClient = BasicRequestClient<Machine, abi::RequestQueue>;

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H
