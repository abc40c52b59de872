// Tests that constexpr functions with keywords run as serial elisions in constant expressions, and as tasks at run
// time.
// RUN: %clangxx -std=c++20 -O1 -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
constexpr int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = 0;
  y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
static_assert(fib(10) == 55);
int table[fib(6)];

template <class T> constexpr T sum(T n) {
  T values[8] = {}, total = 0;
  cilk_for (int i = 0; i < 8; ++i)
    values[i] = i * n;
  for (T value : values)
    total += value;
  return total;
}
static_assert(sum(3L) == 84 && sum(1) == 28);

struct Shape {
  int size;
  constexpr int area() const {
    int x = 0;
    cilk_scope { x = cilk_spawn fib(size); }
    return x;
  }
};
static_assert(Shape{7}.area() == 13);

// CHECK-LABEL: define {{.*}} @run(
extern "C" int run(int n) { return fib(n) + sum(n) + Shape{n}.area(); }
// CHECK-LABEL: define {{.*}} @_Z3fibi(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: call void @__cilk2gpu_sync()
// CHECK-LABEL: define {{.*}} @_Z3sumIiET_S0_(
// CHECK: call i64 @__cilk2gpu_for_begin(
// CHECK-LABEL: define {{.*}} @_ZNK5Shape4areaEv(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: call void @__cilk2gpu_sync()
