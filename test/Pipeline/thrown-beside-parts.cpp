// Tests that the sync of each function throws, though the function has parts whose exceptions stay with them: functions
// with a loop, spawned calls and a spawned block, in many copies. An exception once ended such a program.
// RUN: %cilk2gpuxx -std=c++20 -O1 %s -o %t
// RUN: %cilk2gpuxx -std=c++20 -O1 -fserial-elision %s -o %t.elision
// RUN: %t.elision > %t.expected
// RUN: FileCheck %s < %t.expected
// CHECK: {{^}}{{.*}} 400 {{.*}}
// RUN: %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=serial %t | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=2 %t | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=model %t | diff %t.expected -
#include "deferred.h"
#include <atomic>
#include <stdio.h>
#include <string>
struct Pair {
  int left, right;
};
static std::atomic<unsigned> seen;
__attribute__((noinline)) static void risky(int n, int kind) {
  if (kind == 0)
    throw n;
  if (kind == 3)
    throw std::string(n & 31, 'x');
}
__attribute__((noinline)) static Pair both(int n) {
  risky(n, n & 2 ? n & 3 : 9);
  return {n, n + 1};
}
__attribute__((noinline)) static int rest(int n) {
  if (n <= 0)
    risky(n, n & 3);
  return n;
}
template <int tag> static int sum(int n) {
  BEGIN
  Pair pair = {5, 6};
  int number = 1;
  FOR(i, 1)
  seen += n * 8 + i;
  FOR_END
  SPAWN(pair = cilk_spawn both(n + 30))
  SYNC
  SCOPE
  FOR(i, 5)
  if ((n + i) % (tag + 2) == 0) risky(n * 100 + i, 0);
  FOR_END
  SPAWN(number = cilk_spawn rest(n - 1))
  BLOCK
  if (n % (tag + 2) == 0)
    throw n * 100;
  BLOCK_END
  SCOPE_END
  SYNC
  return pair.left + number;
  END
}
template <int tag> static void all() {
  for (int n = -8; n < 9; ++n) {
    try {
      printf("%d ", sum<tag>(n));
    } catch (int thrown) {
      printf("%d ", thrown);
    } catch (const std::string &text) {
      printf("%s ", text.c_str());
    }
  }
  if constexpr (tag > 0)
    all<tag - 1>();
}
int main() {
  all<6>();
  printf("%u\n", seen.load());
}
