// Results that lanes fold into an accumulator: see abi/Device.h. One source for AMD, NVIDIA and the host.
//
// Lanes that are here together and mean the same accumulator as the first of them add up what they have, and it alone
// updates memory: one atomic operation for a wavefront that has one accumulator. Where lanes have several, the others
// update theirs one by one.
//
// Memory order: relaxed. Nobody reads an accumulator before the dispatches that fold into it have ended.
#include "abi/Device.h"
#include "device/Lanes.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

namespace {

using abi::Fold;

template <class T> T combine(Fold fold, T a, T b) {
  using Signed = __make_signed(T);
  switch (fold) {
  case Fold::Add:
    return T(a + b);
  case Fold::And:
    return a & b;
  case Fold::Or:
    return a | b;
  case Fold::Xor:
    return a ^ b;
  case Fold::Max:
    return Signed(a) > Signed(b) ? a : b;
  case Fold::Min:
    return Signed(a) < Signed(b) ? a : b;
  case Fold::UnsignedMax:
    return a > b ? a : b;
  case Fold::UnsignedMin:
    return a < b ? a : b;
  }
  __builtin_unreachable();
}

/// The accumulator may be any memory of the program's: of the host's, too, hence the system's scope.
template <class T> void update(Fold fold, Global<T> to, T value) {
  using Signed = __make_signed(T);
  auto asSigned = (Global<Signed>)to;
  constexpr int kScope = __MEMORY_SCOPE_SYSTEM;
  switch (fold) {
  case Fold::Add:
    __scoped_atomic_fetch_add(to, value, __ATOMIC_RELAXED, kScope);
    return;
  case Fold::And:
    __scoped_atomic_fetch_and(to, value, __ATOMIC_RELAXED, kScope);
    return;
  case Fold::Or:
    __scoped_atomic_fetch_or(to, value, __ATOMIC_RELAXED, kScope);
    return;
  case Fold::Xor:
    __scoped_atomic_fetch_xor(to, value, __ATOMIC_RELAXED, kScope);
    return;
  case Fold::Max:
    __scoped_atomic_fetch_max(asSigned, Signed(value), __ATOMIC_RELAXED, kScope);
    return;
  case Fold::Min:
    __scoped_atomic_fetch_min(asSigned, Signed(value), __ATOMIC_RELAXED, kScope);
    return;
  case Fold::UnsignedMax:
    __scoped_atomic_fetch_max(to, value, __ATOMIC_RELAXED, kScope);
    return;
  case Fold::UnsignedMin:
    __scoped_atomic_fetch_min(to, value, __ATOMIC_RELAXED, kScope);
    return;
  }
}

/// What a small integer is passed between lanes as.
template <class T> using Word = __typeof__(T(0) + uint32_t(0));

/// What `lanes` have, folded; in their first lane. Each lane knows a later one whose value it has not got yet, and
/// takes that one's value, which stands for a run of lanes, and its next: runs double.
template <class T> T reduce(uint64_t lanes, Fold fold, T value) {
  uint32_t self = ownLane(), count = countLanes(lanes);
  uint64_t later = lanes & ~lanesBefore(lanes, self) & ~(uint64_t(1) << self);
  uint32_t next = later ? firstLane(later) : self; // itself: there is none
  for (uint32_t run = 1; run < count; run *= 2) {
    T other = T(shuffle(lanes, Word<T>(value), next));
    uint32_t further = shuffle(lanes, next, next);
    if (next == self)
      continue;
    value = combine(fold, value, other);
    next = further == next ? self : further;
  }
  return value;
}

template <class T> void foldInto(void *to, T value, Fold fold) {
  uint64_t lanes = activeLanes(Purpose::Fold);
  uint32_t first = firstLane(lanes);
  // Calls from several places may have become one: what is folded how is part of the question. No address uses these
  // bits.
  uint64_t key = (uint64_t)to ^ (uint64_t(fold) << 60 | uint64_t(sizeof(T)) << 56);
  bool isSame = broadcast(lanes, key, first) == key;
  uint64_t same = ballot(lanes, isSame);
  if (isSame)
    value = reduce(same, fold, value);
  if (!isSame || ownLane() == first)
    update(fold, toGlobal(static_cast<T *>(to)), value);
}

} // namespace

/// Inlined where it is called, `fold` and `bytes` are known.
[[gnu::always_inline]] void __cilk2gpu_device_fold(void *to, uint64_t value, abi::Fold fold, uint32_t bytes) {
  if (bytes == 8)
    foldInto(to, value, fold);
  else if (bytes == 4)
    foldInto(to, uint32_t(value), fold);
  else if (bytes == 2)
    foldInto(to, uint16_t(value), fold);
  else
    foldInto(to, uint8_t(value), fold);
}
