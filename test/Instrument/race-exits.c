// Tests the exit status and the summary for each way out of a program, in processes that fork, and in a file.
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t
// RUN: bash -c '%t return 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c '%t _exit 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c '%t quick_exit 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c 'CILKSAN_OPTIONS=exitcode=0 %t return 2>%t.txt; test $? -eq 3' && FileCheck %s < %t.txt
// RUN: bash -c 'CILKSAN_OPTIONS=exitcode=0 %t _exit 2>/dev/null; test $? -eq 3'
// RUN: bash -c 'CILKSAN_OPTIONS=exitcode=0 %t quick_exit 2>/dev/null; test $? -eq 3'
// The status of a child is its own. A child with reports of its own has a summary.
// RUN: bash -c '%t fork 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c '%t vfork 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c '%t race-in-fork 2>%t.txt; test $? -eq 66' && FileCheck %s --check-prefix=CHILD < %t.txt
// RUN: bash -c 'CILKSAN_OPTIONS=halt_on_error=1 %t halt 2>%t.txt; test $? -eq 66' && FileCheck %s < %t.txt
// RUN: bash -c 'CILKSAN_OPTIONS=halt_on_error=1:exitcode=0 %t halt 2>/dev/null; test $? -eq 1'
// RUN: rm -f %t.log.* && not env CILKSAN_OPTIONS=log_path=%t.log %t return 2>&1 | count 0
// RUN: cat %t.log.* | FileCheck %s
// RUN: not env CILKSAN_OPTIONS=log_path=stdout %t return | FileCheck %s
// RUN: not env CILKSAN_OPTIONS=log_path=%t.none/log %t return 2>&1 | FileCheck %s --check-prefix=LOG
// LOG: cilk2gpu: error: CILKSAN_OPTIONS: the file '{{.*}}' for reports cannot be written: No such file or directory

// CHECK:      data race at
// CHECK-NEXT: a write of x in main
// CHECK-NOT:  data race
// CHECK:      cilk2gpu: 1 data race{{$}}
// CHECK-NOT:  cilk2gpu:
// CHECK-NOT:  status of the child

// CHILD: a write of x in main
// CHILD: an atomic write of {{.*}}in main
// CHILD: cilk2gpu: 1 data race{{$}}
// CHILD: status of the child: 66
// CHILD: cilk2gpu: 1 data race{{$}}
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kStatus = 3 };
int x;
_Atomic int atomic;

static void set(int *to) { *to = 1; }

static void waitForChild(int child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) != kStatus)
    fprintf(stderr, "status of the child: %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  cilk_spawn set(&x);
  x = 2;
  cilk_sync;
  const char *way = argv[argc - 1];
  if (!strcmp(way, "_exit"))
    _exit(kStatus);
  if (!strcmp(way, "quick_exit"))
    quick_exit(kStatus);
  int child = !strcmp(way, "fork") || !strcmp(way, "race-in-fork") ? fork() : !strcmp(way, "vfork") ? vfork() : -1;
  if (!child && strcmp(way, "race-in-fork"))
    _exit(kStatus);
  if (!child || !strcmp(way, "halt")) {
    cilk_spawn set((int *)&atomic);
    atomic = 2;
    cilk_sync;
    exit(kStatus);
  }
  if (child > 0)
    waitForChild(child);
  return kStatus;
}
