// Tests that an endless recursion ends with a message where all tasks run as serial elisions. With CILK2GPU_ELIDE=always, the
// stack takes at most one gigabyte, whatever memory the machine has. With CILK2GPU_DEVICE=serial, it is the thread's own.
// RUN: cilk2gpu -O2 -pthread %s -o %t
// RUN: not env CILK2GPU_ELIDE=always CILK2GPU_WORKERS=2 %t endless 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS: error: out of memory: the stack of serial elisions is full in 'deeper'; does its recursion end? The stack may take one gigabyte with CILK2GPU_ELIDE=always; with CILK2GPU_ELIDE=never, tasks take no stack
// ALWAYS-NEXT: {{^}}status 1, at most 1.{{[0-9]}} GB
// RUN: not env CILK2GPU_DEVICE=serial %t endless 2>&1 | FileCheck %s --check-prefix=SERIAL
// RUN: not env CILK2GPU_DEVICE=serial %t endless thread 2>&1 | FileCheck %s --check-prefix=SERIAL
// SERIAL: error: out of memory: the stack of a thread is full in a Cilk function that runs as its serial elision; does its recursion end? 'ulimit -s' gives the first thread a larger stack; devices other than CILK2GPU_DEVICE=serial keep tasks in the memory of channels
// SERIAL-NEXT: {{^}}status 1, at most 0.{{[0-9]}} GB

// A fault of the program itself is not taken for a full stack.
// RUN: not env CILK2GPU_DEVICE=serial %t fault 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT-NOT: error
// FAULT: {{^}}signal 11

// A recursion that ends gives its result.
// RUN: env CILK2GPU_ELIDE=always %t ends | FileCheck %s --check-prefix=ENDS
// RUN: env CILK2GPU_DEVICE=serial %t ends | FileCheck %s --check-prefix=ENDS
// ENDS: {{^}}result 0
// ENDS-NEXT: {{^}}status 0

#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long end = -1;
static int *volatile nowhere;

static long deeper(long n) {
  if (n == end)
    return nowhere ? *nowhere : 0;
  volatile char large[1000];
  large[n % 100] = 1;
  long below = cilk_spawn deeper(n + 1);
  cilk_sync;
  return below * large[n % 100];
}

static void *run(void *unused) {
  printf("result %ld\n", deeper(0));
  fflush(stdout);
  return unused;
}

static void runInChild(const char *mode, int isThread) {
  if (strcmp(mode, "endless"))
    end = 1000;
  if (!strcmp(mode, "fault"))
    nowhere = (int *)16;
  pthread_t thread;
  if (isThread && !pthread_create(&thread, NULL, run, NULL))
    pthread_join(thread, NULL);
  else
    run(NULL);
  _exit(0);
}

int main(int argc, char **argv) {
  pid_t child = fork();
  if (!child)
    runInChild(argv[1], argc > 2);
  int status;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  if (WIFSIGNALED(status))
    return printf("signal %d\n", WTERMSIG(status)), 1;
  printf("status %d, at most %.1f GB\n", WEXITSTATUS(status), (double)usage.ru_maxrss / (1 << 20));
  return WEXITSTATUS(status);
}
