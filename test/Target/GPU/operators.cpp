// Tests that tasks on a GPU get memory from the host's operator new, and return it to the host's operator delete. The program may
// replace these operators in a file without device code. Each call is a request, and the host sees no memory of a lane's own for
// it.
// RUN: %clangxx -O2 -DREPLACEMENT -c %s -o %t.o
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90,gfx90a %s %t.o -o %t
// RUN: %python %S/Inputs/run-with-slot.py "host _Znwm ptr (i64) i64" %t | FileCheck %s --check-prefix=NEW
// RUN: %python %S/Inputs/run-with-slot.py "host _ZdlPvm void (ptr, i64) ptr i64" %t | FileCheck %s --check-prefix=DELETE
// NEW: new 24
// DELETE: delete 0x18
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpuxx -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// CHECK-NOT: call {{.*}}__cilk2gpu_device_share
// CHECK-DAG: call {{.*}}HostFunction{{.*}}(i16 {{.*}} 19, ptr {{.*}}, i32 {{.*}} 2, ptr {{.*}}null)
// CHECK-DAG: call {{.*}}HostFunction{{.*}}(i16 {{.*}} 20, ptr {{.*}}, i32 {{.*}} 3, ptr {{.*}}null)
// CHECK-NOT: call {{.*}}__cilk2gpu_device_share

// A program in C needs no operators.
// RUN: echo '#include <cilk/cilk.h>' > %t.c && echo '#include <stdlib.h>' >> %t.c
// RUN: echo 'long f(long n) { if (n < 2) { long *p = malloc(8); *p = n; n = *p; free(p); return n; }' >> %t.c
// RUN: echo 'long a = cilk_spawn f(n - 1), b = f(n - 2); cilk_sync; return a + b; }' >> %t.c
// RUN: echo 'int main(void) { return f(10) != 55; }' >> %t.c
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a %t.c -o %t.plain && %t.plain 2>/dev/null
// RUN: llvm-nm %t.plain | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: _Znwm
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef REPLACEMENT
void *operator new(size_t bytes) {
  printf("new %zu\n", bytes);
  return malloc(bytes);
}
// the address may lead to no memory at all
void operator delete(void *memory) noexcept { printf("delete %p\n", memory); }
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }
#else
#include <cilk/cilk.h>

struct Node {
  long value;
  Node *rest;
  long more;
};

long *last;
__attribute__((noinline)) static long keep(long n) {
  long own = n;
  last = &own;
  *last += 1;
  return own;
}

long list(long n) {
  if (n == 0)
    return 0;
  Node *node = new Node{n, nullptr, 1};
  long own = keep(n);
  long rest = cilk_spawn list(n - 1);
  cilk_sync;
  long value = node->value;
  delete node;
  return rest + value + own;
}

struct Address {
  const char *symbol;
  void *address;
  unsigned long bytes;
};
extern "C" const Address __start_cilk2gpu_addresses[], __stop_cilk2gpu_addresses[];

int main(int, char **argv) {
  for (const Address *at = __start_cilk2gpu_addresses; at != __stop_cilk2gpu_addresses; ++at)
    if (!std::strcmp(at->symbol, argv[1])) {
      unsigned long words[16] = {24, 24};
      reinterpret_cast<void (*)(unsigned long *)>(at->address)(words);
      return 0;
    }
  return 1;
}
#endif
