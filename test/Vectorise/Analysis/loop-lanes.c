// Tests that iterations of a cilk_for with loops of their own run in vectors, each as often as needed. Loops that LLVM's
// vectoriser handles better, and loops that mostly access memory, run lane by lane. Results are the same.
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -march=x86-64-v4 --emit=llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %cilk2gpu -O2 -fserial-elision %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2gpu -O2 %s -o %t && %t > %t.actual && diff %t.expected %t.actual
// RUN: env CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t > %t.actual && diff %t.expected %t.actual
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd %s -o %t && %t > %t.actual && diff %t.expected %t.actual
#include <cilk/cilk.h>
#include <stdio.h>

enum { Count = 3000 };
static int steps[Count];
static float scaled[Count];
static double sums[Count];

// CHECK-DAG: kernel 'collatz.for0.k0' runs 32 lanes at once with AVX-512
// IR: define internal void @collatz.for0.k0.simd.avx512(
// IR-NOT: call {{.*}}@collatz.for0.body(
// IR: {{^}}}
__attribute__((noinline)) void collatz(long first) {
  cilk_for (int i = 0; i < Count; ++i) {
    long x = first + i;
    int n = 0;
    while (x > 1) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      ++n;
    }
    steps[i] = n;
  }
}

// CHECK-DAG: kernel 'scale.for0.k0' runs lane by lane: its iterations have no loops of their own and are left to LLVM's loop vectoriser
__attribute__((noinline)) void scale(float factor) {
  cilk_for (int i = 0; i < Count; ++i)
    scaled[i] = steps[i] * factor + 1;
}

// CHECK-DAG: kernel 'gather.for0.k0' runs lane by lane: most of its work has no vector form: memory that each lane has at a place of its own
__attribute__((noinline)) void gather(int stride) {
  cilk_for (int i = 0; i < Count; ++i) {
    double sum = 0;
    for (int k = i; k < Count; k += stride)
      sum += scaled[k] * steps[Count - 1 - k];
    sums[i] = sum;
  }
}

// All iterations look at one element of the table at a time, which is loaded once for all lanes.
// CHECK-DAG: kernel 'nearest.for0.k0' runs 32 lanes at once with AVX-512
// IR: define internal void @nearest.for0.k0.simd.avx512(
// IR: load float, ptr %{{.*}}, align 4
// IR: fcmp olt <32 x float>
__attribute__((noinline)) void nearest(const float *table, const float *points, int entries) {
  cilk_for (int i = 0; i < Count; ++i) {
    float best = 1e30f, point = points[i];
    for (int k = 0; k < entries; ++k) {
      float away = (table[k] - point) * (table[k] - point);
      best = away < best ? away : best;
    }
    scaled[i] = best;
  }
}

// The same through a pointer that is loaded once, as in a std::vector.
// CHECK-DAG: kernel 'farthest.for0.k0' runs 32 lanes at once with AVX-512
struct table {
  const float *values;
  long entries;
};
__attribute__((noinline)) void farthest(const struct table *table) {
  cilk_for (int i = 0; i < Count; ++i) {
    float best = 0;
    for (long k = 0; k < table->entries; ++k) {
      float away = table->values[k] - i * 0.1f;
      best = away * away > best ? away * away : best;
    }
    sums[i] += best;
  }
}

// A lane's own loop over consecutive memory runs one lane at a time: the next iteration of the cilk_for is a neighbour.
// CHECK-DAG: kernel 'filter.for0.k0' runs lane by lane: most of its work has no vector form
__attribute__((noinline)) void filter(const float *in, const float *weights, int taps) {
  cilk_for (int i = 0; i < Count - 64; ++i) {
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += in[i + k] * weights[k];
    scaled[i] = sum;
  }
}

