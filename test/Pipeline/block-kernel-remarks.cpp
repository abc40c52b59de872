// Tests that kernels of thread blocks that cannot become code for whole blocks run as ordinary functions, thread by
// thread, and that a remark gives the reason.
// RUN: %cilk2gpuxx -std=c++17 -O2 -Wall -Wextra -c %s -o %t.o -Rpass=cilk -Rpass-missed=cilk 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <cilk2gpu/Wireframe.h>

static __WF__ unsigned own() { return blockIdx.x * blockDim.x + threadIdx.x; }
static __WF__ unsigned down(unsigned n) { return n ? down(n - 1) + threadIdx.x : 0; }
__WF__ unsigned elsewhere(int *p);
int plain(int n);

// Nothing is said of a kernel that became a node.
// CHECK-NOT: kernel 'compiled
__WF__ void compiled(int *p) { p[own()] = plain(1); }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'recursive(int*)' runs thread by thread as an ordinary function: 'down(unsigned int)' uses blockIdx and calls itself [-Rpass-missed=cilk]
__WF__ void recursive(int *p) { p[0] = down(3); }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'foreign(int*)' runs {{.*}}: 'elsewhere(int*)' is a __WF__ function of another file
__WF__ void foreign(int *p) { p[0] = elsewhere(p); }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'assembly(int*)' runs {{.*}}: it contains inline assembly
__WF__ void assembly(int *p) { asm volatile("" : : "r"(p[blockIdx.x])); }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'through(unsigned int (*)())' runs {{.*}}: it calls a function through a pointer, and pointers may lead to '{{.*}}', which uses blockIdx
__WF__ void through(unsigned (*f)()) { f(); }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'weak(int*)' runs {{.*}}: the linker may replace it by another function
__attribute__((weak)) __WF__ void weak(int *p) { p[blockIdx.x] = 1; }

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'initialised(int*)' runs {{.*}}: it initialises a static variable
__WF__ void initialised(int *p) {
  static int first = plain(2);
  p[blockIdx.x] = first;
}

// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: remark: kernel 'spawning(int*)' runs {{.*}}: it spawns tasks
static void child(int *p) { ++*p; }
__WF__ void spawning(int *p) {
  cilk_spawn child(p);
  child(p + 1);
  cilk_sync;
}

// CHECK-DAG: [[@LINE+3]]:{{[0-9]+}}: remark: kernel 'divergent(int*)' runs {{.*}}: a condition before wf::SyncThreads depends on the thread; call it where all threads of a block come
__WF__ void divergent(int *p) {
  if (threadIdx.x < 3)
    wf::SyncThreads();
  *p = 0;
}

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: kernel 'launching(int*)' runs {{.*}}: it uses the address of '{{.*}}', which uses blockIdx
__WF__ void launching(int *p) {
  wf::launch(dim3(2), dim3(1), [] {}, compiled, p);
}

void host(int *p) {
  wf::launch(dim3(2), dim3(1), [] {}, through, own);
  wf::launch(dim3(2), dim3(1), [] {}, compiled, p);
}
