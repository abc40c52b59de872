// Tests kernels for AArch64. They have a form for NEON, which every such processor has, in vectors of 16 lanes. Lanes are
// compared together. Table lookups compress spawned lanes, which are stored as whole registers. The accumulator is folded in
// vectors. Nothing is called for a single lane.
// DEFINE: %{compile} = cilk2gpu --target=aarch64-linux-gnu -O2 -moutline-atomics
// DEFINE: %{disassemble} = llvm-objdump -d --no-show-raw-insn --no-print-imm-hex

// RUN: %{compile} -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: kernel 'tree.acc.k0' runs 16 lanes at once with NEON [-Rpass=cilk]
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.neon %t.o | FileCheck %s
// CHECK-LABEL: <tree.acc.k0.simd.neon>:
// CHECK: cmgt v{{[0-9]+}}.4s
// CHECK: umaxv
// CHECK: tbl v{{[0-9]+}}.16b, { v{{[0-9]+}}.16b }
// CHECK: str q
// CHECK: tbl v{{[0-9]+}}.16b, { v{{[0-9]+}}.16b }

// Its calls: the runtime if a channel is full, copies if a whole vector does not fit, a function for lanes with
// another accumulator, and the atomic update of an accumulator.
// RUN: %{compile} --emit=asm %s -o %t.s
// RUN: sed -n '/^tree.acc.k0.simd.neon:/,/^.Lfunc_end/p' %t.s > %t.kernel
// RUN: FileCheck %s --check-prefix=CALLS --input-file=%t.kernel --implicit-check-not='{{[[:space:]](bl|blr)[[:space:]]+(tree|[^_cm])}}'
// CALLS: tree.acc.k0.simd.neon:
// CALLS-DAG: bl __cilk2gpu_talloc_lanes
// CALLS-DAG: bl memcpy
// CALLS-DAG: bl cilk2gpu.accumulate.add.i32.x16.neon
// CALLS-DAG: bl __aarch64_ldadd4_relax

// Instruction sets of another processor make no form.
// RUN: %{compile} -fcilk-vector-isa=avx512,avx2,sse -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=.simd
// RUN: cilk2gpu -O2 -fcilk-vector-isa=neon -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=.simd
// SYMBOLS: tree
#include <cilk/cilk.h>

int tree(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn tree(n - 1);
  int b = cilk_spawn tree(n - 2);
  cilk_sync;
  return a + b;
}
