// Tests that tasks on a GPU can print, allocate and end the process, by requests to the host in a queue that the host finds.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co && llvm-readelf -s %t.co | FileCheck %s --check-prefix=SYMBOL
// CHECK-DAG: @__cilk2gpu_requests = protected {{.*}}addrspace(1) {{.*}}global ptr null
// CHECK-DAG: addrspace(1) global [64 x i32] zeroinitializer
// SYMBOL: OBJECT GLOBAL PROTECTED {{.*}} __cilk2gpu_requests
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long list(int n) {
  if (n == 0)
    return 0;
  long *copy = malloc(sizeof *copy);
  if (!copy)
    exit(3);
  *copy = n;
  long rest = cilk_spawn list(n - 1);
  cilk_sync;
  fprintf(stderr, "%d has %ld, %g\n", n, *copy, n * 0.5);
  // CHECK-NOT: call{{.*}} @printf
  printf("%5.2f %s\n", n / 3.0, n % 2 ? "odd" : "even");
  free(copy);
  return rest + n;
}
