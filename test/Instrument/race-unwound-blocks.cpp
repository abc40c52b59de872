// Tests that an exception which leaves a spawned block destroys the variables of its function, under the race detector
// and under cilk-scale, and not the copies that the block has of them.
// RUN: %cilk2gpuxx -fserial-elision -O1 %s -o %t.elision
// RUN: %t.elision > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %cilk2gpuxx -fsanitize=cilk -O0 %s -o %t
// RUN: %t | diff %t.expected -
// RUN: %cilk2gpuxx -fsanitize=cilk -O2 %s -o %t
// RUN: %t | diff %t.expected -
// RUN: %cilk2gpuxx -fcilk-scale -O1 %s -o %t
// RUN: env CILKSCALE_OUT=%t.scale %t 2> %t.log | diff %t.expected -
#include <stdio.h>

struct Log {
  int number;
  void note(int more) { number = number * 10 + more; }
  ~Log() { printf("%d ", number); }
};

__attribute__((noinline)) static int risky(int n) {
  if (n % 3 == 0)
    throw n;
  return n;
}

static void block(int n) {
  Log outer{1};
  outer.note(n);
  int kept = n;
  cilk_spawn {
    Log inner{2};
    inner.note(kept);
    inner.note(risky(n));
  }
  kept = 0;
  outer.note(kept);
  cilk_sync;
}

// The handler is outside of the block, and the loop begins the block again.
static void handled(int n) {
  Log outer{3};
  for (int i = 0; i < 4; ++i) {
    int kept = i;
    try {
      cilk_spawn {
        Log inner{kept};
        risky(kept + n);
      }
      kept = 9;
      cilk_sync;
    } catch (int thrown) {
      outer.note(thrown + kept);
    }
    outer.note(i);
  }
}

int main() {
  for (int n = 1; n < 5; ++n) {
    try {
      block(n);
    } catch (int thrown) {
      printf("caught %d ", thrown);
    }
    handled(n);
    puts("");
  }
}
// CHECK: {{^}}211 110 0 1 2 3 301523 {{$}}
// CHECK: {{^}}23 13 caught 3 0 1 2 3 3301293 {{$}}
