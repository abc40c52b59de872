// Tests the program's own address spaces. Spaces that mean nothing to the host mean nothing to a device, although a device's own
// spaces have the same numbers. Segments are refused at their line.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a %s -o %t && %t
// RUN: %cilk2gpu -O0 --offload-arch=sm_90,gfx90a %s -o %t && %t
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx -DSEGMENT %s 2>&1 | FileCheck %s --check-prefix=SEGMENT
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa -DSEGMENT %s 2>&1 | FileCheck %s --check-prefix=SEGMENT
// CHECK-NOT: addrspace({{[27]|1[0-9]}})
// CHECK: define {{.*}}_k0
// CHECK-NOT: addrspace({{[27]|1[0-9]}})
#include <cilk/cilk.h>

#define SPACE(N) __attribute__((address_space(N)))

typedef struct Node {
  struct Node SPACE(7) *next;
  long value;
} Node;

static SPACE(3) long shared = 5;
SPACE(2) long table[3] = {7, 8, 9};
static long SPACE(2) *const ends[2] = {&table[0], &table[2]};
Node second = {0, 11};
Node first = {(Node SPACE(7) *)&second, 10};

__attribute__((noinline)) static long SPACE(17) *at(long SPACE(17) *from, long i) { return from + i; }

static void task(long i, long *r) {
  SPACE(3) long *other = (SPACE(3) long *)r;
  Node copy;
  __builtin_memcpy(&copy, (void *)first.next, sizeof copy);
  *other = i + shared + *ends[i & 1];
  *at((long SPACE(17) *)r, i - i) += copy.value;
#ifdef SEGMENT
  // SEGMENT: address-spaces.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU uses a pointer into an address space that only the host has, such as __seg_gs; use an ordinary pointer
  *r += *(long __seg_gs *)16;
#endif
}

int main(void) {
  long r[20];
  cilk_for (long i = 0; i < 20; i++)
    task(i, &r[i]);
  return r[3] != 3 + 5 + 9 + 11;
}
