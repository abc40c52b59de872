// Tests that the accesses of a GPU's own IR are checked when it runs on the CPU. A GPU faults on memory that is less aligned than
// a load says, or that must be registered and is not. Its instructions for one kind of memory do not reach another kind. Locals
// that are not initialised have a pattern, also where another lane's locals were.
// REQUIRES: fake-gpu
// DEFINE: %{run} = %python %source_dir/test/e2e/device_ir.py --build %build_dir --work %t
// DEFINE: %{convert} = %python -c "import sys; sys.path.insert(0, '%source_dir/test/e2e'); import device_ir; print(device_ir.for_host(sys.stdin.read()))"
// RUN: not %{run} --arch sm_90 -O2 -DOFFSET=1 %s 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not %{run} --arch gfx1100 -O2 -DOFFSET=1 %s 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: %{run} --arch sm_90 -O2 -DOFFSET=4 %s
// RUN: %{run} --arch gfx90a -O2 -DOFFSET=4 %s
// RUN: %{run} --arch sm_90 --registered-memory -O2 -DOFFSET=4 %s
// RUN: not env 'FAKE_GPU_FAIL=cuMemHostRegister_v2:*:999' %{run} --arch sm_90 --registered-memory -O2 -DOFFSET=4 %s 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: %{run} --arch sm_90 -O0 -DUNSET -DOFFSET=4 %s
// RUN: %{run} --arch gfx90a -O0 -DUNSET -DOFFSET=4 %s
// RUN: sed -n 's,^//IR: ,,p' %s | %{convert} | FileCheck %s --check-prefix=CHECKED
// UNSEEN: ILLEGAL_ADDRESS; of the process's memory, {{[0-9]+}} ranges are not visible there
// LESS: fake GPU: an access is less aligned than its instruction says

#include <stdint.h>

static char buffer[64] __attribute__((aligned(8)));

int sum(int n, int *values) {
#ifdef UNSET
  volatile int local;
  int pattern = local;
  local = n;
  if (n < 2)
    return pattern != (int)0xa5a5a5a5;
#endif
  if (n < 2)
    return values[n];
  int a = _Cilk_spawn sum(n - 1, values), b = _Cilk_spawn sum(n - 2, values);
  _Cilk_sync;
  return a + b;
}

int main(void) {
  volatile intptr_t place = (intptr_t)buffer + OFFSET;
  return sum(6, (int *)place);
}

//IR: define void @accesses(ptr addrspace(1) %there, ptr addrspace(5) %own, ptr %any, <2 x ptr> %both) {
//IR:   %1 = load i32, ptr addrspace(1) %there, align 4
//IR:   store ptr %any, ptr addrspace(5) %own, align 8
//IR:   store <2 x ptr> %both, ptr %any, align 16
//IR:   %2 = atomicrmw add ptr addrspace(1) %there, i32 %1 syncscope("agent") monotonic, align 4
//IR:   %3 = cmpxchg ptr %any, i64 0, i64 1 monotonic monotonic, align 8
//IR:   call void @llvm.memcpy.p5.p1.i64(ptr addrspace(5) align 8 %own, ptr addrspace(1) noundef nonnull dereferenceable(24) %there, i64 24, i1 false)
//IR:   ret void
//IR: }
// CHECKED: define void @accesses
// CHECKED-NEXT: call void @lane_access(ptr %there, i32 1, i32 4, i1 zeroext false)
// CHECKED-NEXT: load i32, ptr %there, align 4
// CHECKED-NEXT: call void @lane_access(ptr %own, i32 5, i32 8, i1 zeroext true)
// CHECKED-NEXT: store ptr %any, ptr %own, align 8
// CHECKED-NEXT: call void @lane_access(ptr %any, i32 0, i32 16, i1 zeroext true)
// CHECKED-NEXT: store <2 x ptr>
// CHECKED-NEXT: call void @lane_access(ptr %there, i32 1, i32 4, i1 zeroext true)
// CHECKED-NEXT: atomicrmw
// CHECKED-NEXT: call void @lane_access(ptr %any, i32 0, i32 8, i1 zeroext true)
// CHECKED-NEXT: cmpxchg
// CHECKED-NEXT: call void @lane_access(ptr %own, i32 5, i32 8, i1 zeroext true)
// CHECKED-NEXT: call void @lane_access(ptr %there, i32 1, i32 1, i1 zeroext false)
// CHECKED-NEXT: call void @llvm.memcpy
