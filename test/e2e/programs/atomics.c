// Atomic operations whose order does not matter, from very many tasks at once: add, sub, or, and, xor, minimum and maximum by
// compare-and-swap. They are on integers of several sizes, and by C11's generic functions.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int sum32;
static atomic_llong sum64;
static atomic_uint ored, xored;
static atomic_uint anded = 0xffffffffu;
static atomic_int smallest = 1 << 30;
static _Atomic unsigned char narrow;
static unsigned buckets[16];
static _Atomic uint64_t largest;

static void lower(atomic_int *cell, int value) {
  int old = atomic_load(cell);
  while (value < old && !atomic_compare_exchange_weak(cell, &old, value))
    ;
}

static void raise(_Atomic uint64_t *cell, uint64_t value) {
  uint64_t old = atomic_load_explicit(cell, memory_order_relaxed);
  while (value > old &&
         !atomic_compare_exchange_weak_explicit(cell, &old, value, memory_order_relaxed, memory_order_relaxed))
    ;
}

static void leaf(unsigned id) {
  unsigned mixed = id * 2654435761u;
  atomic_fetch_add(&sum32, (int)(mixed >> 20));
  atomic_fetch_sub_explicit(&sum64, (long long)mixed, memory_order_relaxed);
  atomic_fetch_or(&ored, 1u << (mixed >> 28));
  atomic_fetch_and(&anded, ~(1u << (id % 5)));
  atomic_fetch_xor(&xored, mixed);
  atomic_fetch_add(&narrow, (unsigned char)mixed);
  lower(&smallest, (int)(mixed >> 2));
  raise(&largest, (uint64_t)mixed << 7);
  __atomic_fetch_add(&buckets[mixed % 16], 1, __ATOMIC_RELAXED);
}

static void split(unsigned low, unsigned high) {
  if (high - low == 1) {
    leaf(low);
    return;
  }
  unsigned middle = low + (high - low) / 2;
  cilk_spawn split(low, middle);
  cilk_spawn split(middle, high);
}

int main(void) {
  split(0, 5000);
  Checksum sum = fold((unsigned)atomic_load(&sum32), (unsigned long long)atomic_load(&sum64));
  sum = fold(sum, atomic_load(&ored));
  sum = fold(sum, atomic_load(&anded));
  sum = fold(sum, atomic_load(&xored));
  sum = fold(sum, atomic_load(&narrow));
  sum = fold(sum, (unsigned)atomic_load(&smallest));
  sum = fold(sum, atomic_load(&largest));
  for (int i = 0; i < 16; ++i)
    sum = fold(sum, buckets[i]);
  report("atomics", sum);
  return 0;
}
