// Tests that the race detector asks for the sizes of no blocks but those of malloc: the program has its own `new`, in a
// file that the compiler does not see with the other one.
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 -c -DALLOCATOR %s -o %t.o
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 %s %t.o -o %t && %t 2>&1 | FileCheck %s
// CHECK:     4007
// CHECK-NOT: race
#ifdef ALLOCATOR
#include <new>
alignas(16) static char pool[1 << 16];
static std::size_t used;
void *operator new(std::size_t size) {
  return pool + __atomic_fetch_add(&used, (size + 15) / 16 * 16, __ATOMIC_RELAXED);
}
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
#else
#include <cilk/cilk.h>
#include <cstdio>

struct Numbers {
  long values[4];
  ~Numbers() {}
};
static long results[10];

__attribute__((noinline)) static Numbers *make(int i) {
  auto *numbers = new Numbers;
  for (long &value : numbers->values)
    value = i * 1000 + 7;
  return numbers;
}

int main() {
  cilk_for (int i = 0; i < 10; ++i) {
    Numbers *numbers = make(i);
    results[i] = numbers->values[1];
    delete numbers;
  }
  std::printf("%ld\n", results[4]);
}
#endif
