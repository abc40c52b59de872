// Tests that a spawn in a return is an ordinary call, with a sync between the returned value and the destruction of locals. Also
// tests the returns that are refused.
// RUN: %clangxx -std=c++17 -O1 -fno-exceptions -fno-discard-value-names -Wno-return-type-c-linkage -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++17 -fsyntax-only -Wno-return-type-c-linkage -DERRORS -fplugin=%plugin -Xclang -verify %s
extern "C" {
int f(int);
void g();
int &h(int);
struct Large { long values[6]; };
Large makeLarge(int);
struct Guard { ~Guard(); };

// CHECK-LABEL: define {{.*}} @value(
// CHECK-NOT: spawn_begin
// CHECK: [[V:%.*]] = call i32 @f(
// CHECK: call void @__cilk2gpu_return_sync(
// CHECK: ret i32
int value(int n) { return cilk_spawn f(n); }

// CHECK-LABEL: define {{.*}} @nothing(
// CHECK: call void @g()
// CHECK: call void @__cilk2gpu_return_sync(
// CHECK: ret void
void nothing() { return cilk_spawn g(); }

// CHECK-LABEL: define {{.*}} @converted(
// CHECK: call i32 @f(
// CHECK: sitofp
// CHECK: call void @__cilk2gpu_return_sync(
double converted(int n) { return (double)(cilk_spawn f(n)); }

// CHECK-LABEL: define {{.*}} @referred(
// CHECK: call {{.*}}ptr @h(
// CHECK: call void @__cilk2gpu_return_sync(
int &referred(int n) { return cilk_spawn h(n); }

// The object is made where the caller wants it.
// CHECK-LABEL: define {{.*}} @large(
// CHECK: call void @makeLarge(ptr {{.*}} %agg.result,
// CHECK: call void @__cilk2gpu_return_sync(
Large large(int n) { return cilk_spawn makeLarge(n); }

// CHECK-LABEL: define {{.*}} @guarded(
// CHECK: call i32 @f(
// CHECK: call void @__cilk2gpu_return_sync(
// CHECK: call void @_ZN5GuardD1Ev(
// CHECK: ret i32
int guarded(int n) {
  Guard guard;
  return cilk_spawn f(n);
}
}
#ifdef ERRORS
int refused(int n, int x) {
  if (n == 1)
    return cilk_spawn f(n) + 1; // expected-error {{part of a return statement}}
  if (n == 2)
    return x = cilk_spawn f(n); // expected-error {{part of a return statement}}
  if (n == 3)
    return cilk_spawn f(cilk_spawn f(n)); // expected-error {{part of an argument}}
  if (n == 4)
    return cilk_spawn n; // expected-error {{a spawn must be a call of a function, but this is an expression of type 'int'}}
  if (n == 5)
    return cilk_spawn __builtin_abs(n);
  return cilk_spawn (long)__builtin_alloca(n); // expected-error {{stands before a conversion of its result}}
}
#endif
