// Tests remarks. They stand at the line of the function, or of the loop for tasks of a loop, and name functions as the
// program does. They are correct for each function. They appear once, at every level of optimisation, also in records,
// and follow the patterns of -Rpass.
// RUN: cilk2gpu++ -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=_Z
// RUN: cilk2gpu++ -O2 -Rpass=nothing -Rpass-missed='c.lk' -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not='[-Rpass=cilk]'
// RUN: cilk2gpu++ -O0 -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: cilk2gpu++ -Os -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: cilk2gpu++ -O2 -fcilk-lanes=scalar -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: cilk2gpu++ -O0 -fcilk-lanes=scalar -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: cilk2gpu++ -O2 -fcilk-vector-isa=none -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cilk2gpu++ -O2 -c %s -o /dev/null 2>&1 | count 0
// RUN: cilk2gpu++ -O2 -c %s -o %t.o -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=cilk
// RUN: FileCheck %s --check-prefix=RECORD < %t.yaml
// Remarks of LLVM's passes on the many forms of one loop also come once, at the loop.
// RUN: cilk2gpu++ -O2 -Rpass=. -Rpass-missed=. -Rpass-analysis=. -c %s -o /dev/null > %t.all 2>&1
// RUN: grep '^/.*: remark: .*vectoriz' %t.all > %t.lines && sort %t.lines | uniq -d | count 0
// RUN: FileCheck %s --check-prefix=LLVM < %t.lines
#include <cstdarg>
#include <cstdio>

int first(int a) { return a + 1; }

namespace geometry {
template <class T> void scale(T *to, const T *from, long n) {
  // CHECK-DAG: remarks.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: kernel 'geometry::scale<float>(float*, float const*, long).for0.k0' runs lane by lane: its iterations have no loops of their own and are left to LLVM's loop vectoriser
  // LEVEL-DAG: remarks.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: kernel 'geometry::scale<float>(float*, float const*, long).for0.k0' runs lane by lane: vectors are for -O2 and -O3, or -fcilk-lanes=simd [-Rpass-missed=cilk]
  // LLVM: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: vectorized loop
  cilk_for (long i = 0; i < n; ++i)
    to[i] = from[i] * T(2);
}
} // namespace geometry

static long steps(long n) {
  long count = 0;
  for (; n != 1; ++count)
    n = n & 1 ? 3 * n + 1 : n / 2;
  return count;
}

// CHECK-DAG: remarks.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: results of 'fib(long)' are combined as they come, by sum [-Rpass=cilk]
// CHECK-DAG: remarks.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: calls of 'fib(long).acc' that return at once run where they are spawned
// CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'fib(long).acc.k0' runs 32 lanes at once
long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
// LEVEL-DAG: remark: kernel 'fib(long).k1' runs lane by lane: vectors are for -O2 and -O3, or -fcilk-lanes=simd [-Rpass-missed=cilk]
// SCALAR-DAG: remark: kernel 'fib(long).k1' runs lane by lane: -fcilk-lanes=scalar says so [-Rpass-missed=cilk]
// NONE-DAG: remark: kernel 'fib(long).k1' runs lane by lane: -fcilk-vector-isa leaves no vectors for its target [-Rpass-missed=cilk]

// RECORD: --- !Missed
// RECORD: Pass: {{ *}}cilk
// RECORD: Function: {{ *}}_Z5countPlS_i
// MISSED-DAG: kernel 'count(long*, long*, int).k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
void count(long *out, long *table, int n) {
  // CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'count(long*, long*, int).for{{[0-9]}}.k0' runs 32 lanes at once
  cilk_for (int i = 0; i < n; ++i)
    out[i] = steps(i + 1);
  // CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'count(long*, long*, int).for{{[0-9]}}.k0' runs lane by lane: most of its work has no vector form: memory that each lane has at a place of its own
  cilk_for (int i = 0; i < n; ++i)
    for (long k = i; k != 0; k = table[k])
      out[table[k]] = table[table[k + 1]];
  // CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'count(long*, long*, int).for{{[0-9]}}.k0' runs lane by lane: LLVM's loop vectoriser can take its inner loops
  cilk_for (int i = 0; i < n; ++i) {
    long *row = out + i * n;
    for (int k = 0; k < n; ++k)
      row[k] = row[k] * 31 + 5;
  }
  // CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'count(long*, long*, int).for{{[0-9]}}.k0' runs lane by lane: each of its tasks runs one iteration of a cilk_for, which has no loop
  cilk_for (int i = 0; i < n; ++i)
    out[i] += fib(i);
}

// An unknown format may have %m.
static void log(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
// CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'logged(int).k0' runs lane by lane: it calls 'log(char const*, ...)', which may look at errno: lanes that run together share it
void logged(int n) {
  log("%d\n", n);
  if (n > 0)
    cilk_spawn logged(n - 1);
}

template void geometry::scale(float *, const float *, long);

int main() {
  long out[100], table[101] = {};
  // CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: kernel 'main::$_0::operator()(int).for0.k0' runs lane by lane
  auto set = [&](int n) { cilk_for (int i = 0; i < n; ++i) out[i] = i; };
  set(100);
  count(out, table, 10);
  return (int)out[3] - first(1);
}
