// Tests kernels of thread blocks that use much of C++: classes, exceptions, captures, arrays of variable size, calls through
// pointers, and Cilk functions. All become code for whole blocks, and give the results of another compiler.
// RUN: g++ -std=c++17 -O1 -Dcilk_spawn= -Dcilk_sync= -I %build_dir/include/cilk2gpu-rt %s %build_dir/lib/libcilk2gpu_rt.a -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %cilk2gpuxx -std=c++17 -O0 -Wall -Wextra -Werror -Wno-vla-cxx-extension -Rpass-missed=cilk %s -o %t.0 2> %t.remarks
// RUN: not grep "thread by thread" %t.remarks
// RUN: env CILK2GPU_WORKERS=2 %t.0 | diff - %t.expected
// RUN: %cilk2gpuxx -std=c++17 -O2 -g %s -o %t.2
// RUN: env CILK2GPU_WORKERS=1 %t.2 | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=model %t.2 | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=serial %t.2 | diff - %t.expected
#ifdef __cilk
#include <cilk/cilk.h>
#endif
#include <algorithm>
#include <cilk2gpu/Wireframe.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
static long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
__WF__ void callsCilk(long *p) { p[blockIdx.x] = fib(int(10 + blockIdx.x)); }
struct S {
  static __WF__ void member(int *p) { p[blockIdx.x] += 2; }
};
namespace ns {
extern "C" __WF__ void plain_c(int *p, int n) {
  if (int(blockIdx.x) < n)
    p[blockIdx.x] += 3;
}
} // namespace ns
__WF__ void tries(int *p) {
  try {
    if (threadIdx.x == 1)
      throw std::runtime_error("x");
    p[threadIdx.x] += 1;
  } catch (const std::exception &e) {
    p[threadIdx.x] += int(std::strlen(e.what())) * 10;
  }
}
__WF__ void strings(int *p) {
  std::string s(threadIdx.x + 20, 'a');
  std::vector<int> v(s.size(), 1);
  int sum = 0;
  for (int x : v)
    sum += x;
  p[threadIdx.x] = sum;
}
__WF__ void vla(int *p, int n) {
  int a[n];
  for (int i = 0; i < n; ++i)
    a[i] = i + int(threadIdx.x);
  p[threadIdx.x] = a[n - 1];
  wf::SyncThreads();
  p[threadIdx.x] += 1;
}
__WF__ void pointer(double (*f)(double), double *p) { p[threadIdx.x] = f(double(threadIdx.x)); }
__WF__ void atomics(int *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
template <int N, class F> __WF__ void generic(int *p, F f) { p[threadIdx.x] = f(N); }
__WF__ void inner(int *p) { p[threadIdx.x + blockDim.x * threadIdx.y] += 100; }
__WF__ void outer(int *p) {
  inner(p);
  wf::SyncThreads();
  inner(p);
}
__WF__ void lambdaReads(int *p) {
  auto at = [&](int k) { return p[(threadIdx.x + k) % blockDim.x]; };
  int v = at(1) + at(2);
  wf::SyncThreads();
  p[threadIdx.x] = v;
}
__WF__ void sorts(int *p) {
  int a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = (i * 5 + int(threadIdx.x)) % 8;
  std::sort(a, a + 8);
  p[threadIdx.x] = a[3];
}
__WF__ void switches(int *p) {
  switch (threadIdx.x % 4) {
  case 0:
    p[threadIdx.x] = 5;
    break;
  case 1:
    p[threadIdx.x] = 6;
    [[fallthrough]];
  case 2:
    p[threadIdx.x] += 7;
    break;
  default:
    return;
  }
}
__WF__ void shared2(float *p) {
  WF_SHARED struct {
    float a[4];
    int b;
  } box;
  WF_SHARED int n;
  if (threadIdx.x == 0) {
    n = 3;
    box.b = 2;
  }
  box.a[threadIdx.x] = p[threadIdx.x];
  wf::SyncThreads();
  p[threadIdx.x] = box.a[n - threadIdx.x] * box.b;
}
static double twice(double x) { return 2 * x + std::sqrt(x); }
static void show(const char *name, const int *p, int n) {
  std::printf("%s:", name);
  for (int i = 0; i < n; ++i)
    std::printf(" %d", p[i]);
  std::puts("");
}
int main() {
  long l[3];
  wf::launch(dim3(3), dim3(1), [] {}, callsCilk, l);
  std::printf("%ld %ld %ld %ld\n", l[0], l[1], l[2], fib(12));
  int p[8] = {};
  auto none = [] {};
  wf::launch(dim3(3), dim3(1), none, S::member, p);
  wf::launch(dim3(3), dim3(1), none, ns::plain_c, p, 2);
  show("m", p, 3);
  wf::launch(dim3(1), dim3(3), none, tries, p);
  show("t", p, 3);
  wf::launch(dim3(1), dim3(3), none, strings, p);
  show("s", p, 3);
  wf::launch(dim3(1), dim3(3), none, vla, p, 9);
  show("v", p, 3);
  double d[3];
  wf::launch(dim3(1), dim3(3), none, pointer, twice, d);
  std::printf("%g %g\n", d[1], d[2]);
  int sum = 0;
  wf::launch(dim3(50), dim3(3), none, atomics, &sum);
  show("a", &sum, 1);
  int base = 7;
  auto f = [base](int n) { return n + base + int(threadIdx.x); };
  wf::launch(dim3(1), dim3(3), none, generic<5, decltype(f)>, p, f);
  show("g", p, 3);
  wf::launch(dim3(1), dim3(2, 2), none, outer, p);
  show("o", p, 4);
  wf::launch(dim3(1), dim3(4), none, lambdaReads, p);
  show("l", p, 4);
  wf::launch(dim3(1), dim3(4), none, sorts, p);
  show("so", p, 4);
  wf::launch(dim3(1), dim3(8), none, switches, p);
  show("sw", p, 8);
  float q[4] = {1, 2, 3, 4};
  wf::launch(dim3(1), dim3(4), none, shared2, q);
  std::printf("%g %g %g %g\n", q[0], q[1], q[2], q[3]);
  inner(p);
  show("direct", p, 1);
}
