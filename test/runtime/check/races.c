// Tests that CILK2GPU_CHECK=races names the variable, the first task that makes a difference, and a command that repeats
// the run.
// RUN: %cilk2gpu -O1 -g %s -o %t
// RUN: not env CILK2GPU_CHECK=races:4 %t < /dev/null > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck %s --check-prefix=NOTHING --allow-empty < %t.out
#include <cilk/cilk.h>
#include <stdio.h>

int counter = 1, unused;
static int table[100];

__attribute__((noinline)) static void add(int n) { counter += n; }
__attribute__((noinline)) static void multiply(int n) { counter *= n; }

static void work(int n) {
  cilk_spawn add(n);
  cilk_spawn multiply(3);
  cilk_sync;
}

int main(void) {
  cilk_for (int i = 0; i < 100; i++)
    table[i] = i;
  work(5);
  printf("%d of %d\n", counter, table[99]);
  return 3;
}

// CHECK: cilk2gpu: error: the result must be that of the serial order under every schedule, but it depends on the order of tasks:
// CHECK-NEXT: cilk2gpu:   standard output, from byte 1 on, in line 1:
// CHECK-NEXT: cilk2gpu:     serial order: 18 of 99
// CHECK-NEXT: cilk2gpu:     this schedule: 8 of 99
// CHECK-NEXT: cilk2gpu:   variable counter:
// CHECK-NEXT: cilk2gpu:     serial order: 18 (0x12)
// CHECK-NEXT: cilk2gpu:     this schedule: 8 (0x8)
// CHECK-NEXT: cilk2gpu:   first step that makes a difference: this task ran before tasks that come first in serial order
// CHECK-NEXT: cilk2gpu:     task multiply ({{.*}}races.c:[[@LINE-24]])
// CHECK-NEXT: cilk2gpu:     ran before add ({{.*}}races.c:[[@LINE-26]])
// CHECK-NEXT: cilk2gpu:   to repeat this run: CILK2GPU_STEPS={{[0-9]+}} CILK2GPU_SEED=1 {{.*}}races.c.tmp
// CHECK-NEXT: cilk2gpu:   remedy: compile with -fsanitize=cilk, which names both lines of a race; then put a sync between them, use a reducer, or give each task data of its own
// CHECK-NOT: {{.}}
// NOTHING-NOT: {{.}}

// The command gives the other result, and with one step less it gives the serial one.
// RUN: sed -n 's/^cilk2gpu:   to repeat this run: //p' %t.err > %t.sh
// RUN: not env sh %t.sh | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/STEPS=\([0-9]*\)/STEPS=$((\1-1))/' %t.sh > %t.less.sh
// RUN: not env sh %t.less.sh | FileCheck %s --check-prefix=SERIAL
// OTHER: {{^}}8 of 99
// SERIAL: {{^}}18 of 99

// The exit status is that of the race detector.
// RUN: sh -c 'CILK2GPU_CHECK=races %t < /dev/null 2> %t.err; echo status $?' | FileCheck %s --check-prefix=STATUS
// STATUS: status 66
