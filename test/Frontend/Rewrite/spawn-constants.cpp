// Tests structs that the compiler computes as arguments: each is held in an object of its own.
// RUN: %clangxx -std=c++20 -fplugin=%plugin -Wall -Wextra -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
struct Pair {
  int a, b;
};
struct Large {
  long values[5];
};
consteval Pair pair(int n) { return {n, n + 1}; }
consteval Large large(long n) { return {{n, n + 1, n + 2}}; }
int small(Pair p);
int byMemory(Large l);
int byReference(const Pair &p);
int byDefault(Pair p = pair(5));

// CHECK-LABEL: define {{.*}} @_Z9constantsv(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK: call noundef i32 @_Z5small4Pair(i64 17179869187)
// CHECK: store {{.*}} ptr [[L:%.*]], align 8
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK: call noundef i32 @_Z8byMemory5Large(ptr noundef byval(%struct.Large) align 8 [[L]])
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK: call {{.*}}cilk_spawn.call0{{.*}}(i64 17179869187)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 3,
// CHECK: call noundef i32 @_Z9byDefault4Pair(i64 25769803781)
int constants() {
  int a = cilk_spawn small(pair(3));
  int b = cilk_spawn byMemory(large(3));
  int c = cilk_spawn byReference(pair(3));
  int d = cilk_spawn byDefault();
  cilk_sync;
  return a + b + c + d;
}
