// Tests that ordinary functions with storage of variable size work in tasks on a GPU: they save and restore the stack where the
// target has it, in private memory.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s --check-prefix=AMD
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co && llvm-readelf -h %t.co | FileCheck %s --check-prefix=ELF
// RUN: %cilk2gpu -O0 --offload-arch=gfx1100 --emit=hsaco %s -o %t.co && llvm-readelf -h %t.co | FileCheck %s --check-prefix=ELF
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// LLVM's own choice of PTX for older GPUs lacks this.
// RUN: %cilk2gpu -O2 --offload-arch=sm_70 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %cilk2gpu -O2 --offload-arch=sm_86 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// An image is marked if its code has no bound for the stack. It does not run where the size of the stack cannot be set.
// AMD: @__cilk2gpu_deep_stack = protected addrspace(1) constant i32 1
// AMD: %[[STACK:.*]] = {{.*}}call ptr addrspace(5) @llvm.stacksave.p5()
// AMD: call void @llvm.stackrestore.p5(ptr addrspace(5) %
// AMD-NOT: @llvm.stacksave.p0
// ELF: Machine: EM_AMDGPU
// PTX: .visible .global {{.*}}__cilk2gpu_deep_stack
// PTX: stacksave.u64
// PTX: alloca.u64
// PTX: stackrestore.u64
#include <cilk/cilk.h>

static int digits(unsigned n, unsigned base) {
  int sum = 0;
  for (unsigned round = 1; round < 4; ++round) {
    unsigned char parts[n % 7 + round];
    for (unsigned i = 0; i < sizeof parts; ++i, n /= base)
      parts[i] = (unsigned char)(n % base);
    for (unsigned i = sizeof parts; i-- > 0;)
      sum = sum * 3 + parts[i];
  }
  return sum;
}

int tree(int n) {
  if (n < 2)
    return digits((unsigned)n + 1000, 7);
  int a = cilk_spawn tree(n - 1);
  int b = cilk_spawn tree(n - 2);
  cilk_sync;
  return a + b;
}
