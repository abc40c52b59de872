// Tests a task's storage of variable size. It comes from the runtime, counts as memory of the run, and ends with its block or,
// after the implicit sync, with the task. The elision keeps it on the stack.
// RUN: %cilk2gpu --emit=cilk %s | FileCheck %s
// RUN: %cilk2gpu -O0 --emit=llvm -o %t.ll %s
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.ll
// RUN: %cilk2gpu -O1 -DMAIN %s -o %t
// RUN: env CILK2GPU_STATS=%t.json CILK2GPU_WORKERS=1 %t
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.json
#include <alloca.h>
void use(char *, int);
int grow(int);

// CHECK-LABEL: llvm.func @blocks(
// CHECK-NOT: stacksave
// CHECK: %[[LOCALS:.*]] = llvm.alloca %{{.*}} x !llvm.array<416 x i8> {alignment = 16
// CHECK: %[[MARK:.*]] = llvm.load %[[LOCALS]]
// CHECK: %[[FITS:.*]] = llvm.icmp "ult"
// CHECK: llvm.cond_br %[[FITS]]
// CHECK: llvm.call @__cilk2gpu_local(%[[LOCALS]],
// CHECK: cilk.spawn @use
// CHECK: llvm.call @__cilk2gpu_release(%[[LOCALS]], %[[MARK]])
// CHECK: llvm.store %[[MARK]], %[[LOCALS]]
// CHECK: llvm.call @__cilk2gpu_local(%[[LOCALS]],
// CHECK: cilk.sync
// CHECK: llvm.call @__cilk2gpu_release(%[[LOCALS]], %{{.*}})
// CHECK: llvm.return
void blocks(int n) {
  {
    char own[n];
    cilk_spawn use(own, n);
    cilk_sync;
  }
  char *kept = alloca(n);
  cilk_spawn use(kept, n);
}
// LLVM-LABEL: define internal{{.*}} void @blocks.serial(
// LLVM-NOT: __cilk2gpu
// LLVM: alloca i8, i64
// LLVM: {{^}}}

// A call of alloca with a constant is a local variable of the task, also behind an array of variable length.
// CHECK-LABEL: llvm.func @fixed(
// CHECK: llvm.alloca %{{.*}} x i8
// CHECK: llvm.icmp "ult"
// CHECK-NOT: llvm.alloca
// CHECK: llvm.return
int fixed(int n) {
  char array[n];
  char *kept = alloca(16);
  cilk_spawn use(array, n);
  cilk_spawn use(kept, 16);
  cilk_sync;
  return kept[15] + array[n - 1];
}

// The stack is not saved for storage that is never reached: a sync may lie between.
// CHECK-LABEL: llvm.func internal @iterations.for0(
// CHECK-NOT: stack{{save|restore}}
// CHECK: llvm.return
void iterations(int n, unsigned long key) {
  cilk_for (int i = 0; i < n; ++i) {
    cilk_spawn use(0, i);
    if ((key + (unsigned long)i) % 2 > 1)
      use(alloca(n + 1), n);
    cilk_sync;
  }
}

#ifdef MAIN
void use(char *p, int n) { p[n - 1] = 1; }
int main(void) {
  blocks(10000000);
  return fixed(3) != 2;
}
#endif
// STATS: "memory_high_water": {"value": 10{{......}},
