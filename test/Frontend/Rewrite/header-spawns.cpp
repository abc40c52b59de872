// Tests spawns before the first ';' of a header, in increments and between commas. The spawn stands at the declaration's
// initializer, and the variables keep their lifetimes.
// RUN: %clangxx -std=c++20 -O1 -fno-exceptions -fno-discard-value-names -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -x c -std=c2y -O1 -fno-discard-value-names -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --check-prefixes=CHECK-C
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -DERRORS -fplugin=%plugin -Xclang -verify %s
#ifdef __cplusplus
#include <initializer_list>
extern "C" {
int f(int);
void g(int);
struct Guard { int v; Guard(int); ~Guard(); };

// CHECK-LABEL: define {{.*}} @branch(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef %x)
// CHECK-NEXT: call i32 @f(
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: br i1
// CHECK: call void @__cilk2gpu_sync()
int branch(int n) {
  if (int x = cilk_spawn f(n); n > 3) {
    cilk_sync;
    return x;
  } else {
    cilk_sync;
  }
  return 0;
}
// CHECK-LABEL: define {{.*}} @choice(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK: switch i32
void choice(int n) {
  switch (cilk_spawn g(n); n) {
  case 1:
    g(2);
  }
}
// The guard, declared beside the variable, is destroyed behind the loop.
// CHECK-LABEL: define {{.*}} @range(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: for.cond
// CHECK: for.end
// CHECK: call void @_ZN5GuardD1Ev(
// CHECK: ret void
void range(int n) {
  cilk_scope {
    for (Guard guard(3), other(cilk_spawn f(n)); int y : {1, 2})
      g(y);
  }
}
}
#else
int f(int);
void g(int);
#endif

// CHECK-C-LABEL: define {{.*}} @increment(
// CHECK-C: for.cond:
// CHECK-C: for.inc:
// CHECK-C: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK-C: store i32
// CHECK-C: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK-C: add nsw i32
// CHECK-C: br label %for.cond
void increment(int *a, int n) {
  for (int i = 0; i < n; a[i] = cilk_spawn f(i), i++)
    if (i == 3)
      continue;
}
#ifndef __cplusplus
// Jumps that name the loop leave it, and its variables end behind it.
// CHECK-C-LABEL: define {{.*}} @named(
// CHECK-C: call void @__cilk2gpu_spawn_begin(
// CHECK-C: for.cond:
// CHECK-C: ret i32
int named(int n) {
outer:
  for (int i = 0, x = cilk_spawn f(n);; i++) {
    cilk_sync;
    for (;;) {
      if (i == n)
        break outer;
      if (x == i)
        continue outer;
    }
  }
  return n;
}
#endif
#ifdef ERRORS
int refused(int n) {
  if (int x = cilk_spawn f(n)) // expected-error {{part of a condition or loop header}}
    n += x;
  while (int x = cilk_spawn f(n)) // expected-error {{part of a condition or loop header}}
    n += x;
  for (int x = 0; cilk_spawn f(x); x++) // expected-error {{part of a condition or loop header}}
    n += x;
  for (int x = -cilk_spawn f(n); x < 3; x++) // expected-error {{part of a larger expression}}
    n += x;
  n = (cilk_spawn f(1), 2); // expected-error {{part of a larger expression}}
  cilk_for (int i = cilk_spawn f(n); i < 3; i++) // expected-error {{part of a condition or loop header}}
    g(i);
  return n;
}
int early(int n) {
  for (int x = cilk_spawn f(n); // expected-note {{spawned here}}
       x < 3; x++) { // expected-warning {{'x' may be read before it}}
    cilk_sync;
    n += x;
  }
  if (int x = cilk_spawn f(n); x) // expected-error {{'x' is read before it}} expected-note {{spawned here}}
    n += 2;
  cilk_sync;
  return n;
}
void ends(int n) {
  if (int x = cilk_spawn f(n); n) // expected-error {{the scope of 'x' ends before}}
    n += 2; // expected-note {{the scope of 'x' ends here}}
  g(n);
}
#endif
