// Tests that an exception destroys the locals of Cilk functions on its way, in tasks and in elisions. All iterations of a loop run
// before. Also tests code that handlers may not contain in programs for GPUs.
// RUN: %cilk2gpuxx -fcilk-exceptions -O2 %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 %t 5 | FileCheck %s --check-prefix=THROWN
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=THROWN
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=3 %t 5 | FileCheck %s --check-prefix=WORKERS
// RUN: %cilk2gpuxx -fcilk-exceptions -O0 -g %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 %t 5 | FileCheck %s --check-prefix=THROWN
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=THROWN
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 -DTRY %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 %t 5 | FileCheck %s --check-prefix=TRY
// RUN: env CILK2GPU_DEVICE=serial %t 5 | FileCheck %s --check-prefix=TRY
// RUN: %cilk2gpuxx -fcilk-exceptions -c -DHANDLER %s -o %t.o
// RUN: not %cilk2gpuxx -fcilk-exceptions -c -DHANDLER --offload-arch=gfx90a %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HANDLER
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
// THROWN-DAG: destroyed 500
// THROWN-DAG: destroyed 300
// THROWN: destroyed 1
// THROWN-NEXT: destroyed 301
// THROWN-NEXT: destroyed 3
// THROWN-NEXT: destroyed 501
// THROWN-NEXT: destroyed 5
// THROWN-NEXT: destroyed 1000
// THROWN-NEXT: caught 1
// THROWN-NEXT: destroyed 0
// Several workers destroy the locals of parallel iterations in any order, and all of them before the exception is caught.
// WORKERS-COUNT-7: destroyed {{[135]|300|301|500|501}}{{$}}
// WORKERS-NEXT: destroyed 1000
// WORKERS-NEXT: caught 1
// WORKERS-NEXT: destroyed 0
