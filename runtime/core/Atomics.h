// Atomics policies: how a channel touches memory that several threads share. BuiltinAtomics is the shipped one, for
// hosts and GPUs; a model checker plugs in its own. A policy has a type Cell<T>, kLine and the static functions below.
//
// Thread-safety: any thread may call these functions on a shared cell. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_ATOMICS_H
#define CILK2GPU_RUNTIME_CORE_ATOMICS_H

#include <stdint.h>

namespace cilk2gpu::rt {

enum class Order { Relaxed, Acquire, Release, AcquireRelease };

/// Clang's scoped atomics on plain words. `Scope` is one of __MEMORY_SCOPE_*: SYSTEM where host threads take part;
/// DEVICE (the agent) where all producers, all consumers and the aggregator run on the same GPU.
template <int Scope = __MEMORY_SCOPE_SYSTEM> struct BuiltinAtomics {
  /// Words that different sides write are this many bytes apart.
  static constexpr unsigned kLine = 64;

  template <class T> struct Cell {
    T value;
  };

  template <class T> [[gnu::always_inline]] static T load(const Cell<T> &cell, Order order) {
    if (order == Order::Acquire)
      return __scoped_atomic_load_n(&cell.value, __ATOMIC_ACQUIRE, Scope);
    return __scoped_atomic_load_n(&cell.value, __ATOMIC_RELAXED, Scope);
  }

  template <class T> [[gnu::always_inline]] static void store(Cell<T> &cell, T value, Order order) {
    if (order == Order::Release)
      __scoped_atomic_store_n(&cell.value, value, __ATOMIC_RELEASE, Scope);
    else
      __scoped_atomic_store_n(&cell.value, value, __ATOMIC_RELAXED, Scope);
  }

  /// Writes `desired` if the cell holds `expected`, and returns true. Otherwise sets `expected` to the value of the
  /// cell, and returns false. Never fails spuriously. `order` applies to success; a failure is relaxed.
  template <class T>
  [[gnu::always_inline]] static bool compareExchange(Cell<T> &cell, T &expected, T desired, Order order) {
    switch (order) {
    case Order::AcquireRelease:
      return __scoped_atomic_compare_exchange_n(&cell.value, &expected, desired, false, __ATOMIC_ACQ_REL,
                                                __ATOMIC_RELAXED, Scope);
    case Order::Acquire:
      return __scoped_atomic_compare_exchange_n(&cell.value, &expected, desired, false, __ATOMIC_ACQUIRE,
                                                __ATOMIC_RELAXED, Scope);
    case Order::Release:
      return __scoped_atomic_compare_exchange_n(&cell.value, &expected, desired, false, __ATOMIC_RELEASE,
                                                __ATOMIC_RELAXED, Scope);
    default:
      return __scoped_atomic_compare_exchange_n(&cell.value, &expected, desired, false, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED, Scope);
    }
  }

  /// Adds without returning the old value, so that a GPU may use an atomic instruction without a result. On NVPTX, a
  /// release is a fence and a relaxed addition, because LLVM 22's back end drops the order of an addition.
  template <class T> [[gnu::always_inline]] static void add(Cell<T> &cell, T value, Order order) {
#if defined(__NVPTX__)
    if (order == Order::Release)
      __scoped_atomic_thread_fence(__ATOMIC_RELEASE, Scope);
    __scoped_atomic_fetch_add(&cell.value, value, __ATOMIC_RELAXED, Scope);
#else
    if (order == Order::Release)
      __scoped_atomic_fetch_add(&cell.value, value, __ATOMIC_RELEASE, Scope);
    else
      __scoped_atomic_fetch_add(&cell.value, value, __ATOMIC_RELAXED, Scope);
#endif
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ATOMICS_H
