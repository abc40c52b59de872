// Operations of a wavefront as a whole: ballot, prefix sum, broadcast. Channel code uses only this interface. So the
// same code runs whether a wave is one host thread (HostWave), one lane (ScalarWave), or the lanes of a GPU in
// lockstep.
//
//   PerLane<T>               a value of each lane: an array on the host, a plain register where each lane runs the code
//   forEachLane(f)           f(lane) for each active lane; where each lane runs the code: f(own lane), once
//   activeMask()             bit i: lane i is active
//   isLeader()               true in exactly one active lane; always true where one thread runs all lanes
//   ballot(flags)            bit i: flags[i] of active lane i
//   exclusiveSum(in, out)    out[i] = sum of in[j] of the active lanes j < i; returns the sum of all active lanes
//   broadcast(value)         the leader's value, in every lane
//   broadcastFrom(v, lane)   v[lane], in every lane; lane is active
//   fence()                  each action of an active lane before it happens before each action of one after it
//
// All active lanes call a function together, and none waits for an inactive lane. So code that uses these functions is
// correct for any partition of a wave's lanes. A GPU's fence() is a wave barrier with release and acquire at wave
// scope.
//
// Thread-safety: a wave belongs to the thread, or to the lanes, that run it. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_WAVEOPS_H
#define CILK2GPU_RUNTIME_CORE_WAVEOPS_H

#include <stdint.h>

namespace cilk2gpu::rt {

inline constexpr unsigned kMaxLanes = 64;

/// A wave of 1 to 64 lanes that one thread runs, lane after lane.
class HostWave {
public:
  template <class T> class PerLane {
  public:
    T &operator[](unsigned lane) { return values[lane]; }
    const T &operator[](unsigned lane) const { return values[lane]; }

  private:
    T values[kMaxLanes] = {};
  };

  /// `lanes` is 1 .. 64. Bits of `active` beyond the lanes are ignored.
  explicit HostWave(unsigned lanes, uint64_t active = ~uint64_t(0))
      : mask(active & (lanes < kMaxLanes ? (uint64_t(1) << lanes) - 1 : ~uint64_t(0))) {}

  uint64_t activeMask() const { return mask; }
  bool isLeader() const { return true; }
  void fence() const {}

  template <class F> void forEachLane(F function) const {
    for (uint64_t left = mask; left; left &= left - 1)
      function(unsigned(__builtin_ctzll(left)));
  }

  uint64_t ballot(const PerLane<bool> &flags) const {
    uint64_t result = 0;
    forEachLane([&](unsigned lane) { result |= uint64_t(flags[lane]) << lane; });
    return result;
  }

  uint64_t exclusiveSum(const PerLane<uint32_t> &in, PerLane<uint64_t> &out) const {
    uint64_t sum = 0;
    forEachLane([&](unsigned lane) {
      out[lane] = sum;
      sum += in[lane];
    });
    return sum;
  }

  template <class T> T broadcast(T value) const { return value; }
  template <class T> T broadcastFrom(const PerLane<T> &values, unsigned lane) const { return values[lane]; }

private:
  uint64_t mask;
};

/// One lane on its own, in the shape that a GPU's lanes have: PerLane is a register. The baseline that synchronises
/// once for each lane uses it, and so does the host when it enqueues a single element.
class ScalarWave {
public:
  template <class T> class PerLane {
  public:
    PerLane(T initial = T()) : value(initial) {}
    T &operator[](unsigned) { return value; }
    const T &operator[](unsigned) const { return value; }

  private:
    T value;
  };

  uint64_t activeMask() const { return 1; }
  bool isLeader() const { return true; }
  void fence() const {}
  template <class F> void forEachLane(F function) const { function(0); }
  uint64_t ballot(const PerLane<bool> &flags) const { return flags[0]; }
  uint64_t exclusiveSum(const PerLane<uint32_t> &in, PerLane<uint64_t> &out) const {
    out[0] = 0;
    return in[0];
  }
  template <class T> T broadcast(T value) const { return value; }
  template <class T> T broadcastFrom(const PerLane<T> &values, unsigned) const { return values[0]; }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_WAVEOPS_H
