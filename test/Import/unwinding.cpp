// Tests that an exception destroys the locals of a Cilk function that runs as its elision. A task instead ends the program with a
// message, even if its caller would catch the exception. Also tests code that handlers may not contain.
// RUN: %cilk2gpuxx -O2 %s -o %t
// RUN: not %t 5 2>&1 | FileCheck %s --check-prefix=TASK
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=SERIAL
// RUN: %cilk2gpuxx -O0 -g %s -o %t
// RUN: not %t 5 2>&1 | FileCheck %s --check-prefix=TASK
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=SERIAL
// RUN: %cilk2gpuxx -O1 -DTRY %s -o %t
// RUN: not %t 5 2>&1 | FileCheck %s --check-prefix=TASK
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=TRY
// RUN: not %cilk2gpuxx -c -DHANDLER %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HANDLER
#include <cstdio>
#include <cstdlib>

struct Noted {
  int number;
  ~Noted() { std::printf("destroyed %d\n", number); }
};

static void leaf(int n) {
  if (n == 1)
    throw n;
}

void tree(int n) {
  Noted own{n};
  if (n < 2)
    return leaf(n);
  cilk_for (int i = 0; i < 2; ++i) {
    Noted iteration{100 * n + i};
    if (i == 1)
      tree(n - 2);
  }
}

#if defined(TRY)
void calls(int n) {
  cilk_spawn leaf(n);
  try {
    tree(n);
  } catch (int error) {
    std::printf("caught %d in time\n", error);
  }
}
#define tree calls
// TRY: destroyed 1
// TRY: caught 1 in time
// TRY-NEXT: destroyed 1000
// TRY-NEXT: destroyed 0
#elif defined(HANDLER)
void wrong(int n) {
  cilk_spawn tree(n);
  try {
    leaf(n);
  } catch (int) {
    tree(n); // HANDLER: [[@LINE]]:{{.*}}error: {{.*}}the handler of an exception cannot wait, but this one calls a function with spawn or sync; call it after the handler, or move the try statement to a function of its own
  }
}
#endif

int main(int, char **argv) {
  Noted own{0};
  int n = std::atoi(argv[1]);
  try {
    Noted inside{1000};
    cilk_spawn tree(n);
    cilk_sync;
  } catch (int error) {
    std::printf("caught %d\n", error);
  }
}
// TASK: a task ends by returning; an exception was about to leave one
// SERIAL: destroyed 500
// SERIAL-NEXT: destroyed 300
// SERIAL-NEXT: destroyed 1
// SERIAL-NEXT: destroyed 301
// SERIAL-NEXT: destroyed 3
// SERIAL-NEXT: destroyed 501
// SERIAL-NEXT: destroyed 5
// SERIAL-NEXT: destroyed 1000
// SERIAL-NEXT: caught 1
// SERIAL-NEXT: destroyed 0
