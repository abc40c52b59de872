// The lanes' side of requests to the host (abi/Requests.h). For GPUs, and for the tests that run lanes as fibers.
#ifndef CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H
#define CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H

#include "abi/Requests.h"
#include "device/Lanes.h"

namespace cilk2gpu::device {

/// Posts requests to a queue. `locks` has abi::kRequestSlots words in device memory, zero at first.
class RequestClient {
public:
  RequestClient(abi::RequestQueue *queue, Global<uint32_t> locks) : queue(queue), locks(locks) {}

  /// Asks for `function` with `count` arguments, and waits. Lanes that call this together ask together.
  uint64_t ask(abi::HostFunction function, const uint64_t *arguments, uint32_t count) const {
    uint64_t lanes = activeLanes(Purpose::Ask);
    uint32_t self = ownLane(), leader = firstLane(lanes);
    uint64_t index = 0;
    if (self == leader)
      index = lock();
    index = broadcast(lanes, index, leader);
    Global<abi::RequestSlot> slot = toGlobal(queue->slots) + index;
    slot->calls[self].function = function;
    slot->calls[self].count = uint16_t(count);
    for (uint32_t i = 0; i < count; ++i)
      slot->arguments[i][self] = arguments[i];
    synchronise(lanes);
    if (self == leader) {
      slot->lanes = lanes;
      uint64_t number = slot->posted + 1;
      // Pairs with the server's load.
      __scoped_atomic_store_n(&slot->posted, number, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
      while (__scoped_atomic_load_n(&slot->served, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) != number)
        pause();
    }
    synchronise(lanes);
    uint64_t result = slot->results[self];
    synchronise(lanes);
    if (self == leader)
      unlock(uint32_t(index));
    return result;
  }

  template <class... Arguments> uint64_t call(abi::HostFunction function, Arguments... arguments) const {
    uint64_t words[sizeof...(arguments) + 1] = {(uint64_t)arguments...};
    return ask(function, words, sizeof...(arguments));
  }

private:
  /// Waits for other wavefronts only, which hold their slots until the host has served them. Acquire pairs with unlock().
  uint64_t lock() const {
    for (uint32_t i = 0;; i = (i + 1) % abi::kRequestSlots) {
      uint32_t expected = 0;
      if (__scoped_atomic_compare_exchange_n(&locks[i], &expected, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE))
        return i;
    }
  }

  void unlock(uint32_t index) const {
    __scoped_atomic_store_n(&locks[index], 0u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  }

  abi::RequestQueue *queue;
  Global<uint32_t> locks;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_REQUESTCLIENT_H
