// Tests that the child makes the copies that -fno-elide-constructors asks for, as the serial elision does.
// RUN: %clangxx -std=c++14 -fno-elide-constructors -fplugin=%plugin -Wall -Wextra -Werror -fno-exceptions -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++14 -fplugin=%plugin -Wall -Wextra -Werror -fno-exceptions -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --check-prefix=ELIDED
struct Own {
  Own(Own &&);
  ~Own();
  int number;
};
Own make(int);

// CHECK-LABEL: define {{.*}} @_Z5valuev(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK: call void @_Z4makei(ptr {{.*}} [[T:%[0-9]+]], i32
// CHECK-NEXT: call void @_ZN3OwnC1EOS_(ptr {{.*}} [[O:%[0-9]+]], ptr {{.*}} [[T]])
// CHECK: call void @_ZN3OwnD1Ev(ptr {{.*}} [[T]])
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// ELIDED-LABEL: define {{.*}} @_Z5valuev(
// ELIDED: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// ELIDED: call void @_Z4makei(
// ELIDED-NOT: @_ZN3Own
// ELIDED: call void @__cilk2gpu_spawn_end(i32 noundef 0)
int value() {
  Own own = cilk_spawn make(1);
  cilk_sync;
  return own.number;
}
