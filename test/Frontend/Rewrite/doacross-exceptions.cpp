// Tests the code for exceptions that leave iterations of a doacross nest: a tile counts its iterations in serial order,
// and a handler around the tile takes the exception of the last one. Each wave ends in front of the first iteration
// that has thrown before. The check for exceptions stands behind the loop over the waves.
// RUN: %clangxx -fplugin=%plugin -Wall -Wextra -Wconversion -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
// RUN: %clangxx -fplugin=%plugin -fno-exceptions -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NONE
void use(int, int);

// NONE-NOT: __cilk2gpu_doacross_thrown
// NONE-NOT: __cilk2gpu_caught
// NONE-NOT: __cilk2gpu_check

// CHECK-LABEL: define {{.*}} @_Z6throwsi(
// CHECK: [[M:%.*]] = call i64 @__cilk2gpu_trip_count(i64 noundef 5,
// CHECK: [[THROWN:%.*]] = call i64 @__cilk2gpu_doacross_thrown(i32 noundef 0)
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0,
// The row's place in serial order, and the place of its first iteration.
// CHECK: [[ROW:%.*]] = phi i64 [ [[BEFORE:%.*]], {{.*}} ], [ [[NOW:%.*]], {{.*}} ]
// CHECK: [[NOW]] = add i64 [[ROW]], 1
// CHECK: [[BEGIN:%.*]] = mul i64 [[NOW]], [[M]]
// CHECK: icmp ult i64 [[THROWN]], -1
// CHECK: icmp ult i64 [[THROWN]], [[BEGIN]]
// CHECK: sub i64 [[THROWN]], [[BEGIN]]
// CHECK: [[PLACE:%.*]] = phi i64 [ %{{[0-9]+}}, %{{[0-9]+}} ], [ [[NEXT:%.*]], %{{[0-9]+}} ]
// CHECK: [[NEXT]] = add i64 [[PLACE]], 1
// CHECK: invoke void @_Z3useii(
// CHECK: landingpad
// CHECK: call ptr @__cxa_begin_catch(
// CHECK-NEXT: call void @__cilk2gpu_caught(i32 noundef 0, i64 noundef [[NEXT]])
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
// CHECK-NOT: call
// CHECK: call void @__cilk2gpu_check(i32 noundef 0)
void throws(int n) {
#pragma cilk doacross(i-1,j) (i,j-1) tile(8,4)
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 5; j < n; ++j)
      use(i, j);
}
