// Tests that memory behind pointers in elements is accessed as memory that all lanes share: no element points to a lane's memory.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
#include <cilk/cilk.h>

// CHECK-LABEL: {{^}}__cilk2gpu_{{.*}}_add_k0:
// CHECK-NOT: flat_
// CHECK: global_atomic_add_x2
// CHECK-NOT: flat_
// CHECK: s_endpgm
// PTX-LABEL: .visible .entry __cilk2gpu_{{.*}}_add_k0(
// PTX-NOT: atom.add
// PTX: atom.global.add.u64
// PTX-NOT: atom.add
void add(long *to, const long *from, int n) {
  __atomic_fetch_add(to, from[n], __ATOMIC_RELAXED);
  if (n > 0) {
    cilk_spawn add(to, from, n - 1);
    cilk_spawn add(to + 1, from, n - 2);
  }
}
