// Tests that short functions that tasks call, directly or through others, become part of the tasks. A task without other calls
// then runs in its parent. Longer functions, loops, and functions that must not be inlined stay calls. A spawned call stays a
// call, too.
// RUN: %cilk2gpu++ -O2 -fno-cilk-exceptions --emit=cilk %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: %cilk2gpu++ -O0 -fno-cilk-exceptions --emit=cilk %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu++ -O2 -DMAIN %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_STATS=%t.json CILK2GPU_WORKERS=1 %t | FileCheck %s --check-prefix=RESULTS
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.json
#include <cilk/cilk.h>
#include <complex>
#include <cstdio>
#include <optional>
#include <tuple>
#include <utility>

// The base cases of fib(20), 10946 of 21891 calls, run in their parents.
// STATS-COUNT-11: "lanes": 10945,
// STATS-NOT: "lanes": 21891,
// RESULTS: 6765 10946
// RESULTS: 6765 10946
// RESULTS: 6765 10946
// RESULTS: 6765
// RESULTS: 6765
// RESULTS: 6765 10946 21892

// CHECK-LABEL: @_Z5pairsi(
// CHECK-NOT: llvm.call
// CHECK: cilk.spawn @_Z5pairsi(%{{.*}}) into
// CHECK-NOT: llvm.call
// CHECK: llvm.return
// NONE-LABEL: @_Z5pairsi(
// NONE: llvm.call @_ZNSt4pair
std::pair<long, long> pairs(int n) {
  if (n < 2)
    return {n, 1};
  std::pair<long, long> a = cilk_spawn pairs(n - 1);
  std::pair<long, long> b = pairs(n - 2);
  cilk_sync;
  return {a.first + b.first, a.second + b.second};
}

// CHECK-LABEL: @_Z6tuplesi(
// CHECK-NOT: llvm.call
// CHECK: llvm.return
std::tuple<long, long> tuples(int n) {
  if (n < 2)
    return {n, 1};
  std::tuple<long, long> a = cilk_spawn tuples(n - 1);
  std::tuple<long, long> b = tuples(n - 2);
  cilk_sync;
  return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
}

// CHECK-LABEL: @_Z9complexesi(
// CHECK-NOT: llvm.call
// CHECK: llvm.return
std::complex<double> complexes(int n) {
  if (n < 2)
    return {double(n), 1};
  std::complex<double> a = cilk_spawn complexes(n - 1);
  std::complex<double> b = complexes(n - 2);
  cilk_sync;
  return a + b;
}

// The child does not touch the padding behind the flag: it returns to the variable itself.
// CHECK-LABEL: @_Z9optionalsi(
// CHECK-NOT: llvm.call
// CHECK: cilk.spawn @_Z9optionalsi(%{{.*}}) into
// CHECK-NOT: llvm.call
// CHECK: llvm.return
std::optional<long> optionals(int n) {
  if (n < 0)
    return std::nullopt;
  if (n < 2)
    return n;
  std::optional<long> a = cilk_spawn optionals(n - 1);
  std::optional<long> b = optionals(n - 2);
  cilk_sync;
  if (!a || !b)
    return std::nullopt;
  return *a + *b;
}

// The child may write a struct that is passed in memory if no exception can leave the old value there.
// CHECK-LABEL: @_Z7vectorsi(
// CHECK-NOT: llvm.call
// CHECK: cilk.spawn @_Z7vectorsi(%
// CHECK-NOT: llvm.call
// CHECK: llvm.return
struct Vector {
  double x, y, z;
  Vector operator+(const Vector &other) const { return {x + other.x, y + other.y, z + other.z}; }
};
Vector vectors(int n) {
  if (n < 2)
    return {double(n), 1, 2};
  Vector a = cilk_spawn vectors(n - 1);
  Vector b = vectors(n - 2);
  cilk_sync;
  return a + b;
}

// The function may throw; then the variable keeps its value.
// CHECK-LABEL: @_Z8throwingi(
// CHECK: cilk.spawn @_Z8throwingi.spawn0(
int declared(int n);
Vector throwing(int n) {
  if (n < 2)
    return {double(declared(n)), 1, 2};
  Vector a = cilk_spawn throwing(n - 1);
  Vector b = throwing(n - 2);
  cilk_sync;
  return a + b;
}

namespace {
class Counter {
public:
  explicit Counter(int count) : count(count) {}
  Counter operator+(const Counter &other) const { return Counter(sum(count, other.count)); }
  int get() const { return count; }

private:
  static int sum(int a, int b) { return a + b; }
  int count;
};
} // namespace

// CHECK-LABEL: @_Z8countersi(
// CHECK-NOT: llvm.call
// CHECK: llvm.return
int counters(int n) {
  if (n < 2)
    return Counter(n).get();
  int a = cilk_spawn counters(n - 1);
  int b = counters(n - 2);
  cilk_sync;
  return (Counter(a) + Counter(b)).get();
}

static int loop(int n) {
  int x = 1;
  while (n % ++x)
    ;
  return x;
}
static int around(int n) { return n < 2 ? n : around(n / 2) + 1; }
static int outer(int n) { return around(n) + 1; }
[[gnu::noinline]] static int apart(int n) { return n + 1; }
static int longer(int n) {
  n = n * 31 ^ n >> 3, n = n * 33 ^ n >> 4, n = n * 35 ^ n >> 5, n = n * 37 ^ n >> 6, n = n * 39 ^ n >> 7;
  n = n * 31 ^ n >> 3, n = n * 33 ^ n >> 4, n = n * 35 ^ n >> 5, n = n * 37 ^ n >> 6, n = n * 39 ^ n >> 7;
  return n * 31 ^ n >> 3 ^ n << 2 ^ n * 7 ^ n / 3;
}
static int passesOn(int n) { return declared(n) + 1; }

static int child(int n) { return n + 1; }

// CHECK-LABEL: @_Z6otherni(
// CHECK: llvm.call @_ZL4loopi(
// CHECK: llvm.call @_ZL5outeri(
// CHECK: llvm.call @_ZL5aparti(
// CHECK: llvm.call @_ZL6longeri(
// CHECK: llvm.call @_ZL8passesOni(
// CHECK: cilk.spawn @{{.*}}child
// CHECK: llvm.return
int othern(int n) {
  int sum = loop(n) + outer(n) + apart(n) + longer(n) + passesOn(n);
  int x = cilk_spawn child(n);
  cilk_sync;
  return sum + x;
}

#ifdef MAIN
int declared(int n) { return n; }
int main() {
  std::pair<long, long> p = pairs(20);
  std::printf("%ld %ld\n", p.first, p.second);
  std::tuple<long, long> t = tuples(20);
  std::printf("%ld %ld\n", std::get<0>(t), std::get<1>(t));
  std::complex<double> c = complexes(20);
  std::printf("%g %g\n", c.real(), c.imag());
  std::printf("%ld\n", *optionals(20));
  std::printf("%d\n", counters(20) + 0 * othern(3));
  Vector v = vectors(20);
  std::printf("%g %g %g\n", v.x, v.y, v.z);
}
#endif
