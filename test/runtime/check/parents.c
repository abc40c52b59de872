// Tests that a race between a task and its child is found, and one between ordinary code and a task that it spawned.
// RUN: %cilk2gpu -O1 -g %s -o %t
// RUN: not env CILK2GPU_CHECK=races %t < /dev/null 2>&1 | FileCheck %s
// RUN: not env CILK2GPU_CHECK=races %t x < /dev/null 2>&1 | FileCheck %s --check-prefix=MAIN
#include <cilk/cilk.h>

int seen[50];

__attribute__((noinline)) static void child(int n) { seen[n] = seen[40] + 1; }

static void parent(int n) {
  cilk_spawn child(n);
  seen[40] = n;
  cilk_sync;
}

// CHECK: error: the result must be that of the serial order
// CHECK-NEXT: variable seen, 4 bytes at byte 12 of 200:
// CHECK-NEXT:   serial order: 1 (0x1)
// CHECK-NEXT:   this schedule: 4 (0x4)
// CHECK-NEXT: first step that makes a difference: this task ran up to its syncs before its children
// CHECK-NEXT:   task parent ({{.*}}parents.c:[[@LINE-11]])
// CHECK-NEXT:   ran before child ({{.*}}parents.c:[[@LINE-14]])

// MAIN: variable seen, 4 bytes at byte 32 of 200:
// MAIN: first step that makes a difference: code behind the spawn of this task ran before the task
// MAIN-NEXT: task child ({{.*}}parents.c:[[@LINE-18]])

int main(int argc, char **argv) {
  if (argc == 1) {
    parent(3);
    return 0;
  }
  cilk_spawn child(8);
  seen[40] = 1;
  cilk_sync;
  return 0;
}