// CHECK-DAG: kernel 'multiply.for0.k0' runs lane by lane: most of its work has no vector form
__attribute__((noinline)) void multiply(const double *a, const double *b, double *c, int n) {
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// The same, with separate memory for each row.
// CHECK-DAG: kernel 'multiplyRows.for0.k0' runs lane by lane: most of its work has no vector form
__attribute__((noinline)) void multiplyRows(double **a, double **b, double **c, int n) {
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

// An iteration that spawns is a task of its own, whose loops before that are the same.
// CHECK-DAG: kernel 'halve.for0.k0' runs 32 lanes at once with AVX-512
// CHECK-DAG: kernel 'halve.for0.k1' runs lane by lane: each of its tasks runs one iteration of a cilk_for, which has no loop
static void count(int *out, int n) {
  if (n > 1)
    cilk_spawn count(out, n / 2);
  else
    *out += 1;
  cilk_sync;
}
__attribute__((noinline)) void halve(unsigned rounds) {
  cilk_for (int i = 0; i < Count; ++i) {
    unsigned x = (unsigned)i;
    for (unsigned k = 0; k < rounds; ++k)
      x = (x ^ x << 13) * 2654435761u >> 1;
    steps[i] = (int)(x & 7);
    cilk_spawn count(&steps[i], (int)(x & 15));
  }
}

// CHECK-DAG: kernel 'products.for0.k0' runs lane by lane: most of its work has no vector form
__attribute__((noinline)) void products(const double *in, int n) {
  cilk_for (int i = 0; i < n * n; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum += in[i / n * n + k] * in[k * n + i % n];
    steps[i] = (int)sum & 255;
    cilk_spawn count(&steps[i], (int)sum & 15);
  }
}

enum { Rows = 40, Columns = 70 };
static unsigned long grid[Rows][Columns];

static unsigned long mix(unsigned long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
  return x ^ (x >> 31);
}

// Much computation for each element, but a row's elements are neighbours: LLVM's loop vectoriser stores them together.
// CHECK-DAG: kernel 'fill.for0.k0' runs lane by lane: LLVM's loop vectoriser can take its inner loops
__attribute__((noinline)) void fill(int columns) {
  cilk_for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < columns; ++j)
      grid[i][j] = mix(mix((unsigned long)(i * columns + j)));
}

// The same, but each element depends on the element before.
// CHECK-DAG: kernel 'chain.for0.k0' runs 32 lanes at once with AVX-512
__attribute__((noinline)) void chain(int columns) {
  cilk_for (int i = 0; i < Rows; ++i) {
    unsigned long last = (unsigned long)i;
    for (int j = 0; j < columns; ++j)
      grid[i][j] ^= last = mix(mix(mix(last)));
  }
}

int main(void) {
  fill(Columns);
  chain(Columns / 2);
  collatz(1);
  scale(0.5f);
  gather(7);
  static float table[50], points[Count];
  for (int i = 0; i < 50; ++i)
    table[i] = (float)(i * 37 % 50);
  for (int i = 0; i < Count; ++i)
    points[i] = (float)(i * 71 % 500) * 0.1f;
  nearest(table, points, 50);
  farthest(&(struct table){table, 50});
  static float copied[Count];
  for (int i = 0; i < Count; ++i)
    copied[i] = scaled[i];
  filter(copied, table, 50);
  double matrices[3][20 * 20], *rows[3][20];
  for (int i = 0; i < 400; ++i)
    matrices[0][i] = i % 7, matrices[1][i] = i % 5, rows[0][i % 20] = &matrices[0][i % 20 * 20],
    rows[1][i % 20] = &matrices[1][i % 20 * 20], rows[2][i % 20] = &matrices[2][i % 20 * 20];
  multiply(matrices[0], matrices[1], matrices[2], 20);
  sums[0] += matrices[2][33];
  multiplyRows(rows[0], rows[1], rows[2], 20);
  sums[0] += matrices[2][34];
  static int kept[Count];
  for (int i = 0; i < Count; ++i)
    kept[i] = steps[i];
  halve(50);
  for (int i = 0; i < Count; ++i)
    kept[i] += steps[i];
  products(matrices[0], 20);
  for (int i = 0; i < Count; ++i)
    steps[i] += kept[i];
  unsigned long check = 0;
  for (int i = 0; i < Count; ++i)
    check = check * 31 + (unsigned long)steps[i] + (unsigned long)(long)sums[i] + (unsigned long)(scaled[i] * 1000);
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      check = check * 31 + grid[i][j];
  printf("%lu\n", check);
}
