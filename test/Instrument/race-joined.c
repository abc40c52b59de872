// Tests that accesses on paths which are alike keep their lines in reports, also where LLVM has inlined a recursive
// function into itself, and a `memset` has become a store.
// RUN: %cilk2gpu -fsanitize=cilk -O2 %s -o %t
// RUN: not %t > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
#include <stdio.h>
#include <string.h>

long stored, set, source, sinks[2];

static void store(unsigned depth, long n) {
  if (depth == 0) {
    stored = n; // CHECK-DAG: write of stored in store at {{.*}}race-joined.c:[[@LINE]]:12
    return;
  }
  store(depth - 1, n);
}

static void fill(unsigned depth) {
  if (depth == 0) {
    memset(&set, 1, sizeof set); // CHECK-DAG: write of set in fill at {{.*}}race-joined.c:[[@LINE]]:5
    return;
  }
  fill(depth - 1);
}

static void choose(int n) {
  if (n & 1)
    sinks[0] = source; // CHECK-DAG: read of source in choose at {{.*}}race-joined.c:[[@LINE]]:16
  else
    sinks[1] = source;
}

static void all(void) { // CHECK-DAG: in the child all
  stored += 2; // CHECK-DAG: write of stored in all at {{.*}}race-joined.c:[[@LINE]]:10
  set += 3;
  source += 4;
}

int main(int argc, char **argv) {
  cilk_spawn all();
  store(1, argc);
  fill(1);
  choose(argc);
  cilk_sync;
  printf("%ld\n", stored + set + source + sinks[0] + sinks[1]);
}
// CHECK-DAG: 3 data races
