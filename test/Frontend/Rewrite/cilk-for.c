// Tests that a cilk_for becomes one iteration between its markers, with its bounds, step and comparison as numbers. Clang's
// strictest warnings are on, and the loops are usual in programs.
// RUN: %clang -std=gnu23 -fplugin=%plugin -Wall -Wextra -Wconversion -Wno-sign-conversion -Wno-sign-compare -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
// RUN: %clangxx -x c++ -std=c++20 -fplugin=%plugin -fplugin-arg-cilk2gpu-no-exceptions -Wall -Wextra -Wconversion -Wno-sign-conversion -Wno-sign-compare -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
// RUN: %clang -std=gnu23 -fplugin=%plugin -g -O0 -fsanitize=undefined,implicit-conversion -S -Xclang -disable-llvm-passes -emit-llvm -o /dev/null %s
// RUN: %clang -E %s -o %t.i
// RUN: %clang -std=gnu23 -fplugin=%plugin -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.i | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
#ifdef __cplusplus
extern "C" {
#endif
int f(int);
int bound(void);
void take(void *);

// CHECK-LABEL: define {{.*}} @plain(
// CHECK: [[N:%.*]] = sext i32 %1 to i64
// CHECK-NEXT: [[K:%.*]] = call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef [[N]], i64 noundef 1, i32 noundef 8192, i64 noundef 0)
// CHECK-NEXT: [[I:%.*]] = trunc i64 [[K]] to i32
// CHECK-NEXT: call i32 @f(i32 noundef [[I]])
// CHECK: store i32
// CHECK-NEXT: call void @__cilk2gpu_for_end(i32 noundef 0)
// CHECK-NEXT: ret void
void plain(int *a, int n) {
  cilk_for (int i = 0; i < n; ++i)
    a[i] = f(i);
}

// Unsigned and mixed types compare as the language says. The variable wraps as its own type does. The number of the
// comparison has the variable's bits: 8192 are 32 bits.
// CHECK-LABEL: define {{.*}} @types(
// CHECK: [[K:%.*]] = call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 200, i64 noundef 3, i64 noundef -2, i32 noundef 2066,
// CHECK-NEXT: trunc i64 [[K]] to i8
// CHECK: zext i32 %2 to i64
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 1, i64 noundef 4294967295, i64 {{.*}}, i64 noundef 1, i32 noundef 8217,
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 2, i64 noundef -5, i64 noundef %1, i64 noundef 3, i32 noundef 16412,
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 3, i64 noundef 20, i64 noundef 10, i64 noundef -1, i32 noundef 8196,
void types(char *a, unsigned long m, unsigned u) {
  cilk_for (unsigned char c = 200; 3 < c; c -= 2)
    a[c] = 1;
  cilk_for (int i = -1; i <= u; i++)
    a[i] = 2;
  _Cilk_for (long i = -5; i != m; i = 3 + i)
    a[i] = 3;
  cilk_for (int i = 20; 10 != i; i--)
    a[i] = 4;
}
#define TEN 10
// CHECK-LABEL: define {{.*}} @steps(
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 10, i64 noundef 0, i64 noundef -1, i32 noundef 8195,
// CHECK: [[S:%.*]] = sext i32 %1 to i64
// CHECK: [[NEGATED:%.*]] = sub i64 0, [[S]]
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 1, i64 noundef 10, i64 noundef 0, i64 noundef [[NEGATED]], i32 noundef 8194,
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 2, i64 noundef 10, i64 noundef 0, i64 noundef -1, i32 noundef 8218,
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 3, i64 noundef 0, i64 noundef 10, i64 noundef 7, i32 noundef 8193,
void steps(int *a, int s) {
  cilk_for (int i = TEN; i >= 0; --i)
    a[i] = 1;
  cilk_for (int i = TEN; 0 < i; i = i - s)
    a[i] = 2;
  cilk_for (unsigned i = TEN; i > 0; i += -1)
    a[i] = 3;
  cilk_for (int i = 0; TEN >= i; i = i + 7)
    a[i] = 4;
}

// A pointer's loop counts elements from 0.
// CHECK-LABEL: define {{.*}} @pointers(
// CHECK: [[D:%.*]] = sdiv exact i64 {{%.*}}, 12
// CHECK: [[K:%.*]] = call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef [[D]], i64 noundef 1, i32 noundef 4,
// CHECK: getelementptr inbounds{{.*}} %struct.Triple, ptr %0, i64 [[K]]
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 1, i64 noundef 0, i64 noundef {{%.*}}, i64 noundef -3, i32 noundef 3,
struct Triple {
  int x, y, z;
};
void pointers(struct Triple *first, const struct Triple *last) {
  cilk_for (struct Triple *p = first; p != last; ++p)
    p->x = 1;
  cilk_for (const struct Triple *p = last; first <= p; p -= 3)
    f(p->x);
}

// `continue` ends the iteration; other loops and switches in the body have their own.
// CHECK-LABEL: define {{.*}} @jumps(
// CHECK: call i64 @__cilk2gpu_for_begin(
// CHECK: br i1 {{%.*}}, label %[[END:[0-9a-z]+]], label %
// CHECK: br label %[[END]]
// CHECK: [[END]]:
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
// CHECK-NEXT: ret void
void jumps(int *a, int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (a[i])
      continue;
    for (int j = 0; j < n; ++j) {
      if (j == 4)
        continue;
      if (j == 5)
        break;
      a[i] += j;
    }
    switch (a[i]) {
    case 1:
      break;
    case 2:
      continue;
    default:
      goto own;
    }
    a[i] = 3;
  own:
    take(a);
  }
}

