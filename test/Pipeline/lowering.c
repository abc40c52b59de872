// Tests the module after the lowering. The user's functions keep their linkage and attributes, and local symbols of the unit stay
// local. Functions made from a function are compiled for the same target.
// RUN: %clang -fplugin=%plugin -O1 -mavx2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fplugin=%plugin -O0 -g -c %s -o %t.o
// RUN: %clang -fplugin=%plugin -O1 -g -c %s -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=LINES

int printf(const char *, ...);
static int table[4] = {1, 2, 3, 4};

// CHECK-NOT: __cilk2gpu_spawn
// CHECK-NOT: __cilk2gpu_sync
// CHECK-DAG: @table = internal {{.*}}constant [4 x i32]
// CHECK-DAG: @.str{{.*}} = private unnamed_addr constant [4 x i8] c"%d\0A\00"
// CHECK-DAG: @__cilk2gpu_task_visible ={{.*}} global { i32, i32, ptr
// CHECK-DAG: @__cilk2gpu_task_hidden ={{.*}}hidden {{.*}}global
// CHECK-DAG: @__cilk2gpu_task_local = internal global
// CHECK-DAG: @__cilk2gpu_task_elsewhere = weak hidden global
// CHECK-DAG: @llvm.global_ctors = appending

int elsewhere(int);

// CHECK-DAG: define internal {{.*}}@local.k0(ptr {{.*}}) #[[KERNEL:[0-9]+]]
static int local(int n) {
  int x = 0, y;
  if (n < 2)
    return table[n & 3];
  x = cilk_spawn local(n - 1);
  y = cilk_spawn elsewhere(n); // LINES: {{ }}[[#@LINE]]{{ }}
  cilk_sync;
  printf("%d\n", x);
  return x + y;
}

// CHECK-DAG: define hidden {{.*}}@hidden(
__attribute__((visibility("hidden"))) int hidden(int n) {
  int x = cilk_spawn local(n);
  cilk_sync;
  return x;
}

// CHECK-DAG: define {{.*}}i32 @visible(i32 noundef %{{.*}})
int visible(int n) {
  int x = cilk_spawn hidden(n);
  cilk_sync;
  return x;
}

// CHECK: attributes #[[KERNEL]] = {{.*}}"target-features"="{{.*}}+avx2
