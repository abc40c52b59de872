// Folds of lanes' results into accumulators (cilk2gpu/abi/Device.h), for every machine that runs lanes.
//
// Lanes that call fold() together form runs of neighbouring lanes with the same accumulator. Each run folds its values
// in a logarithmic number of steps, all runs at once. Then the first lane of a run updates memory. So a wavefront with
// one accumulator makes one atomic operation. Where siblings share an accumulator, there is one operation for each
// parent.
//
// `Machine` has this function besides the functions in Machine.h:
//
//   update(fold, to, value)   folds into memory in one operation, while others may do the same
//
// Thread-safety and order: any lanes may call at once. Operations are relaxed, because no code reads an accumulator
// before the dispatches that fold into it have ended.
#ifndef CILK2GPU_RUNTIME_DEVICE_WAVEFOLDS_H
#define CILK2GPU_RUNTIME_DEVICE_WAVEFOLDS_H

// These functions are visible, because kernels of all object files call the functions of one runtime.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Device.h"
#pragma GCC visibility pop
#include "device/Lanes.h"

namespace cilk2gpu::device {

/// Adds floating-point numbers that are passed as the bits of a float or a double.
template <class T> T addFloats(T a, T b) {
  if constexpr (sizeof(T) == sizeof(double))
    return __builtin_bit_cast(T, __builtin_bit_cast(double, a) + __builtin_bit_cast(double, b));
  else if constexpr (sizeof(T) == sizeof(float))
    return __builtin_bit_cast(T, __builtin_bit_cast(float, a) + __builtin_bit_cast(float, b));
  else
    __builtin_unreachable();
}

template <class T> T combine(abi::Fold fold, T a, T b) {
  using Signed = __make_signed(T);
  switch (fold) {
  case abi::Fold::Add:
    return T(a + b);
  case abi::Fold::And:
    return a & b;
  case abi::Fold::Or:
    return a | b;
  case abi::Fold::Xor:
    return a ^ b;
  case abi::Fold::Max:
    return Signed(a) > Signed(b) ? a : b;
  case abi::Fold::Min:
    return Signed(a) < Signed(b) ? a : b;
  case abi::Fold::UnsignedMax:
    return a > b ? a : b;
  case abi::Fold::UnsignedMin:
    return a < b ? a : b;
  case abi::Fold::FloatAdd:
    return addFloats(a, b);
  }
  __builtin_unreachable();
}

template <class Machine> struct Folds {
  /// Folds `value` into the accumulator at `to`.
  template <class T> static void fold(abi::Fold fold, Global<typename Machine::template Word<T>> to, T value) {
    uint64_t lanes = Machine::activeLanes(Purpose::Fold);
    // The compiler may have merged calls from several places, so the key also holds the kind of fold and the size. No
    // address uses these bits.
    uint64_t key = (uint64_t)to ^ (uint64_t(fold) << 60 | uint64_t(sizeof(T)) << 56);
    uint32_t next = nextOfRun(lanes, key);
    uint64_t haveNext = Machine::ballot(lanes, next != Machine::ownLane());
    value = reduce(lanes, haveNext, next, fold, value);
    if (isFirstOfRun(lanes, haveNext))
      Machine::update(fold, to, value);
  }

private:
  /// The type in which lanes pass a small integer to one another.
  template <class T> using Passed = __typeof__(T(0) + uint32_t(0));

  /// Returns the next lane of `lanes` if it belongs to this lane's run; else this lane.
  static uint32_t nextOfRun(uint64_t lanes, uint64_t key) {
    uint32_t self = Machine::ownLane();
    uint64_t later = lanesAfter(lanes, self);
    uint32_t next = later ? firstLane(later) : self;
    return Machine::shuffle(lanes, key, next) == key ? next : self;
  }

  /// `haveNext` has all lanes except the last of each run.
  static bool isFirstOfRun(uint64_t lanes, uint64_t haveNext) {
    uint64_t before = lanesBefore(lanes, Machine::ownLane());
    return !before || !(haveNext >> lastLane(before) & 1);
  }

  /// Folds the values of a run into its first lane. Each lane knows the next lane whose value it has not taken yet. In
  /// each step it takes that lane's value, which stands for several lanes, and that lane's next lane. So the distance
  /// doubles. A lane that is its own next lane has no more values to take.
  template <class T> static T reduce(uint64_t lanes, uint64_t haveNext, uint32_t next, abi::Fold fold, T value) {
    uint32_t self = Machine::ownLane();
    for (; haveNext; haveNext = Machine::ballot(lanes, next != self)) {
      T other = T(Machine::shuffle(lanes, Passed<T>(value), next));
      uint32_t further = Machine::shuffle(lanes, next, next);
      if (next == self)
        continue;
      value = combine(fold, value, other);
      next = further == next ? self : further;
    }
    return value;
  }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_WAVEFOLDS_H
