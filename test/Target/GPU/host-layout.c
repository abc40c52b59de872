// Tests that memory has the host's layout where the device's own data layout differs: AMD aligns 128-bit integers to 8 bytes,
// x86-64 and NVIDIA to 16.
// DEFINE: %{arch} = gfx90a
// DEFINE: %{prefixes} = CHECK,AMD
// DEFINE: %{run} = %cilk2gpu -O2 --offload-arch=%{arch} --emit=llvm %s | FileCheck %s --check-prefixes=%{prefixes}
// RUN: %{run}
// RUN: %cilk2gpu -O2 --offload-arch=gfx1100 --emit=hsaco %s -o %t.co && llvm-readelf -h %t.co | FileCheck %s --check-prefix=ELF
// RUN: %cilk2gpu -O2 %s -o %t --offload-arch=gpu-host && env CILK2GPU_DEVICE=gpu-host %t
// REDEFINE: %{arch} = gfx1100
// RUN: %{run}
// REDEFINE: %{arch} = sm_90
// REDEFINE: %{prefixes} = CHECK
// RUN: %{run}
// ELF: Machine: EM_AMDGPU
#include <cilk/cilk.h>

struct Wide {
  char first;
  __int128 wide;
  int last;
};

struct Outer {
  struct Wide parts[2];
  short end;
};

struct Outer all[64];

// CHECK-LABEL: define internal {{.*}}@put(
// CHECK: %[[WIDE:.*]] = getelementptr {{.*}}i8, ptr %0, i64 16
// CHECK: store i128 {{.*}}, ptr %[[WIDE]], align 16
// CHECK: %[[LAST:.*]] = getelementptr {{.*}}i8, ptr %0, i64 32
// CHECK: store i32 {{.*}}, ptr %[[LAST]], align 16
__attribute__((noinline)) void put(struct Wide *to, int n) {
  to->first = (char)n;
  to->wide = (__int128)n << 70;
  to->last = n + 1;
}

// A member of an element of a member.
// CHECK-LABEL: define internal {{.*}}@end(
// AMD: mul nsw i64 {{.*}}, 112
// AMD: i64 96
__attribute__((noinline)) short end(const struct Outer *from, long i) { return from[i].end; }

// Arguments and copies have the host's size.
// CHECK-LABEL: define internal {{.*}}@copied(
// CHECK: alloca {{.*}}align 16
// CHECK: call void @llvm.memcpy{{.*}}, i64 48, i1 false)
__attribute__((noinline)) int copied(struct Wide value) {
  put(&value, value.last);
  return value.last + (int)(value.wide >> 70);
}

int task(int n) {
  if (n < 2) {
    put(&all[n].parts[1], n);
    all[n].end = (short)(n + 5);
    return copied(all[n].parts[1]) + end(all, n);
  }
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return task(2) != 2 + 1 + 5 + 3 + 2 + 6; }
