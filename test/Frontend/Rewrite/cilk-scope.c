// Tests that a cilk_scope waits at its end and before every jump out of it, and nowhere else.
// RUN: %clang -std=gnu23 -fplugin=%plugin -Wall -Wextra -Wpedantic -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s --implicit-check-not='call void @__cilk2gpu_sync'
// RUN: %clangxx -x c++ -std=c++20 -fplugin=%plugin -fplugin-arg-cilk2gpu-no-exceptions -Wall -Wextra -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s --implicit-check-not='call void @__cilk2gpu_sync'
// RUN: %clang -E %s -o %t.i
// RUN: %clang -std=gnu23 -fplugin=%plugin -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %t.i | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s --implicit-check-not='call void @__cilk2gpu_sync'
#ifdef __cplusplus
extern "C" {
#endif
int f(int);

// CHECK-LABEL: define {{.*}} @block(
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK-NEXT: call i32 @f(i32 noundef 3)
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK: call void @__cilk2gpu_sync()
// CHECK: ret void
void block(int n) {
  cilk_scope { cilk_spawn f(n); }
  f(3);
  if (n)
    _Cilk_scope {
      cilk_spawn f(n);
    }
}

// CHECK-LABEL: define {{.*}} @jumps(
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK: switch i32
// CHECK: call i32 @f(i32 noundef 13)
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK: call i32 @f(i32 noundef 14)
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK: call i32 @f(i32 noundef 15)
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK: call i32 @f(i32 noundef 16)
// CHECK: call i32 @f(i32 noundef 17)
// CHECK: call i32 @f(i32 noundef 18)
// CHECK: call i32 @f(i32 noundef 19)
// CHECK: call void @__cilk2gpu_sync()
// CHECK: ret void
void jumps(int n) {
  while (n--) {
    cilk_scope {
      cilk_spawn f(1);
      if (n == 3) {
        f(13);
        break;
      } else if (n == 4) {
        f(14);
        continue;
      } else if (n == 5) {
        f(15);
        goto out;
      } else if (n == 6) {
        f(16);
        return;
      }
      for (int i = 0; i < n; ++i) {
        if (f(17))
          continue;
        if (f(18))
          break;
      }
      if (n == 7)
        goto inside;
      f(19);
    inside:;
    }
  }
out:
  return;
}

// An outer scope waits at its own end too; a jump out of both waits once.
// CHECK-LABEL: define {{.*}} @nested(
// CHECK: call i32 @f(i32 noundef 1)
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK-NOT: call void @__cilk2gpu_sync()
// CHECK: call i32 @f(i32 noundef 2)
// CHECK-NEXT: call void @__cilk2gpu_sync()
// CHECK: call i32 @f(i32 noundef 3)
// CHECK-NEXT: call void @__cilk2gpu_sync()
void nested(int n) {
  for (;;) {
    cilk_scope {
      cilk_spawn f(0);
      cilk_scope {
        if (n) {
          f(1);
          break;
        }
        f(2);
      }
      f(3);
    }
  }
}

// CHECK-LABEL: define {{.*}} @withLoop(
// CHECK: call i64 @__cilk2gpu_for_begin(
// CHECK: call void @__cilk2gpu_sync()
// CHECK: br label %[[END:[0-9a-z]+]]
// CHECK: call void @__cilk2gpu_sync()
// CHECK: [[END]]:
// CHECK: call void @__cilk2gpu_for_end(
void withLoop(int n) {
  cilk_for (int i = 0; i < n; ++i)
    cilk_scope {
      cilk_spawn f(i);
      if (i == 4)
        continue;
      f(5);
    }
}
#ifdef __cplusplus
}
#endif
