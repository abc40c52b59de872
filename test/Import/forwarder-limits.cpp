// Tests bounds on the code inlined into a Cilk function, in calls of tasks and bytes of locals. Locks that one function holds
// around another's call are seen. Each message is printed once.
// RUN: %cilk2gpuxx -O2 -Rpass=cilk -Rpass-missed=cilk %s -o %t > %t.remarks 2>&1 && FileCheck %s < %t.remarks
// RUN: FileCheck %s --check-prefix=ONCE < %t.remarks
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=OUT
// RUN: %cilk2gpuxx -O1 -fno-cilk-exceptions --emit=cilk %s -o - | FileCheck %s --check-prefix=CILK

// OUT: {{^}}1 1301 14 14{{$}}
#include <cstdio>
#include <mutex>

#define EACH extern "C" __attribute__((noinline))

EACH long leaf(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn leaf(n - 1);
  cilk_sync;
  return a;
}

// Calls the function before it twice: there are 1,024 calls of the base case in all.
template <int N> long twice(long n) {
  if (n < 0)
    return 0;
  long a = twice<N - 1>(n);
  // CHECK-DAG: forwarder-limits.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'twice<{{[0-9]}}>(long)' runs as one task here: too much code is inlined into 'calls' [-Rpass-missed=cilk]
  return n > 12 ? a : a + twice<N - 1>(n - 12);
}
template <> long twice<0>(long n) { return leaf(n); }
// CILK-LABEL: llvm.func @calls(
// CILK-COUNT-8: cilk.call @leaf(
// CILK-NOT: cilk.call
EACH long calls(long n) {
  long a = cilk_spawn leaf(n);
  cilk_sync;
  return twice<10>(n) + a * 0;
}

EACH long buffer(long n) {
  char bytes[900];
  bytes[n] = 1;
  bytes[n + 1] = 12;
  return leaf(bytes[n]) + bytes[n + 1];
}
// Two are inlined.
// CILK-LABEL: llvm.func @buffers(
// CILK-COUNT-2: cilk.call @leaf(
// CILK-COUNT-98: cilk.call @buffer.cilk(
EACH long buffers(long n) {
  long a = cilk_spawn leaf(1), sum = 0;
#define TEN(x) x x x x x x x x x x
  TEN(TEN(sum += buffer(n);))
  cilk_sync;
  return a + sum;
}

// Reported at the lock and at the call, once.
// ONCE-COUNT-1: the call of 'release' leads to 'leaf'
// ONCE-NOT: the call of 'release' leads to 'leaf'
// ONCE-COUNT-1: the call of 'leaf' runs as one task
// ONCE-NOT: the call of 'leaf' runs as one task
static std::mutex mutex;
EACH long release(long n) {
  // CHECK-DAG: forwarder-limits.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'leaf' runs as one task: the caller may hold a lock, or use data of its thread, across the call [-Rpass-missed=cilk]
  long a = leaf(n);
  mutex.unlock();
  return a;
}
EACH long lock(long n) {
  mutex.lock();
  // CHECK-DAG: forwarder-limits.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the call of 'release' leads to 'leaf', which runs as one task: the called function is not split; a remark in it says why [-Rpass-missed=cilk]
  return release(n) + n;
}
EACH long held(long n) {
  long a = cilk_spawn lock(n), b = lock(n), c = lock(n - 1);
  cilk_sync;
  return a + b * 0 + c * 0;
}

// A helper is split although one of its callers holds a lock around the call, and others hold locks before or after it.
// CILK-LABEL: llvm.func @shares(
// CILK: cilk.call @leaf(
// CILK: llvm.call @helper(
// CILK: cilk.call @leaf(
EACH long helper(long n) { return leaf(n); }
EACH long shares(long n) {
  long a = cilk_spawn leaf(n);
  cilk_sync;
  long b = helper(n);
  mutex.lock();
  long c = helper(n);
  mutex.unlock();
  return a + helper(1) * 0 + b * 0 + c * n;
}

int main() { std::printf("%ld %ld %ld %ld\n", calls(24), buffers(3), held(13), shares(13)); }
