// Tests that a Cilk function keeps its metadata: the type that calls through pointers check.
// RUN: cilk2gpu --target=x86_64-linux-gnu -O0 -fsanitize=kcfi --emit=llvm %s -o - | FileCheck %s
// RUN: cilk2gpu --target=x86_64-linux-gnu -O2 -fsanitize=kcfi --emit=llvm %s -o - | FileCheck %s
// RUN: cilk2gpu --target=x86_64-linux-gnu -O2 -flto -fvisibility=hidden -fsanitize=cfi-icall --emit=llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=CFI
int leaf(int);

// CHECK-DAG: define {{.*}} i32 @ordinary({{.*}} !kcfi_type ![[TYPE:[0-9]+]]
// CHECK-DAG: define {{.*}} i32 @tree({{.*}} !kcfi_type ![[TYPE]]
// CFI-DAG: define {{.*}} i32 @ordinary({{.*}} !type ![[TYPE:[0-9]+]] !type ![[WIDER:[0-9]+]]
// CFI-DAG: define {{.*}} i32 @tree({{.*}} !type ![[TYPE]] !type ![[WIDER]]
int tree(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}

int ordinary(int n) { return leaf(n); }
