// Tests that a schedule under which a task waits for ever is ended and reported, and that one under which a task crashes
// is reported, too.
// RUN: %cilk2gpu -O1 -g %s -o %t
// RUN: not env CILK2GPU_WATCHDOG=1 CILK2GPU_CHECK=races %t < /dev/null 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: not env CILK2GPU_CHECK=races %t crash < /dev/null 2>&1 | FileCheck %s --check-prefix=CRASH
#include <cilk/cilk.h>
#include <stdlib.h>

static volatile int isReady;

__attribute__((noinline)) static void prepare(void) { isReady = 1; }

__attribute__((noinline)) static void use(int crashes) {
  if (!isReady && crashes)
    abort();
  while (!isReady)
    ;
}

static void work(int crashes) {
  cilk_spawn prepare();
  cilk_spawn use(crashes);
  cilk_sync;
}

int main(int argc, char **argv) {
  work(argc > 1);
  return 0;
}

// STUCK: error: the result must be that of the serial order
// STUCK-NEXT: the run did not end: it made no progress for {{1|2|3}}.{{[0-9]}} s, while a serial run takes 0.{{[0-9]+}} s
// STUCK-NEXT: first step that makes a difference: this task ran before tasks that come first in serial order
// STUCK-NEXT: task use ({{.*}}stuck.c:[[@LINE-21]])
// STUCK-NEXT: ran before prepare ({{.*}}stuck.c:[[@LINE-24]])
// CRASH: end of the program:
// CRASH-NEXT: serial order: exit status 0
// CRASH-NEXT: this schedule: ended by signal 6 (Aborted)
// CRASH: task use
