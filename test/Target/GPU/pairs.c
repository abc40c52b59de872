// Tests functions of the host that return two scalars in registers: complex arithmetic, and div and the like. Their results are
// the elision's, bit for bit, because the host computes them.
// RUN: %cilk2gpu -O2 --offload-arch=sm_70 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co && llvm-readelf -h %t.co | FileCheck %s --check-prefix=ELF
// RUN: %cilk2gpu -O2 --offload-arch=sm_70,gfx90a -Rpass-analysis=cilk %s -o %t 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %t
// CHECK-NOT: @__{{mul|div}}{{[sd]}}c3
// CHECK: call {{.*}}i64 @{{.*}}ask{{.*}}(i16 {{.*}}ptr
// CHECK-NOT: call {{.*}}@__{{mul|div}}{{[sd]}}c3
// HOST-DAG: pairs.c:[[#]]:{{[0-9]+}}: remark: a task on a GPU calls '__muldc3' on the host
// HOST-DAG: pairs.c:[[#]]:{{[0-9]+}}: remark: a task on a GPU calls '__divdc3' on the host
// HOST-DAG: pairs.c:[[#]]:{{[0-9]+}}: remark: a task on a GPU calls '__mulsc3' on the host
// HOST-DAG: pairs.c:[[#]]:{{[0-9]+}}: remark: a task on a GPU calls '__divsc3' on the host
// HOST-DAG: pairs.c:[[#]]:{{[0-9]+}}: remark: a task on a GPU calls 'ldiv' on the host
// ELF: Machine: EM_AMDGPU
#include <cilk/cilk.h>
#include <stdlib.h>

_Complex double wide[64];
_Complex float narrow[64];

long task(int n) {
  if (n < 2) {
    wide[n] = wide[n + 2] * wide[n + 3] / wide[n + 4];
    narrow[n] = narrow[n + 2] * narrow[n + 3] / narrow[n + 4];
    ldiv_t parts = ldiv(n + 20, 7);
    return parts.quot * 100 + parts.rem;
  }
  long x = cilk_spawn task(n - 1);
  long y = task(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return task(2) != 206 + 300; }
