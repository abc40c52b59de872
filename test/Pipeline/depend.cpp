// Tests ordered spawns whose sections have negative lengths, and exceptions of ordered tasks: the sync throws them. With
// -fno-cilk-exceptions they end the program.
// RUN: %cilk2gpuxx -O2 %s -o %t
// RUN: not %t length 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: env CILK2GPU_DEVICE=serial %t throw | FileCheck %s --check-prefix=ELISION
// RUN: %cilk2gpuxx -O2 -fserial-elision %s -o %t.elision
// RUN: %t.elision throw | FileCheck %s --check-prefix=ELISION
// RUN: env CILK2GPU_ELIDE=never %t throw | FileCheck %s --check-prefix=ELISION
// RUN: %cilk2gpuxx -O2 -fno-cilk-exceptions %s -o %t.none
// RUN: env CILK2GPU_ELIDE=never not %t.none throw 2>&1 | FileCheck %s --check-prefix=TASK
// LENGTH: cilk2gpu: error: the length of an array section in a depend clause must not be negative, but it is -2 at {{.*}}depend.cpp:[[#LINE:]]; write the number of elements behind the ':'
// ELISION: 0
// ELISION-NEXT: 1
// ELISION-NEXT: end of frame
// ELISION-NEXT: caught 1
// TASK: cilk2gpu: error: {{.*}}exception
#include <cstdio>
#include <cstring>

struct Frame {
  ~Frame() { puts("end of frame"); }
};

static void step(int *state, int number) {
  printf("%d\n", number);
  *state += number;
  if (number == 1)
    throw number;
}

static void steps(int *state, int count) {
  Frame frame;
  for (int i = 0; i < count; ++i) {
#pragma cilk depend(inout: state[0 : 1])
    cilk_spawn step(state, i);
  }
}

static void sections(int *state, int length) {
#pragma cilk depend(inout: state[0 : length])
  cilk_spawn step(state, 7);
  cilk_sync;
}

int main(int argc, char **argv) {
  int state = 0;
  if (argc > 1 && !strcmp(argv[1], "length"))
    sections(&state, -2);
  try {
    steps(&state, 4);
  } catch (int number) {
    printf("caught %d\n", number);
  }
}
