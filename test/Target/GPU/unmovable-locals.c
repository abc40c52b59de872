// Tests that the host makes no calls that may see an array of variable size, because it cannot move to the host's memory. Each
// such call has a message at its line that names the array's line; other calls have none.
// DEFINE: %{arch} = sm_90
// DEFINE: %{run} = not %cilk2gpu -O2 --offload-arch=%{arch} %s -o %t 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %{run}
// REDEFINE: %{arch} = gfx90a
// RUN: %{run}
#include <cilk/cilk.h>
#include <stdio.h>

long *shown;
void look(void);
long sum(const long *numbers, long n);
void report(void);

// Runs while an array is in use.
__attribute__((noinline)) static void later(void) {
  // CHECK-DAG: unmovable-locals.c:[[#@LINE+1]]:3: error: a task on a GPU calls 'look' on the host, which cannot see the array of variable size in line {{[0-9]+}}; give the array a constant size, or allocate it
  look();
}

__attribute__((noinline)) static long work(long n) {
  // CHECK-DAG: in line [[#@LINE+1]]; give
  long numbers[n + 1];
  for (long i = 0; i <= n; ++i)
    numbers[i] = i * i;
  shown = numbers;
  later();
  // CHECK-DAG: unmovable-locals.c:[[#@LINE+1]]:10: error: a task on a GPU calls 'sum' on the host, which cannot see the array
  return sum(numbers, n);
}

long task(long n) {
  report(); // before the array exists
  printf("%ld\n", n);
  if (n < 2)
    return n;
  long a = cilk_spawn task(n - 1);
  long b = work(n);
  cilk_sync;
  return a + b;
}

// CHECK: linker command failed
int main(void) { return task(3) != 5; }
