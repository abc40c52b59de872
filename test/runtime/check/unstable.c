// Tests that a program whose runs in serial order differ is told apart from a race. Times on the standard error and in
// variables do not matter.
// RUN: %cilk2gpu -O1 %s -o %t
// RUN: not env CILK2GPU_CHECK=races %t out < /dev/null 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: not env CILK2GPU_CHECK=races %t status < /dev/null 2>&1 | FileCheck %s --check-prefix=STATUS
// RUN: not env CILK2GPU_CHECK=races %t address < /dev/null 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: env CILK2GPU_CHECK=races %t err < /dev/null 2>&1 | FileCheck %s --check-prefix=ERR
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int process, results[10];

__attribute__((noinline)) static void task(int n) { results[n] = n * n; }

int main(int argc, char **argv) {
  process = (int)getpid();
  cilk_for (int i = 0; i < 10; i++)
    task(i);
  if (!strcmp(argv[1], "address"))
    printf("at %p\n", malloc(10));
  if (!strcmp(argv[1], "status"))
    return process % 100;
  fprintf(!strcmp(argv[1], "out") ? stdout : stderr, "first line\nprocess %d\n", process);
  return 0;
}

// OUT: cilk2gpu: error: CILK2GPU_CHECK=races compares schedules, but two runs in serial order differ:
// OUT-NEXT: cilk2gpu:   standard output, from byte {{[0-9]+}} on, in line 2:
// OUT-NEXT: cilk2gpu:     first run: process {{[0-9]+}}
// OUT-NEXT: cilk2gpu:     other run: process {{[0-9]+}}
// OUT-NEXT: cilk2gpu: such programs use the time, random numbers, process numbers, or memory that was not written; make the result depend on the input only, for example with a fixed seed and without times in the output
// OUT-NOT: {{.}}
// STATUS: two runs in serial order differ:
// STATUS-NEXT: end of the program:
// STATUS-NEXT: first run: exit status {{[0-9]+}}
// STATUS-NEXT: other run: exit status {{[0-9]+}}
// ADDRESS: two runs in serial order differ:
// ADDRESS-NEXT: standard output, from byte {{[0-9]+}} on, in line 1:
// ADDRESS-NEXT: first run: at 0x
// ERR: first line
// ERR: cilk2gpu: 16 schedules had the result of the serial order
