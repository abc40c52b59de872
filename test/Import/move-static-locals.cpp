// Tests that the initialisation of a static local variable becomes a function, with one call, and that its exceptions
// go to the handlers and cleanups of the Cilk function.
// RUN: cilk2gpu++ -O1 -c %s -o /dev/null -mllvm -print-after=cilk-move-static-locals 2>&1 | FileCheck %s

#include <cilk/cilk.h>

struct Owner {
  Owner();
  ~Owner();
};
int made(int n);
int child(int n);

// No cleanup or handler waits for the exception.
// CHECK-LABEL: define {{.*}}@_Z5plainv(
// CHECK-NOT:     __cxa_guard_acquire
// CHECK:         load atomic i8, ptr @_ZGVZ5plainvE5value acquire
// CHECK-NOT:     __cxa_guard_acquire
// CHECK:         @_Z5plainv.static
int plain() {
  static int value = made(1);
  int x = cilk_spawn child(value);
  cilk_sync;
  return x;
}

// CHECK-LABEL: define {{.*}}@_Z5ownedv(
// CHECK-NOT:     __cxa_guard_acquire
// CHECK:         invoke {{.*}}@_Z5ownedv.static{{.*}}
// CHECK-NEXT:    unwind label %[[PAD:[0-9]+]]
// CHECK:       {{^}}[[PAD]]:
// CHECK-NEXT:    landingpad { ptr, i32 }
// CHECK-NEXT:    cleanup
// CHECK:         br label
int owned() {
  Owner owner;
  static int value = made(2);
  int x = cilk_spawn child(value);
  cilk_sync;
  return x;
}

// The function asks for the guard, and gives it back before it throws again. The search for a handler passes it.
// CHECK-LABEL: define internal {{.*}}@_Z5ownedv.static(
// CHECK:         call i32 @__cxa_guard_acquire
// CHECK:         call void @__cxa_guard_release
// CHECK:         landingpad { ptr, i32 }
// CHECK-NEXT:    cleanup
// CHECK-NOT:     catch
// CHECK:         call void @__cxa_guard_abort
// CHECK:         resume
