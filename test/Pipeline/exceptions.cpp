// Tests that an exception that leaves a task ends the program with a message. An exception inside a task does not, and an elision
// lets exceptions through.
// RUN: %cilk2gpuxx -O2 %s -o %t
// RUN: %t 5 | FileCheck %s --check-prefix=INSIDE
// RUN: not %t 11 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: env CILK2GPU_DEVICE=serial %t 11 | FileCheck %s --check-prefix=SERIAL
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

static int careful(int n) {
  try {
    if (n % 3 == 0)
      throw std::runtime_error("three");
    return n;
  } catch (const std::exception &) {
    return -n;
  }
}

static int careless(int n) {
  if (n > 10)
    throw std::runtime_error("more than ten");
  return careful(n);
}

int tree(int n) {
  if (n < 2)
    return careless(n);
  int left = cilk_spawn tree(n - 1);
  int own = careless(n);
  cilk_sync;
  return left + own;
}

int main(int, char **argv) {
  try {
    std::printf("%d\n", tree(std::atoi(argv[1])));
  } catch (const std::exception &error) {
    std::printf("caught: %s\n", error.what());
  }
}
// INSIDE: 9
// OUTSIDE: cilk2gpu: error: a task ends by returning; an exception was about to leave one
// SERIAL: caught: more than ten
