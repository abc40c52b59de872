// The Machine of AMD, NVIDIA and the host. The parts of the device runtime that have atomic operations use it. A model
// checker runs the same templates with a machine of its own (test/model/RelacyDevice.h).
//
//   Word<T>    a word that several sides read and write at once, through OnDevice (among wavefronts) or WithHost
//   Plain<T>   memory that such words order, through get() and set()
#ifndef CILK2GPU_RUNTIME_DEVICE_DEVICEMACHINE_H
#define CILK2GPU_RUNTIME_DEVICE_DEVICEMACHINE_H

#include "device/Together.h"
#include "device/WordAtomics.h"

namespace cilk2gpu::device {

struct Machine {
  template <class T> using Word = T;
  template <class T> using Plain = T;

  /// Distance, in bytes, of words that different sides write.
  static constexpr unsigned kLine = 64;

  /// Operations among all lanes of the device.
#ifdef CILK2GPU_ON_GPU
  using OnDevice = WordAtomics<__MEMORY_SCOPE_DEVICE>;
#else
  using OnDevice = WordAtomics<kSystemScope>;
#endif
  using WithHost = WordAtomics<kSystemScope>;

  template <class Pointer> [[gnu::always_inline]] static auto get(Pointer place) { return *place; }
  template <class Pointer, class T> [[gnu::always_inline]] static void set(Pointer place, T value) { *place = value; }
  /// Reads a word that no other side writes at the time.
  template <class Pointer> [[gnu::always_inline]] static auto own(Pointer word) { return *word; }

  // Lanes: see Lanes.h and Together.h.
  [[gnu::always_inline]] static uint64_t activeLanes(Purpose purpose) { return device::activeLanes(purpose); }
  [[gnu::always_inline]] static uint32_t ownLane() { return device::ownLane(); }
  [[gnu::always_inline]] static uint64_t broadcast(uint64_t lanes, uint64_t value, uint32_t from) {
    return device::broadcast(lanes, value, from);
  }
  [[gnu::always_inline]] static uint64_t broadcastAmong(uint64_t here, uint64_t lanes, uint64_t value, uint32_t from) {
    return device::broadcastAmong(here, lanes, value, from);
  }
  template <class T> [[gnu::always_inline]] static T shuffle(uint64_t lanes, T value, uint32_t from) {
    return device::shuffle(lanes, value, from);
  }
  [[gnu::always_inline]] static uint64_t ballot(uint64_t lanes, bool flag) { return device::ballot(lanes, flag); }
  [[gnu::always_inline]] static void synchronise(uint64_t lanes) { device::synchronise(lanes); }
  [[gnu::always_inline]] static bool isLeader() { return device::isLeader(); }
  [[gnu::always_inline]] static uint64_t fromLeader(uint64_t value) { return device::fromLeader(value); }
  [[gnu::always_inline]] static void meet() { device::meet(); }
  [[gnu::always_inline]] static void pause() { device::pause(); }

  // The host wakes the waiter of a word, which waits until it differs from `old`. GPUs poll.
#ifdef CILK2GPU_ON_GPU
  static void rest(const uint64_t *, uint64_t) { device::pause(); }
  static void wake(const uint64_t *) {}
#else
  static void rest(const uint64_t *word, uint64_t old);
  static void wake(const uint64_t *word);
#endif
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_DEVICEMACHINE_H
