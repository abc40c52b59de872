// Results that lanes fold into accumulators (cilk2gpu/abi/Device.h), for whatever machine they run on.
//
// Lanes that are here together form runs: lanes next to one another that mean the same accumulator. Each run folds what
// it has, in a logarithm of steps and all runs at once, and its first lane alone updates memory: one atomic operation
// for a wavefront that has one accumulator, and one for each parent where siblings have one.
//
// `Machine` has, beside what is in Machine.h,
//
//   update(fold, to, value)   folds into memory in one operation, whoever else does so at the same time
//
// Thread-safety and order: any lanes at once. Relaxed: nobody reads an accumulator before the dispatches that fold into
// it have ended.
#ifndef CILK2GPU_RUNTIME_DEVICE_WAVEFOLDS_H
#define CILK2GPU_RUNTIME_DEVICE_WAVEFOLDS_H

// What kernels call, of whatever object, is one runtime's.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Device.h"
#pragma GCC visibility pop
#include "device/Lanes.h"

namespace cilk2gpu::device {

/// a + b of floating-point numbers that are passed as their bits, those of a float or a double.
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
    // Calls from several places may have become one: what is folded how is part of the question. No address uses these
    // bits.
    uint64_t key = (uint64_t)to ^ (uint64_t(fold) << 60 | uint64_t(sizeof(T)) << 56);
    uint32_t next = nextOfRun(lanes, key);
    uint64_t haveNext = Machine::ballot(lanes, next != Machine::ownLane());
    value = reduce(lanes, haveNext, next, fold, value);
    if (isFirstOfRun(lanes, haveNext))
      Machine::update(fold, to, value);
  }

private:
  /// What a small integer is passed between lanes as.
  template <class T> using Passed = __typeof__(T(0) + uint32_t(0));

  /// The next one of `lanes`, if it is of this lane's run; else this lane.
  static uint32_t nextOfRun(uint64_t lanes, uint64_t key) {
    uint32_t self = Machine::ownLane();
    uint64_t later = lanesAfter(lanes, self);
    uint32_t next = later ? firstLane(later) : self;
    return Machine::shuffle(lanes, key, next) == key ? next : self;
  }

  /// `haveNext`: the lanes that are not the last ones of their runs.
  static bool isFirstOfRun(uint64_t lanes, uint64_t haveNext) {
    uint64_t before = lanesBefore(lanes, Machine::ownLane());
    return !before || !(haveNext >> lastLane(before) & 1);
  }

  /// What a run has, folded; in its first lane. Each lane knows a later one whose value it has not got yet, and takes
  /// that one's value, which stands for some lanes, and its next: they double. Its own number: there is none.
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
