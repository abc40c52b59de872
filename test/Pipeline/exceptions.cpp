// Tests that an exception passes from task to task up to the ordinary code that has called the first one, and that it ends the
// program if no handler is there. An exception from an argument of a spawn ends the program, too.
// RUN: %cilk2gpuxx -fcilk-exceptions -O2 %s -o %t
// RUN: %t 5 | FileCheck %s --check-prefix=INSIDE
// RUN: env CILK2GPU_ELIDE=never %t 11 | FileCheck %s --check-prefix=OUTSIDE
// RUN: env CILK2GPU_DEVICE=serial %t 11 | FileCheck %s --check-prefix=OUTSIDE
// RUN: env CILK2GPU_ELIDE=never not --crash %t 12 2>&1 | FileCheck %s --check-prefix=TERMINATE
// RUN: env CILK2GPU_ELIDE=never not %t 13 2>&1 | FileCheck %s --check-prefix=OBJECT
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

struct Value {
  int number = 0;
  ~Value() {}
};

Value makeValue(int n) {
  Value value;
  value.number = careless(n);
  return value;
}

int constructed(int n) {
  Value value = cilk_spawn makeValue(n);
  cilk_sync;
  return value.number;
}

int main(int, char **argv) {
  if (std::atoi(argv[1]) == 12)
    cilk_spawn tree(12);
  cilk_sync;
  if (std::atoi(argv[1]) == 13)
    return constructed(13);
  try {
    std::printf("%d\n", tree(std::atoi(argv[1])));
  } catch (const std::exception &error) {
    std::printf("caught: %s\n", error.what());
  }
}
// INSIDE: 9
// OUTSIDE: caught: more than ten
// TERMINATE: terminate called after throwing an instance of 'std::runtime_error'
// OBJECT: cilk2gpu: error: an exception has left a spawned call for which its parent has made objects
