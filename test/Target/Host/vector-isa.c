// Tests the instruction sets for which kernels are vectorised. A form has no instruction of a wider set: on a machine with only
// the form's set, that would be illegal.
// DEFINE: %{disassemble} = llvm-objdump -d --no-show-raw-insn
// DEFINE: %{check} = FileCheck %s --implicit-check-not=zmm --implicit-check-not='{%%k' --implicit-check-not='mm{{1[6-9]|[23][0-9]}}'

// A target that has neither set gets both. The user's functions keep their instruction set.
// RUN: cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH-DAG: remark: kernel 'tree.acc.k0' runs 32 lanes at once with AVX-512, 16 with AVX2 [-Rpass=cilk]
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.avx512 %t.o | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: <tree.acc.k0.simd.avx512>:
// WIDE: %zmm
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.avx2 %t.o | %{check}
// CHECK-LABEL: <tree.acc.k0.simd.avx2>:
// CHECK: vpermd
// RUN: cilk2gpu -O2 --emit=llvm %s | FileCheck %s --check-prefix=ATTRIBUTES
// ATTRIBUTES-DAG: define internal void @tree.acc.k0.simd.avx512({{.*}} #[[LARGE:[0-9]+]]
// ATTRIBUTES-DAG: define internal void @tree.acc.k0.simd.avx2({{.*}} #[[SMALL:[0-9]+]]
// ATTRIBUTES-DAG: attributes #[[LARGE]] = {{.*}}"target-cpu"="x86-64-v4"
// ATTRIBUTES-DAG: attributes #[[SMALL]] = {{.*}}"target-cpu"="x86-64-v3"

// A target with AVX-512 gets that alone, unless both are asked for. Then the narrow form uses nothing of the target.
// RUN: cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=ONE --implicit-check-not=simd.avx2
// OWN: remark: kernel 'tree.acc.k0' runs 32 lanes at once with AVX-512 [-Rpass=cilk]
// ONE: tree.acc.k0.simd.avx512
// RUN: cilk2gpu -O2 -march=sapphirerapids -fcilk-vector-isa=avx512,avx2 -c %s -o %t.o
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.avx2 %t.o | %{check}

// One set by name; a set that the command line rules out; none.
// RUN: cilk2gpu -O2 -fcilk-vector-isa=avx2 -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=AVX2 --implicit-check-not=simd.avx512
// AVX2: tree.acc.k0.simd.avx2
// RUN: cilk2gpu -O2 -mno-avx2 -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=RULED
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=NONE --implicit-check-not=.simd
// RULED: remark: kernel 'tree.acc.k0' runs lane by lane: no vectors are compiled for its target [-Rpass-missed=cilk]
// RUN: cilk2gpu -O2 -fcilk-vector-isa=none -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=NONE --implicit-check-not=.simd
// NONE: tree

// SSE only by name, beside other sets or alone: 128-bit registers without AVX's instructions, lanes compressed as bytes.
// RUN: cilk2gpu -O2 -fcilk-vector-isa=sse,avx512 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=NONE --implicit-check-not=simd.avx2
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.sse %t.o | FileCheck %s --check-prefix=SSE --implicit-check-not='{{[yz]}}mm' --implicit-check-not='{{[[:space:]]v[a-z]+ }}'
// THREE-DAG: remark: kernel 'tree.acc.k0' runs 32 lanes at once with AVX-512, 16 with SSE [-Rpass=cilk]
// SSE-LABEL: <tree.acc.k0.simd.sse>:
// SSE: pshufb
// RUN: cilk2gpu -O2 -march=haswell -fcilk-vector-isa=sse -c %s -o %t.o
// RUN: %{disassemble} --disassemble-symbols=tree.acc.k0.simd.sse %t.o | FileCheck %s --check-prefix=SSE --implicit-check-not='{{[yz]}}mm' --implicit-check-not='{{[[:space:]]v[a-z]+ }}'
// RUN: cilk2gpu -O2 -mno-sse4.2 -fcilk-vector-isa=sse -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=RULED

// RUN: not cilk2gpu -O2 -fcilk-vector-isa=sse4 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: invalid value 'sse4' in '-fcilk-vector-isa=sse4'; allowed are: auto, none, or a list of avx512, avx2, sse, neon
#include <cilk/cilk.h>

int tree(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn tree(n - 1);
  int b = cilk_spawn tree(n - 2);
  cilk_sync;
  return a + b;
}

// This function has a wider target than its caller. So it stays a call, which does not pay.
// BOTH-DAG: remark: kernel 'calls.acc.k0' runs lane by lane: most of its work has no vector form: calls [-Rpass-missed=cilk]
__attribute__((target("avx512f"))) static int wider(int n) { return n / 3; }

int calls(int n) {
  if (n < 2)
    return wider(n);
  int a = cilk_spawn calls(n - 1);
  int b = cilk_spawn calls(n - 2);
  cilk_sync;
  return a + b;
}
