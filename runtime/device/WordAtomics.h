// Operations on words that several sides share: Clang's atomic built-ins for one scope, one of __MEMORY_SCOPE_*. Orders
// are those of the built-ins; a compare-and-swap that fails is relaxed.
//
// Thread-safety: that is what these are for. Freestanding.
#ifndef CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H
#define CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H

namespace cilk2gpu::device {

template <int Scope> struct WordAtomics {
  template <int Order, class Pointer> [[gnu::always_inline]] static auto load(Pointer word) {
    return __scoped_atomic_load_n(word, Order, Scope);
  }
  template <int Order, class Pointer, class T> [[gnu::always_inline]] static void store(Pointer word, T value) {
    __scoped_atomic_store_n(word, value, Order, Scope);
  }
  /// Returns what was there.
  template <int Order, class Pointer, class T> [[gnu::always_inline]] static T add(Pointer word, T value) {
    return __scoped_atomic_fetch_add(word, value, Order, Scope);
  }
  /// Writes `desired` if the word holds `expected`, and says whether it did.
  template <int Order, class Pointer, class T>
  [[gnu::always_inline]] static bool exchange(Pointer word, T expected, T desired) {
    return __scoped_atomic_compare_exchange_n(word, &expected, desired, false, Order, __ATOMIC_RELAXED, Scope);
  }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_WORDATOMICS_H
