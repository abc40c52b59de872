// Tests that an initialisation of a static local variable may throw out of its task: the variable is initialised when
// the function runs again, and the objects of the function are destroyed.
// RUN: cilk2gpu++ -O2 %s -o %t
// RUN: cilk2gpu++ -O2 -fserial-elision %s -o %t.serial
// RUN: %t > %t.out
// RUN: %t.serial | diff - %t.out
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 %t | diff %t.out -
// RUN: FileCheck %s --input-file %t.out
// CHECK: 2 objects, error 5
// CHECK-NEXT: 2 objects, result 7
// CHECK-NEXT: 2 objects, result 7

#include <cilk/cilk.h>
#include <cstdio>

static int objects = 0;

struct Object {
  ~Object() { ++objects; }
};

struct Checked {
  int value = 7;
  explicit Checked(bool fails) {
    if (fails)
      throw 5;
  }
};

static int child(int n) { return n; }

static int make(bool fails) {
  Object first;
  Object second;
  int zero = cilk_spawn child(0);
  cilk_sync;
  static Checked checked(fails);
  return checked.value + zero;
}

static int parent(bool fails) {
  int made = cilk_spawn make(fails);
  cilk_sync;
  return made;
}

int main() {
  for (int round = 0; round < 3; ++round) {
    objects = 0;
    try {
      int result = parent(/*fails=*/round != 1);
      std::printf("%d objects, result %d\n", objects, result);
    } catch (int error) {
      std::printf("%d objects, error %d\n", objects, error);
    }
  }
}
