// Tests that a GPU rounds a product and a sum as often as the elision. That is once if the host's target has one instruction for
// both, and else twice, whatever the GPU has.
// DEFINE: %{arch} = sm_90
// DEFINE: %{flags} = -O2
// DEFINE: %{prefix} = TWICE
// DEFINE: %{run} = %cilk2gpu %{flags} --offload-arch=%{arch} --emit=llvm %s | FileCheck %s --check-prefix=%{prefix}
// RUN: %{run}
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %cilk2gpu -O2 -ffp-contract=fast --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefix=ISA
// RUN: %cilk2gpu -O2 -ffp-contract=fast --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefix=ISA
// REDEFINE: %{arch} = gfx90a
// RUN: %{run}
// REDEFINE: %{flags} = -O2 -ffp-contract=fast
// RUN: %{run}
// REDEFINE: %{flags} = -O2 -mfma
// REDEFINE: %{prefix} = ONCE
// RUN: %{run}
// REDEFINE: %{arch} = sm_90
// RUN: %{run}
// TWICE-NOT: {{fmuladd|fmul contract|llvm[.]fma[.]}}
// TWICE: fmul double
// TWICE-NOT: {{fmuladd|fmul contract|llvm[.]fma[.]}}
// ONCE-NOT: fmul double
// ONCE: @llvm.fma.f64(
// ONCE-NOT: fmul double
// PTX-NOT: fma.
// PTX: mul.{{(rn.)?}}f64
// PTX-NOT: fma.
// ISA-NOT: v_{{fma|mad}}_f64
// ISA: v_mul_f64
// ISA-NOT: v_{{fma|mad}}_f64
#include <cilk/cilk.h>

double numbers[4] = {0.1, 10.0, -1.0, 0};

int task(int n) {
  if (n < 1) {
    numbers[3] = numbers[0] * numbers[1] + numbers[2];
    return 0;
  }
  int x = cilk_spawn task(n - 1);
  cilk_sync;
  return x;
}
