// Tests that a function whose branches exceed the reach of AMD's instructions saves its return address: LLVM takes the
// registers of the address for such a branch.
// RUN: %cilk2gpu -O1 --offload-arch=gfx1100 --emit=isa %s | FileCheck %s
#include <cilk/cilk.h>

#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
#define MANY(x) FOUR(SIXTEEN(SIXTEEN(SIXTEEN(x)))) FOUR(SIXTEEN(SIXTEEN(x)))
// Each level keeps a mask of lanes in a scalar register, so that few registers are left for the branch.
#define OPEN if (to[n]) {
#define CLOSE                                                                                                          \
  to[0] = n;                                                                                                           \
  }

// CHECK-LABEL: {{^[^ ]*}}store{{[^ ]*}}:
// CHECK: v_writelane_b32 [[REGISTER:v[0-9]+]], s30, [[LANE:[0-9]+]]
// CHECK: s_getpc_b64
// CHECK: v_readlane_b32 s30, [[REGISTER]], [[LANE]]
// CHECK: s_setpc_b64 s[30:31]
// CHECK-LABEL: .Lfunc_end0:
static __attribute__((noinline)) int store(volatile int *to, int n) {
  SIXTEEN(OPEN) SIXTEEN(OPEN) MANY(to[n] = 123456;) SIXTEEN(CLOSE) SIXTEEN(CLOSE) return to[1];
}

int twice(volatile int *to, int n) {
  int a = cilk_spawn store(to, n);
  int b = store(to, n + 2);
  cilk_sync;
  return a + b;
}
