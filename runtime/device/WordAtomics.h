// Operations on words that several sides share: Clang's atomic built-ins for one scope, one of __MEMORY_SCOPE_*. On the
// host, built-ins without scopes are used, at system scope, so that any compiler can compile this file. Orders have the
// same meaning as for the built-ins. A compare-and-swap that fails is relaxed.
//
// Thread-safety: several sides may operate on a word at once. Freestanding.
#ifndef CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H
#define CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H

#include "device/OnGpu.h"

namespace cilk2gpu::device {

#ifdef CILK2GPU_ON_GPU
inline constexpr int kSystemScope = __MEMORY_SCOPE_SYSTEM;
#define CILK2GPU_WORD_ATOMIC(operation, ...) __scoped_atomic_##operation(__VA_ARGS__, Scope)
#else
inline constexpr int kSystemScope = 0; // the only scope
#define CILK2GPU_WORD_ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)
#endif

template <int Scope> struct WordAtomics {
  template <int Order, class Pointer> [[gnu::always_inline]] static auto load(Pointer word) {
    return CILK2GPU_WORD_ATOMIC(load_n, word, Order);
  }
  template <int Order, class Pointer, class T> [[gnu::always_inline]] static void store(Pointer word, T value) {
    CILK2GPU_WORD_ATOMIC(store_n, word, value, Order);
  }
  /// Returns the value before the addition.
  template <int Order, class Pointer, class T> [[gnu::always_inline]] static T add(Pointer word, T value) {
    return CILK2GPU_WORD_ATOMIC(fetch_add, word, value, Order);
  }
  /// Writes `desired` if the word holds `expected`, and returns whether it did.
  template <int Order, class Pointer, class T>
  [[gnu::always_inline]] static bool exchange(Pointer word, T expected, T desired) {
    return CILK2GPU_WORD_ATOMIC(compare_exchange_n, word, &expected, desired, false, Order, __ATOMIC_RELAXED);
  }
};

} // namespace cilk2gpu::device

#undef CILK2GPU_WORD_ATOMIC

#endif // CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H
