// Tests that functions that may recurse check the use of a lane's stack, and end the program if it is full. These are
// functions that call themselves or one another, are called through pointers, or have arrays of variable size. Others
// do not check, and an image without checks has no variable for them.
// DEFINE: %{arch} = gfx90a
// DEFINE: %{kind} = AMD
// DEFINE: %{run} = %cilk2gpu -O2 --offload-arch=%{arch} --emit=llvm %s -o %t.ll && FileCheck %s --check-prefixes=CHECK,%{kind} < %t.ll && \
// DEFINE:   FileCheck %s --check-prefix=VARIABLE < %t.ll && FileCheck %s --check-prefix=LEAF < %t.ll && \
// DEFINE:   FileCheck %s --check-prefix=ODD < %t.ll && FileCheck %s --check-prefix=SERIAL < %t.ll && FileCheck %s --check-prefix=KERNEL-%{kind} < %t.ll
// RUN: %{run}
// REDEFINE: %{arch} = sm_90
// REDEFINE: %{kind} = NVIDIA
// RUN: %{run}
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefix=SWIZZLED
// RUN: %cilk2gpu -O2 --offload-arch=gfx942 --emit=isa %s | FileCheck %s --check-prefix=FLAT
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DLEAVES %s | FileCheck %s --check-prefix=LEAVES
// Checks leave locals of a constant size in their functions' entry blocks, at any position.
// RUN: %cilk2gpuxx -O2 --offload-arch=gfx1100 -foffload-persistent --emit=llvm %source_dir/test/e2e/programs/evaluation-order.cpp | \
// RUN:   %python %S/Inputs/late-locals.py | FileCheck %s --check-prefix=EARLY
// EARLY-NOT: late
// EARLY: {{[1-9][0-9]+}} locals
#include <cilk/cilk.h>

// LEAVES-NOT: __cilk2gpu_stack_bytes

#ifdef LEAVES
static int leaf(int n) { return n * n; }
void squares(int *to, int n) {
  to[0] = cilk_spawn leaf(n);
  to[1] = leaf(n + 1);
}
#else

// CHECK-DAG: @__cilk2gpu_stack_bytes = protected addrspace(1) externally_initialized global i64 -1
// NVIDIA-DAG: @__cilk2gpu_stack_end = internal addrspace(1) global i64 0

__attribute__((noinline)) static int leaf(const int *numbers, int n) { return numbers[n / 2] + n; }

// VARIABLE: define internal{{.*}} @{{.*}}_variable(
// VARIABLE: %[[LOCAL:.*]] = alloca i32, i{{32|64}} %
// VARIABLE: ptrtoint ptr{{.*}} %[[LOCAL]] to
// VARIABLE: call void @__cilk2gpu_device_stack_full()
// VARIABLE-NEXT: unreachable
__attribute__((noinline)) static int variable(int n) {
  int numbers[n + 1];
  for (int i = 0; i <= n; ++i)
    numbers[i] = i;
  return leaf(numbers, n);
}

// LEAF: define internal{{.*}} @{{.*}}_leaf(
// LEAF-NOT: stacksave
// LEAF: ret i32

// CHECK: define internal{{.*}} @{{.*}}_even(
// AMD: %[[SP:.*]] = call ptr addrspace(5) @llvm.stacksave.p5()
// AMD: %[[USED:.*]] = ptrtoint ptr addrspace(5) %[[SP]] to i32
// AMD: %[[WIDE:.*]] = zext i32 %[[USED]] to i64
// AMD: %[[LIMIT:.*]] = load i64, ptr addrspace(1) @__cilk2gpu_stack_bytes
// AMD: icmp ugt i64 %[[WIDE]], %[[LIMIT]]
// NVIDIA: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
// NVIDIA: %[[HERE:.*]] = ptrtoint ptr %[[SP]] to i64
// NVIDIA: %[[END:.*]] = load i64, ptr addrspace(1) @__cilk2gpu_stack_end
// NVIDIA: icmp ult i64 %[[HERE]], %[[END]]
static int odd(int n, const int *above);
__attribute__((noinline)) static int even(int n, const int *above) {
  int here[] = {n, *above};
  return n ? odd(n - 1, here) + odd(n - 1, here + 1) : 1;
}
// ODD: define internal{{.*}} @{{.*}}_odd(
// ODD: @llvm.stacksave
__attribute__((noinline)) static int odd(int n, const int *above) {
  int here[] = {*above, n};
  return n ? even(n - 1, here) - even(n - 1, here + 1) : 0;
}

// A kernel on NVIDIA's GPUs begins by noting the end of the stack; an elision recurses.
// SERIAL: define internal{{.*}} @{{.*}}_tree.serial(
// SERIAL: @llvm.stacksave
// KERNEL-AMD-NOT: usub.sat
// KERNEL-NVIDIA: ptx_kernel void
// KERNEL-NVIDIA: call i64 @llvm.usub.sat.i64
// KERNEL-NVIDIA-NEXT: store atomic i64 %{{.*}}, ptr addrspace(1) @__cilk2gpu_stack_end syncscope("device") monotonic
int tree(int n) {
  if (n < 2)
    return even(n, &n) + variable(n);
  int a = cilk_spawn tree(n - 1);
  int b = tree(n - 2);
  cilk_sync;
  return a + b;
}
#endif

// If the whole wavefront has one stack pointer, it is divided by the wave size. Elsewhere it is the lane's already.
// SWIZZLED: {{^}}__cilk2gpu_{{.*}}_even:
// SWIZZLED: s_lshr_b32 s{{[0-9]+}}, s32, 6
// FLAT: {{^}}__cilk2gpu_{{.*}}_even:
// FLAT-NOT: s_lshr_b32 s{{[0-9]+}}, s32
// FLAT: s_setpc_b64

// PTX: .visible .global .align 8 .u64 __cilk2gpu_stack_bytes = -1;
// PTX: stacksave.u64
// PTX: ld.global.b64 {{.*}}, [__cilk2gpu_stack_end];
// PTX: st.relaxed.gpu.global.b64 [__cilk2gpu_stack_end]
