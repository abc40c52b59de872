// Tests that a spawn of a variadic function spawns a function that has the call's arguments as its parameters, and that the call
// keeps its format.
// RUN: %clang -fplugin=%plugin -Wall -Wformat=2 -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
struct Pair { int a, b; };
int printf(const char *format, ...);
int collect(const char *name, ...);
// CHECK: [[FORMAT:@.*]] = private unnamed_addr constant [7 x i8] c"%d %g\0A\00"
// CHECK-LABEL: define {{.*}} @f(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK-NEXT: call i32 @cilk_spawn.call0(i32 noundef %{{.*}}, double noundef
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(
// CHECK: call i32 @cilk_spawn.call1(ptr noundef %{{.*}}, i64 %{{.*}}, ptr noundef
// CHECK: define internal i32 @cilk_spawn.call0(i32 noundef [[N:%.*]], double noundef [[X:%.*]])
// CHECK: call void @__cilk2gpu_sync()
// CHECK: call i32 (ptr, ...) @printf(ptr noundef [[FORMAT]], i32 noundef [[N]], double noundef [[X]])
// CHECK: define internal i32 @cilk_spawn.call1(
// CHECK: call i32 (ptr, ...) @collect(
int f(const char *name, short n, float x, struct Pair pair, int size, int (*rows)[size]) {
  cilk_spawn printf("%d %g\n", n, x);
  int result = cilk_spawn collect(name, pair, rows);
  cilk_sync;
  return result;
}
