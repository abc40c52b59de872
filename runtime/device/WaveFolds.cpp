// Folds of lanes' results into an accumulator: see cilk2gpu/abi/Device.h and Folds.h. One source for AMD, NVIDIA and
// the host.
#include "device/WaveFolds.h"
#include "device/DeviceMachine.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

namespace {

using abi::Fold;

struct FoldingMachine : Machine {
  /// Updates the accumulator at system scope, because it may be in any memory of the program, also of the host.
  template <class T> static void update(Fold fold, Global<T> to, T value) {
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
    case Fold::FloatAdd: {
      // Uses a compare-and-swap, not an atomic addition: NVIDIA's addition flushes subnormal floats, and AMD's has no
      // effect on memory of the host.
      T old = __scoped_atomic_load_n(to, __ATOMIC_RELAXED, kScope);
      while (!__scoped_atomic_compare_exchange_n(to, &old, combine(fold, old, value), /*weak=*/true, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, kScope))
        ;
      return;
    }
    }
  }
};

template <class T> void foldInto(void *to, T value, Fold fold) {
  Folds<FoldingMachine>::fold(fold, toGlobal(static_cast<T *>(to)), value);
}

} // namespace

/// Inlined into its caller, where `fold` and `bytes` are known.
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
