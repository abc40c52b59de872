// Tests that tasks do not run together if one might wait for another, or see data that another has left in its thread.
// RUN: cilk2gpu++ -O2 -Rpass=cilk %s -o %t 2>&1 | FileCheck %s
// RUN: cilk2gpu++ -O2 -fserial-elision %s -o %t.elision && %t.elision > %t.txt && %t | diff - %t.txt
#include <cilk/cilk.h>
#include <stdio.h>

// A lane that initialises a static variable would have to continue before others can.
struct Table {
  int values[64];
  Table() noexcept {
    for (int i = 0, x = 1; i < 64; ++i)
      values[i] = x = x * 5 % 1009 + i;
  }
};
static int look(int i) {
  static Table table;
  return table.values[i & 63];
}
// CHECK-DAG: warning: kernel '{{.*}}guarded{{.*}}.acc.k0' runs lane by lane although its function's attribute asks for vectors: it calls '__cxa_guard_acquire', which may wait for other tasks [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] static long guarded(int n, unsigned s) {
  if (!n)
    return look(s);
  long a = cilk_spawn guarded(n - 1, s * 3 + 1), b = cilk_spawn guarded(n - 1, s * 5 + 2);
  cilk_sync;
  return a + b;
}

// A stream is locked in one call, and unlocked in another.
// CHECK-DAG: warning: kernel '{{.*}}locks{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: it calls 'flockfile', which may wait for other tasks [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] static void locks(FILE *stream, int n, int *out) {
  if (n) {
    cilk_spawn locks(stream, n - 1, out);
    cilk_sync;
  }
  flockfile(stream);
  out[n] = fileno(stream);
  funlockfile(stream);
}

// A cycle that is entered in two places.
// CHECK-DAG: warning: kernel '{{.*}}spins{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: a loop in it may wait for an atomic of another task [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] static void spins(int *flags, int i, int c) {
  if (i) {
    if (c & i)
      goto middle;
  top:
    c++;
  middle:
    if (!__atomic_load_n(&flags[i - 1], __ATOMIC_ACQUIRE))
      goto top;
  }
  __atomic_store_n(&flags[i], 1, __ATOMIC_RELEASE);
}
static int spin_all(int *flags) {
  for (int i = 0; i < 32; ++i)
    cilk_spawn spins(flags, i, 5);
  cilk_sync;
  return flags[31];
}

// Each thread has one of these arrays, and a function that is not inlined returns it.
__attribute__((noinline)) static int *scratch() {
  static thread_local int number[4];
  return number;
}
// CHECK-DAG: warning: kernel '{{.*}}scratches{{.*}}.acc.k0' runs lane by lane although its function's attribute asks for vectors: it calls '{{.*}}scratch{{.*}}', which uses thread-local variables{{.*}} [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] static long scratches(int n, unsigned s) {
  if (!n) {
    *scratch() = s & 1023;
    long t = 0;
    for (unsigned i = 0; i < (s & 7); ++i)
      t += i * s;
    return t + *scratch();
  }
  long a = cilk_spawn scratches(n - 1, s * 3 + 1), b = cilk_spawn scratches(n - 1, s * 5 + 2);
  cilk_sync;
  return a + b;
}

// A vector of these arrays would fill the stack.
// CHECK-DAG: warning: kernel '{{.*}}shuffles{{.*}}.acc.k0' runs lane by lane although its function's attribute asks for vectors: its local variables take 262144 bytes, which is too much of a stack for {{[0-9]+}} lanes at once [-Wpass-failed]
static long shuffle(unsigned s) {
  unsigned numbers[1 << 16];
  for (unsigned &number : numbers)
    number = s = s * 1664525u + 1013904223u;
  long t = 0;
  for (int i = 0; i < 100; ++i)
    t += s = numbers[s >> 16];
  return t;
}
[[cilk2gpu::lanes("simd")]] static long shuffles(int n, unsigned s) {
  if (!n)
    return shuffle(s);
  long a = cilk_spawn shuffles(n - 1, s * 3 + 1), b = cilk_spawn shuffles(n - 1, s * 5 + 2);
  cilk_sync;
  return a + b;
}

// A format may print errno's text. Only %m does, and an unknown format may contain it.
// CHECK-DAG: warning: kernel '{{.*}}opens{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: it looks at errno, which lanes that run together share [-Wpass-failed]
static char why[200][40];
[[cilk2gpu::lanes("simd")]] static void opens(int first, int n) {
  if (n == 1) {
    FILE *file = fopen(first % 3 == 0 ? "/dev/null/x" : first % 3 == 1 ? "/nonexistent/y" : "/dev", "w");
    if (!file)
      snprintf(why[first], sizeof why[first], "%-9.30m", 0);
    return;
  }
  cilk_spawn opens(first, n / 2);
  cilk_spawn opens(first + n / 2, n - n / 2);
  cilk_sync;
}
// CHECK-DAG: warning: kernel '{{.*}}writes{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: it looks at errno, which lanes that run together share [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] static void writes(const char *format, int n) {
  if (n == 0)
    return;
  snprintf(why[n], sizeof why[n], format, n);
  cilk_spawn writes(format, n - 1);
  cilk_sync;
}
// CHECK-DAG: remark: kernel '{{.*}}numbers{{.*}}.k0' runs {{[0-9]+}} lanes at once with
[[cilk2gpu::lanes("simd")]] static void numbers(int first, int n) {
  if (n == 1) {
    snprintf(why[first], sizeof why[first], "%5.1f m%%m %#lx", first * 0.5, (long)first);
    return;
  }
  cilk_spawn numbers(first, n / 2);
  cilk_spawn numbers(first + n / 2, n - n / 2);
  cilk_sync;
}
static void print(const char *what) {
  unsigned hash = 0;
  for (auto &line : why)
    for (char *p = line; *p; ++p)
      hash = hash * 31 + *p;
  printf("%s %u %s|%s|%s\n", what, hash, why[0], why[1], why[2]);
}

int main() {
  opens(0, 200);
  print("opens");
  writes("%d", 150);
  print("writes");
  numbers(0, 200);
  print("numbers");
  int flags[32] = {}, out[9] = {};
  locks(stdout, 8, out);
  printf("%ld %d %d %ld %ld\n", guarded(8, 1), out[3], spin_all(flags), scratches(8, 1), shuffles(8, 1));
}
