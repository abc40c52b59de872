// Tests that ordinary functions between tasks and Cilk functions become part of the graph, inlined or as tasks of their own.
// Remarks say why other functions do not. Ordinary code keeps calling ordinary functions.
// RUN: %cilk2gpuxx -O2 -Rpass=cilk -Rpass-missed=cilk %s -o %t 2>&1 | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never %t all | FileCheck %s --check-prefix=ALL
// RUN: env CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t all | FileCheck %s --check-prefix=ALL
// RUN: %cilk2gpuxx -O1 %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_STATS=%t.stats %t | FileCheck %s --check-prefix=OUT
// RUN: FileCheck %s --check-prefix=TASKS < %t.stats
// RUN: %cilk2gpuxx -O0 -g %s -o %t && env CILK2GPU_ELIDE=never CILK2GPU_STATS=%t.stats %t | FileCheck %s --check-prefix=OUT
// RUN: FileCheck %s --check-prefix=TASKS < %t.stats
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_WIDTH=1 %t | FileCheck %s --check-prefix=OUT
// RUN: %cilk2gpuxx -O1 --emit=cilk %s -o - | FileCheck %s --check-prefix=CILK --implicit-check-not="func @{{.*}}small{{.*}}.cilk("

// OUT: {{^}}377{{$}}
// ALL: {{^}}377 177 377 377 1 377 177 177 377 177{{$}}
// Half of fib's 1218 calls by pass are spawned, and so is pass; in the other half it is inlined.
// TASKS: spawned {{ *}}1827 elements
#include <cstdio>
#include <mutex>
#include <stdexcept>

#define EACH extern "C" __attribute__((noinline))

EACH long fib(long n);
EACH long pass(long n) { return fib(n); }

// CILK-LABEL: llvm.func @fib(
// CILK: cilk.spawn @pass.cilk(
// CILK: cilk.call @fib(
// CILK-LABEL: llvm.func internal @pass.cilk(
// CILK: cilk.call @fib(
EACH long fib(long n) {
  if (n < 2)
    return n;
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'pass', which leads to 'fib', is part of the graph [-Rpass=cilk]
  long a = cilk_spawn pass(n - 1);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'pass', which leads to 'fib', is part of the graph [-Rpass=cilk]
  long b = pass(n - 2);
  cilk_sync;
  return a + b;
}

// This function hardly ever needs a task. A task for each call would cost more than it gains.
static long known[4] = {177, 0, 0, 0};
EACH long small(long n) { return known[n & 3] ? known[n & 3] : fib(n); }
EACH long recursive(long n) {
  if (n < 20)
    return small(n & 4);
  return n > 1000 ? n : recursive(n - 1);
}
static std::mutex mutex;
EACH long locked(long n) {
  std::lock_guard<std::mutex> lock(mutex);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'fib' runs as one task: the caller may hold a lock, or use data of its thread, across the call [-Rpass-missed=cilk]
  return fib(n);
}
EACH long handles(long n) {
  try {
    // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'fib' runs as one task: it stands in a try statement, whose handlers cannot catch exceptions of tasks [-Rpass-missed=cilk]
    return fib(n);
  } catch (const std::exception &) {
    return 0;
  }
}
EACH long throws(long n) {
  if (n < 0)
    throw std::invalid_argument("negative");
  return fib(n);
}
EACH long variadic(long n, ...) { return fib(n); }
EACH long remembers(long n) {
  static const long factor = std::printf(""), more = factor + 1;
  return n ? more : fib(n);
}

static long (*volatile pointer)(long) = fib;

EACH long others(long n, long *results) {
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'small', which leads to 'fib', is part of the graph [-Rpass=cilk]
  results[0] = small(0);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'locked' leads to 'fib', which runs as one task: the called function is not split; a remark in it says why [-Rpass-missed=cilk]
  results[1] = locked(n);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'handles' leads to 'fib', which runs as one task: the called function is not split; a remark in it says why [-Rpass-missed=cilk]
  results[2] = handles(n);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'remembers' leads to 'fib', which runs as one task: it initialises a static variable [-Rpass-missed=cilk]
  results[3] = cilk_spawn remembers(n);
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'variadic' leads to 'fib', which runs as one task: it has variable arguments [-Rpass-missed=cilk]
  results[4] = variadic(n, n);
  for (int i = 0; i < 2; ++i) {
    cilk_spawn pass(1);
    // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'pass' leads to 'fib', which runs as one task: it would wait for children that the loop around it spawns [-Rpass-missed=cilk]
    pass(0);
  }
  // CHECK-DAG: forwarders.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: the call of 'small' leads to 'fib', which runs as one task: not every iteration leads there, so one task runs many iterations [-Rpass-missed=cilk]
  cilk_for (int i = 0; i < 2; ++i)
    results[5 + i] = small(0);
  try {
    // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'throws' leads to 'fib', which runs as one task: it stands in a try statement, whose handlers cannot catch exceptions of tasks [-Rpass-missed=cilk]
    results[7] = throws(n);
  } catch (const std::exception &) {
    // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'pass' leads to 'fib', which runs as one task: it stands in a handler, which cannot wait [-Rpass-missed=cilk]
    results[7] = pass(n);
  }
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: a call through a pointer may be of 'fib', which then runs as one task, because the called function is not known; spawn it [-Rpass-missed=cilk]
  results[7] += pointer(1) - 1;
  // CHECK-DAG: forwarders.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'recursive' leads to 'fib', which runs as one task: not every call of the function leads there, and it is too large, or recursive, to be inlined [-Rpass-missed=cilk]
  return recursive(30);
}

int main(int argc, char **) {
  long results[8] = {};
  std::printf("%ld", pass(14));
  if (argc > 1) {
    long last = others(14, results);
    for (long result : results)
      std::printf(" %ld", result);
    std::printf(" %ld", last);
  }
  std::printf("\n");
}
