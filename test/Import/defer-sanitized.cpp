// Tests that exceptions leave spawned calls although a sanitizer checks the destination, by a further call.
// RUN: %cilk2gpuxx -O1 -fcilk-exceptions -fsanitize=object-size %s -o %t && %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>

static int risky(int n) {
  int a = 0;
  if (n == 0)
    throw 5;
  try {
    a = cilk_spawn risky(n - 1);
    cilk_sync;
  } catch (const int &) {
    throw std::logic_error("later");
  }
  return a;
}

int main() {
  try {
    std::printf("%d\n", risky(2));
  } catch (const std::exception &e) {
    std::printf("caught %s\n", e.what()); // CHECK: caught later
  }
}
