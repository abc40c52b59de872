// Tests that cilk_for's iterators stay in their ranges, empty ones too, where the library checks them.
// RUN: %cilk2gpuxx -O1 -D_GLIBCXX_DEBUG %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpuxx -O0 -D_GLIBCXX_DEBUG %s -o %t && env CILK2GPU_DEVICE=serial %t | FileCheck %s
#include <cstdio>
#include <deque>
#include <vector>
// CHECK: {{^}}0{{$}}
// CHECK: {{^}}45{{$}}
// CHECK: {{^}}492{{$}}
// CHECK: {{^}}108401680595842125{{$}}
// CHECK: {{^}}-1812765254471633224{{$}}

long f(int n) {
  std::vector<int> v(n, 1);
  std::deque<int> d(n, 2);
  cilk_for(auto it = v.begin(); it != v.end(); ++it) *it += 3;
  cilk_for(auto it = d.begin(); it < d.end(); it += 1) *it += 3;
  cilk_for(auto &x : v) x *= 2;
  cilk_for(auto &x : d) {
    cilk_spawn[](int &y) { y++; }
    (x);
  }
  cilk_for(auto it = v.rbegin(); it != v.rend(); ++it) *it += 3;
  cilk_for(auto it = v.end(); it != v.begin(); --it) it[-1] += 1;
  cilk_for(auto it = v.end(); it > v.begin(); it -= 1) it[-1] += 1;
  long s = 0;
  for (int x : v)
    s = s * 3 + x;
  for (int x : d)
    s = s * 3 + x;
  return s;
}
int main() {
  for (int n : {0, 1, 2, 17, 100})
    printf("%ld\n", f(n));
}
