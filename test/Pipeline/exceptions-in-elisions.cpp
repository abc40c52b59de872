// Tests that exceptions in elisions, whose code is there twice, have the same effects as in tasks. They leave Cilk functions and
// ordinary functions, by spawns, plain calls and pointers, in handlers and spawned blocks, and objects are destroyed.
// RUN: %cilk2gpuxx -fcilk-exceptions -O2 -std=c++20 %s -o %t
// RUN: env CILK2GPU_ELIDE=never %t > %t.tasks
// RUN: env CILK2GPU_ELIDE=always %t > %t.elisions
// RUN: env CILK2GPU_DEVICE=serial %t > %t.serial
// RUN: diff %t.tasks %t.elisions
// RUN: diff %t.tasks %t.serial
// RUN: %cilk2gpuxx -fcilk-exceptions -O0 -std=c++20 %s -o %t.0
// RUN: env CILK2GPU_ELIDE=always %t.0 > %t.elisions
// RUN: diff %t.tasks %t.elisions
// RUN: FileCheck %s --input-file=%t.tasks
// CHECK: sum {{-?[0-9]+}}, objects left 0
#include <cilk/cilk.h>
#include <cstdio>
#include <string>

static int objects;
struct Object {
  int value;
  explicit Object(int value) : value(value) { __atomic_fetch_add(&objects, 1, __ATOMIC_RELAXED); }
  Object(const Object &other) : Object(other.value) {}
  ~Object() { __atomic_fetch_sub(&objects, 1, __ATOMIC_RELAXED); }
};

__attribute__((noinline)) static int risky(int n) {
  if (n % 3 == 0)
    throw n;
  return n * 2;
}

__attribute__((noinline)) static int riskyText(int n, const std::string &text) {
  if (n % 5 == 1)
    throw text;
  return n + int(text.size());
}

static int ordinaryChild(int n) {
  int a = 1, b = 2;
  a = cilk_spawn risky(n);
  b = risky(n + 1);
  cilk_sync;
  return a * 10 + b;
}

static int pointerChild(int n) {
  int a = 1, b = 2;
  int (*pointer)(int) = risky;
  a = cilk_spawn pointer(n);
  b = cilk_spawn riskyText(n, "x" + std::to_string(n));
  cilk_sync;
  return a * 10 + b;
}

static int nestedHandlers(int n) {
  Object object(n);
  int a = 1, more = 0;
  try {
    a = cilk_spawn risky(n);
    try {
      riskyText(n, "in");
    } catch (std::string &) {
      more += 100;
      cilk_spawn ordinaryChild(n);
      cilk_sync;
    }
    cilk_sync;
    a += more;
  } catch (int thrown) {
    return a * 7 + thrown;
  }
  return a + object.value;
}

static int loopOfHandlers(int n) {
  int sum = 0, last = 5;
  for (int i = 0; i < n; ++i)
    try {
      sum += nestedHandlers(i);
    } catch (std::string &text) {
      sum += int(text.size());
    } catch (int thrown) {
      sum -= thrown;
    }
  last = cilk_spawn pointerChild(n);
  cilk_sync;
  return sum + last;
}

static int recursion(int depth, unsigned seed) {
  Object object(depth);
  if (seed % 97 == 5)
    throw int(seed % 1000);
  if (depth == 0)
    return seed % 11;
  int a = -1, b = -2;
  a = cilk_spawn recursion(depth - 1, seed * 1664525u + 1);
  if (seed % 53 == 3)
    throw std::string("before the sync");
  b = recursion(depth - 1, seed * 69069u + 3);
  cilk_sync;
  return a + b + object.value;
}

static int recursionOf(int n) { return recursion(6, unsigned(n)); }

static void spawnedBlock(int n, int *out) {
  cilk_spawn { out[0] = risky(n); };
  out[1] = n;
  cilk_sync;
  out[2] = 1;
}

int main() {
  long sum = 0;
  for (int n = 0; n < 200; ++n) {
    for (auto function : {ordinaryChild, pointerChild, nestedHandlers, loopOfHandlers, recursionOf})
      try {
        sum = sum * 3 + function(n);
      } catch (int thrown) {
        sum += thrown * 11;
      } catch (std::string &text) {
        sum += long(text.size()) * 13;
      }
    int out[3] = {};
    try {
      spawnedBlock(n, out);
    } catch (int thrown) {
      sum += thrown;
    }
    sum = sum % 1000003 * 7 + out[0] + out[1] * 3 + out[2];
  }
  printf("sum %ld, objects left %d\n", sum, objects);
}
