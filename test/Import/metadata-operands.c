// Tests intrinsics that name a register or a type, which MLIR does not have: kernels have calls of them again.
// RUN: cilk2gpu --target=x86_64-linux-gnu -O1 --emit=llvm %s -o - | FileCheck %s --check-prefix=REGISTER
// RUN: cilk2gpu --target=x86_64-linux-gnu -O1 -flto -fvisibility=hidden -fsanitize=cfi-icall --emit=llvm %s -o - | FileCheck %s
int leaf(int);
register unsigned long stack __asm__("rsp");

// REGISTER-LABEL: define internal void @where.k1
// REGISTER: call i64 @llvm.read_register.i64(metadata ![[NAME:[0-9]+]])
// REGISTER: {{^}}![[NAME]] = !{!"rsp"}
unsigned long where(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x + (stack != 0);
}

// CHECK-LABEL: define internal void @called.k1
// CHECK: %[[RIGHT:.*]] = tail call i1 @llvm.type.test(ptr {{.*}}, metadata !"_ZTSFiiE")
// CHECK: br i1 %[[RIGHT]]
int called(int (*pointer)(int), int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x + pointer(n);
}

// The parent checks the pointer.
// CHECK-LABEL: define internal void @spawned.k0
// CHECK: call i1 @llvm.type.test(ptr {{.*}}, metadata !"_ZTSFiiE")
int spawned(int (*pointer)(int), int n) {
  int x = cilk_spawn pointer(n);
  cilk_sync;
  return x;
}
