// Tests that variables which the threads of a block share have trivial types, also with members that have no initial value.
// RUN: %cilk2gpuxx -std=c++17 -c %s -o %t.o
// RUN: not %cilk2gpuxx -std=c++17 -O2 -DCONSTRUCTED -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %cilk2gpuxx -std=c++20 -g -DCONSTRUCTED -c %s -o %t.o 2>&1 | FileCheck %s
#include <cilk2gpu/Wireframe.h>
#include <string>

struct Pair {
  int x;
  float y;
};

template <class T> __WF__ void kernel(T *out) {
  WF_SHARED T row[4];
  WF_SHARED Pair pair;
  pair.x = row[0] = 1;
  *out = T(pair.x);
}

struct Counter {
  int value;
  Counter() : value(7) {}
};

#ifdef CONSTRUCTED
__WF__ void constructed(int *out) {
  // CHECK-DAG: shared-variables.cpp:[[#@LINE+1]]:{{.*}} error: a WF_SHARED variable has a trivial type, but the constructor or the destructor of '{{.*}}counter' would run; use a type without them
  WF_SHARED Counter counter;
  // CHECK-DAG: shared-variables.cpp:[[#@LINE+1]]:{{.*}} error: a WF_SHARED variable has a trivial type, but the constructor or the destructor of '{{.*}}text{{.*}}' would run
  WF_SHARED std::string text;
  *out = counter.value + int(text.size());
}
#endif

void run(int *out) {
  wf::launch(dim3(1), dim3(1), [] {}, kernel<int>, out);
#ifdef CONSTRUCTED
  wf::launch(dim3(1), dim3(1), [] {}, constructed, out);
#endif
}
