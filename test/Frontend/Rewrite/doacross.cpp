// Tests the tiles and waves that a doacross nest becomes, and the remarks about them. The header of an inner loop is
// evaluated once, and only if the outer loops have iterations.
// RUN: %clangxx -std=c++20 -fno-exceptions -fplugin=%plugin -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
// RUN: %clangxx -std=c++20 -fplugin=%plugin -fsyntax-only -Rpass=cilk -Rpass-missed=cilk -Xclang -verify %s
// RUN: %clangxx -std=c++20 -fplugin=%plugin -fsyntax-only -Rpass=vectorize %s 2>&1 | count 0
// RUN: %clangxx -std=c++20 -E %s -o %t.ii
// RUN: %clangxx -std=c++20 -fplugin=%plugin -fsyntax-only -Rpass=cilk -Rpass-missed=cilk %t.ii 2>&1 | FileCheck %s --check-prefix=PREPROCESSED
// RUN: %clangxx -std=c++20 -fplugin=%plugin -g -O0 -fsanitize=undefined,implicit-conversion -fprofile-instr-generate -fcoverage-mapping -S -emit-llvm -o /dev/null %s
int first(), last();
void use(int, int);

// CHECK-LABEL: define {{.*}} @_Z7headersi(
// CHECK: [[N:%.*]] = call i64 @__cilk2gpu_trip_count(i64 noundef 1, i64 noundef {{.*}}, i64 noundef 1, i32 noundef {{[0-9]+}})
// CHECK: icmp ult i64 0, [[N]]
// CHECK: call noundef i32 @_Z5firstv()
// CHECK-NEXT: call noundef i32 @_Z4lastv()
// CHECK: [[M:%.*]] = call i64 @__cilk2gpu_trip_count(i64 noundef {{.*}}, i64 noundef {{.*}}, i64 noundef -2, i32 noundef {{[0-9]+}})
// CHECK: icmp ult i64 0, [[M]]
// CHECK-NOT: call {{.*}}@_Z5firstv
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef {{.*}}, i64 noundef 1, i32 noundef 56, i64 noundef 1)
// A line goes up to its last value, so no value behind it is computed.
// CHECK: call void @_Z3useii(i32 noundef [[I:%.*]], i32 noundef [[J:%.*]])
// CHECK-NEXT: icmp eq i32 [[J]],
// CHECK: add nsw i32 [[J]], -2
// CHECK: icmp eq i32 [[I]],
// CHECK: add nsw i32 [[I]], 1
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
void headers(int n) {
#pragma cilk doacross(i-1,j) (i,j+2) tile(8,4) // expected-remark {{this doacross nest runs in tiles of 8 x 4 iterations; tiles run in waves}}
  cilk_for (int i = 1; i <= n; ++i)
    cilk_for (int j = first(); j > last(); j -= 2)
      use(i, j);
}

// One chain has no waves, so there is one begin marker and no loop around it.
// CHECK-LABEL: define {{.*}} @_Z6serialPii(
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef 1, i64 noundef 1,
void serial(int *a, int n) {
#pragma cilk doacross(i-1) // expected-remark {{this doacross nest runs one iteration after the other: the dependences leave no tiles that could run in parallel}}
  cilk_for (int i = 1; i < n; ++i)
    a[i] += a[i - 1];
}

void others(int *a, int (*b)[64], int n) {
#pragma cilk doacross(i-4) // expected-remark {{this doacross nest runs as 4 independent chains, some microseconds or at most 8 in a task}}
  cilk_for (int i = 4; i < n; ++i)
    use(a[i], a[i - 4]);
#pragma cilk doacross(i-4) (i-7) // expected-remark {{in waves of 4 iterations, some microseconds or at most 8 in a task}}
  cilk_for (int i = 7; i < n; ++i)
    use(a[i - 7], a[i - 4]);
#pragma cilk doacross(i-4) // expected-remark {{one iteration after the other}}
  cilk_for (int i = 4; i < n; ++i)
    a[i] += a[i - 4]; // too little work for so few chains
#pragma cilk doacross(i-1,j+1) (i,j-1) tile(4) // expected-remark {{in tiles of 4 x 128 iterations; loop 2 is skewed by 1 for each iteration of loop 1; tiles run in waves}}
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < 63; ++j)
      b[i][j] += b[i - 1][j + 1] - b[i][j - 1];
#pragma cilk doacross(i-1,j+1) (i,j-1) // expected-remark {{in tiles of 32 x 128 iterations; loop 2 is skewed by 1}}
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < 63; ++j)
      b[i][j] += b[i - 1][j + 1] - b[i][j - 1];
#pragma cilk doacross(i-1,j) // expected-remark {{in tiles of some microseconds, or of all x at most 128 iterations whose time is unknown; all tiles are independent}}
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 0; j < 64; ++j)
      b[i][j] += b[i - 1][j];
}

[[noreturn]] void fail();
static int &checked(int *row, int j) {
  do {
    if (j < 0)
      fail();
  } while (false);
  return row[j];
}

// A check that ends the program, and a loop that runs once, do not make an iteration long.
// CHECK-LABEL: define {{.*}} @_Z5plansPA64_ii(
// CHECK: [[ROWS:%.*]] = call i64 @__cilk2gpu_trip_count(
// CHECK: [[PLAN:%.*]] = call i64 @__cilk2gpu_doacross_plan(i64 noundef [[ROWS]], i32 noundef 1)
// CHECK: [[NOW:%.*]] = phi i64 [ [[PLAN]], {{.*}} ], [ [[NEXT:%.*]], {{.*}} ]
// CHECK: call i64 @__cilk2gpu_doacross_rows(i64 noundef [[NOW]], i64 noundef {{.*}}, i64 noundef [[ROWS]])
// CHECK: call i64 @__cilk2gpu_doacross_clock(i64 noundef [[NOW]])
// CHECK: [[WIDTH:%.*]] = call i64 @__cilk2gpu_doacross_size(i64 noundef [[NOW]], i64 noundef [[M:%.*]], i64 noundef 1, i64 noundef {{.*}}, i64 noundef {{.*}})
// CHECK: call i64 @__cilk2gpu_doacross_size(i64 noundef [[NOW]], i64 noundef {{.*}}, i64 noundef [[WIDTH]], i64 noundef {{.*}}, i64 noundef {{.*}})
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
// CHECK: [[NEXT]] = call i64 @__cilk2gpu_doacross_next(i64 noundef [[NOW]], i64 noundef {{.*}}, i64 noundef {{.*}})
void plans(int (*b)[64], int n) {
#pragma cilk doacross(i-1,j) (i,j-1) // expected-remark {{in tiles of some microseconds, or of at most 32 x 128 iterations whose time is unknown; tiles run in waves}}
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < 64; ++j)
      checked(b[i], j) += checked(b[i - 1], j) + checked(b[i], j - 1);
#define NEST doacross(i-1,j)
#define CHAIN(distance) doacross(i-distance)
#pragma cilk NEST (i,j-1) tile(8,4) // expected-remark {{in tiles of 8 x 4 iterations}}
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < 64; ++j)
      b[i][j] += b[i - 1][j] + b[i][j - 1];
#pragma cilk CHAIN(1) // expected-remark {{one iteration after the other}}
  cilk_for (int i = 1; i < n; ++i)
    b[i][0] += b[i - 1][0];
}
// PREPROCESSED: this doacross nest runs in tiles of 8 x 4 iterations; tiles run in waves [-Rpass=cilk]
// PREPROCESSED: this doacross nest runs one iteration after the other: {{.*}} [-Rpass-missed=cilk]
