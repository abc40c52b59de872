// Tests that -fcilk-scale adds the number of each machine block's instructions, calls hooks that keep registers, and
// brackets calls of libraries.
// RUN: %cilk2gpu -O2 --target=x86_64-linux-gnu -fcilk-scale -S -o - %s | FileCheck %s
#include <cilk/cilk.h>

void outside(void);

// CHECK-LABEL: {{^}}larger:
// CHECK: movl
// CHECK: addq $4, __cilk2gpu_scale_work(%rip)
// CHECK: cmpl
// CHECK-NEXT: cmov
// CHECK-NEXT: retq
int larger(int a, int b) { return a > b ? a : b; }

// CHECK-LABEL: {{^}}leaves:
// CHECK: callq __cilk2gpu_scale_library_enter
// CHECK: callq outside
// CHECK: callq __cilk2gpu_scale_library_leave
void leaves(void) { outside(); }

// CHECK-LABEL: {{^}}parent:
// CHECK: callq __cilk2gpu_scale_enter
// CHECK: callq __cilk2gpu_scale_spawn
// CHECK: callq __cilk2gpu_scale_return
// CHECK: callq __cilk2gpu_scale_sync_end
// CHECK: callq __cilk2gpu_scale_leave_innermost@PLT
void parent(int *x) {
  *x = cilk_spawn larger(*x, 1);
  cilk_sync;
}

// A hook ends what the number before it counts. The code behind the hook adds its own number.
// CHECK-LABEL: {{^}}straight:
// CHECK: callq __cilk2gpu_scale_spawn
// CHECK: addq $1, __cilk2gpu_scale_work(%rip)
// CHECK: incl
// CHECK: callq __cilk2gpu_scale_return
// CHECK: addq $1, __cilk2gpu_scale_work(%rip)
// CHECK: movl $1
// CHECK: callq __cilk2gpu_scale_sync@PLT
// CHECK: addq ${{[0-9]+}}, __cilk2gpu_scale_work(%rip)
// CHECK: movl $2
void straight(volatile int *x, volatile int *y) {
  cilk_spawn { ++*x; }
  *y = 1;
  cilk_sync;
  *y = 2;
}

// CHECK-LABEL: {{^}}loop:
// CHECK: callq __cilk2gpu_scale_iteration
// CHECK: addq ${{[0-9]+}}, __cilk2gpu_scale_work(%rip)
// CHECK: jne
void loop(volatile int *x) {
  cilk_for (int i = 0; i < 1000; ++i)
    x[i] = i;
}

// CHECK-LABEL: {{^}}result:
// CHECK: callq __cilk2gpu_scale_sync@PLT
int result(int n) {
  int x = 0;
  if (n > 0)
    x = cilk_spawn larger(n, 1);
  cilk_sync;
  return x + 1;
}

// CHECK-LABEL: {{^}}implied:
// CHECK: callq __cilk2gpu_scale_leave_innermost_result@PLT
int implied(int *x) {
  *x = cilk_spawn larger(*x, 1);
  return 5;
}

// RUN: not %cilk2gpu -fcilk-scale -fserial-elision -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ELISION %s
// ELISION: '-fcilk-scale' and '-fserial-elision' do not go together: an elision has no spawns; remove -fserial-elision
// RUN: not %cilk2gpu -fcilk-scale -fsanitize=cilk -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=RACES %s
// RACES: '-fcilk-scale' and '-fsanitize=cilk' do not go together
