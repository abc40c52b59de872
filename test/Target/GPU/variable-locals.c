// Tests AMD's code for locals of variable size. An address is a lane's. A local takes its own size of the stack, not the size of
// all lanes. The stack pointer is restored. LLVM 22 gets each of these wrong on one kind of GPU: GPUs that reach private memory
// through a buffer, or GPUs with instructions for it.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefixes=SCALED,WAVE64
// RUN: %cilk2gpu -O2 --offload-arch=gfx1030 --emit=isa %s | FileCheck %s --check-prefixes=SCALED,WAVE32
// RUN: %cilk2gpu -O2 --offload-arch=gfx942 --emit=isa %s | FileCheck %s --check-prefixes=EACH,EACH64
// RUN: %cilk2gpu -O2 --offload-arch=gfx1100 --emit=isa %s | FileCheck %s --check-prefixes=EACH,EACH32
// RUN: %cilk2gpu -O2 --offload-arch=gfx1201 --emit=isa %s 2>&1 | FileCheck %s --check-prefixes=EACH,EACH32
// The IR is as LLVM defines it.
// RUN: %cilk2gpu -O2 --offload-arch=gfx1100 --emit=llvm %s | FileCheck %s --check-prefix=IR
// IR: @llvm.stackrestore.p5
// IR-NOT: asm
#include <cilk/cilk.h>

__attribute__((noinline)) void fill(int n, int *numbers) {
  for (int i = 0; i < n; ++i)
    numbers[i] += i;
}

// The size is divided where LLVM multiplies it.
// EACH-NOT: warning
// SCALED: {{^}}__cilk2gpu_{{.*}}_variable:
// SCALED: v_lshl_add_u32 v{{[0-9]+}}, v{{[0-9]+}}, 2, 15
// EACH: {{^}}__cilk2gpu_{{.*}}_variable:
// EACH64: v_lshl_add_u32 v[[#SIZE:]], v{{[0-9]+}}, 2, 63
// EACH64: v_lshrrev_b32_e32 v{{[0-9]+}}, 6, v[[#SIZE]]
// EACH32: v_lshl_add_u32 v[[#SIZE:]], v{{[0-9]+}}, 2, 31
// EACH32: v_lshrrev_b32_e32 v{{[0-9]+}}, 5, v[[#SIZE]]
// Saved.
// EACH: s_mov_b32 [[SAVED:s[0-9]+]], s32
// Taken, looked at, and called with.
// SCALED: s_mov_b32 [[POINTER:s[0-9]+]], s32
// WAVE64: s_lshr_b32 [[OWN:s[0-9]+]], [[POINTER]], 6
// WAVE32: s_lshr_b32 [[OWN:s[0-9]+]], [[POINTER]], 5
// SCALED: v_cmp{{.*}}u64
// SCALED: fill@
// EACH: v_readfirstlane_b32 s32
// EACH: v_cmp{{.*}}u64
// EACH: fill@
// Restored.
// EACH: s_mov_b32 s32, [[SAVED]]
__attribute__((noinline)) static int variable(int n) {
  int sum = 0;
  for (int round = 1; round < n; ++round) {
    int numbers[n];
    fill(n, numbers);
    sum += numbers[round];
  }
  return sum;
}

int tree(int n) {
  if (n < 2)
    return variable(n + 5);
  int a = cilk_spawn tree(n - 1);
  int b = tree(n - 2);
  cilk_sync;
  return a + b;
}