// Header expressions are the parent's, once, in order; spawns and other loops may stand in the body.
// CHECK-LABEL: define {{.*}} @nested(
// CHECK: call i32 @f(i32 noundef 1)
// CHECK: call i32 @bound()
// CHECK: call i32 @f(i32 noundef 2)
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0,
// CHECK-NOT: call i32 @bound()
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 1,
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 2)
// CHECK: call void @__cilk2gpu_sync()
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 1)
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 3,
void nested(int *a, int n) {
  cilk_for (int i = f(1); i < bound(); i += f(2))
    cilk_for (int j = 0; j < i; j++) {
      a[j] = cilk_spawn f(i);
      cilk_sync;
      a[j] += 1;
    }
  if (n)
    cilk_for (int i = 0; i < n; i++)
      f(i);
  else
    take(a);
}

// CHECK-LABEL: define {{.*}} @grains(
// CHECK: call i64 @__cilk2gpu_for_begin({{.*}}, i64 noundef 16)
// CHECK: [[H:%.*]] = sdiv i32 %0, 2
// CHECK: [[G:%.*]] = sext i32 [[H]] to i64
// CHECK: call i64 @__cilk2gpu_for_begin({{.*}}, i64 noundef [[G]])
// CHECK: call i64 @__cilk2gpu_for_begin({{.*}}, i64 noundef 10)
// CHECK: call i64 @__cilk2gpu_for_begin({{.*}}, i64 noundef 3)
// CHECK: call i64 @__cilk2gpu_for_begin({{.*}}, i64 noundef 0)
void grains(int n) {
#pragma cilk grainsize = 16
  cilk_for (int i = 0; i < n; ++i)
    f(i);
  if (n)
#pragma cilk grainsize = n / 2
    cilk_for (int i = 0; i < n; ++i)
      f(i);
#pragma cilk grainsize 10
  cilk_for (int i = 0; i < n; ++i)
#pragma grainsize = (3)
    _Cilk_for (int j = 0; j < n; ++j)
      f(i);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}

#ifdef __cplusplus
}
#endif
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef 10,
int main(void) {
  cilk_for (int i = 0; i < 10; ++i)
    f(i);
  return 0;
}
