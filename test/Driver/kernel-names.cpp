// Tests that a kernel has one name everywhere: in the graph, in the IR, in remarks, in statistics, and as the symbol that
// perf and debuggers show. C++ names are demangled where people read them.
// RUN: %cilk2gpuxx -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: kernel 'deep::sum(long).k0' runs
// REMARK: kernel 'deep::sum(long).k1' runs
// RUN: %cilk2gpuxx -O2 --emit=graph %s | FileCheck %s --check-prefix=GRAPH
// GRAPH: label="deep::sum(long)\nlong deep::sum(long n)\nkernel-names.cpp:[[#@LINE+20]]"
// GRAPH: "_ZN4deep3sumEl.k0" [{{.*}}label="deep::sum(long).k0"];
// GRAPH: "_ZN4deep3sumEl.k1" [{{.*}}label="deep::sum(long).k1\ngoes on after line [[#@LINE+23]]"];
// GRAPH: label="deep::risky(long).k0"
// RUN: %cilk2gpuxx -O2 --emit=channel %s | FileCheck %s --check-prefix=IR
// IR: channel.kernel @_ZN4deep3sumEl.k0 segment 0 of
// RUN: %cilk2gpuxx -O2 %s -o %t
// RUN: %llvm_tools_dir/llvm-nm %t | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: _ZN4deep3sumEl.k0
// RUN: env CILK2GPU_STATS=%t.json %t
// RUN: FileCheck %s --check-prefix=STATS < %t.json
// STATS: "deep::sum(long)"
// STATS: "deep::sum(long).k0"
// STATS: "deep::sum(long).k1"
#include <cilk/cilk.h>
#include <cstdio>

namespace deep {
long twice(long n) { return 2 * n; }
void show(long n) noexcept { std::printf("%ld", n); }
__attribute__((noinline)) long sum(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn sum(n - 1);
  long b = sum(n - 2);
  cilk_sync;
  show(twice(a - a));
  return a + b;
}
long risky(long n) {
  if (n < 0)
    throw n;
  long a = cilk_spawn risky(n - 1);
  cilk_sync;
  return a + n;
}
} // namespace deep

int main() { return deep::sum(5) == 0; }
