// Tests that hooks end the parts that an exception leaves: children, iterations and functions. Objects are destroyed
// after their function has waited for its children.
// RUN: %clang -c -I %source_dir/include %S/Inputs/print-hooks.c -o %t.o
// RUN: %cilk2gpuxx -fcilk-strand-hooks -O0 %s %t.o -o %t && %t | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-strand-hooks -O2 %s %t.o -o %t && %t | FileCheck %s
#include <cilk/cilk.h>
#include <cstdio>
#include <string>

struct Noted {
  const char *name;
  ~Noted() { std::printf("destroy %s\n", name); }
};

static void fail(const std::string &text) { throw text; }

static void failIf(bool condition) {
  if (condition)
    throw 1;
}

static void tree(int n) {
  cilk_spawn fail(n ? "a" : "b");
  cilk_sync;
}

static void loop() {
  Noted outer{"outer"};
  cilk_for (int i = 0; i < 3; ++i) {
    Noted inner{"inner"};
    try {
      cilk_spawn tree(i);
      cilk_sync;
    } catch (const std::string &text) {
      std::printf("caught %s\n", text.c_str());
      failIf(i == 1);
    }
  }
}

int main() {
  try {
    loop();
  } catch (int value) {
    std::printf("main caught %d\n", value);
  }
}
// CHECK:      enter loop:27
// CHECK-NEXT:   loop loop:29
// CHECK-NEXT:     trips 3
// CHECK-NEXT:     iteration 0
// CHECK-NEXT:     spawn loop:32 tree
// CHECK-NEXT:       enter tree:22
// CHECK-NEXT:         spawn tree:23 fail
// CHECK:            leave tree
// CHECK-NEXT:     unwind loop
// CHECK-NEXT: caught b
// CHECK:      destroy inner
// CHECK-NEXT:     iteration 1
// CHECK:          unwind loop
// CHECK-NEXT: caught a
// CHECK-NEXT:   unwind loop
// CHECK:      destroy inner
// CHECK-NEXT: destroy outer
// CHECK-NEXT: leave loop
// CHECK-NEXT: main caught 1
