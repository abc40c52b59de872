// Tests kernels whose work is on runs of neighbouring elements in straight-line code, where a single lane can use vectors of its
// own. They run one lane at a time. A few fields of a structure are no such run.
// RUN: %cilk2gpu -O2 -fcilk-vector-isa=avx512 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cilk/cilk.h>

#define BUTTERFLY(i, j, scale)                                                                                         \
  {                                                                                                                    \
    float sum = in[i] + in[j], difference = in[i] - in[j];                                                             \
    out[i] = sum * scale;                                                                                              \
    out[j] = difference * scale + sum;                                                                                 \
  }

// CHECK: kernel 'transform.k0' runs lane by lane: most of its work has no vector form
void transform(long n, const float *restrict in, float *restrict out) {
  if (n == 8) {
    BUTTERFLY(0, 4, 1.5f)
    BUTTERFLY(1, 5, 2.5f)
    BUTTERFLY(2, 6, 3.5f)
    BUTTERFLY(3, 7, 4.5f)
    return;
  }
  cilk_spawn transform(n / 2, in, out);
  cilk_spawn transform(n / 2, in + n / 2, out + n / 2);
  cilk_sync;
}

struct point {
  float x, y, z, weight;
};

// CHECK: kernel 'move.k0' runs {{[0-9]+}} lanes at once
void move(long n, struct point *p) {
  if (n == 1) {
    float x = p->x, y = p->y, z = p->z;
    p->weight = (x * y + z) * (y * z + x) + (z * x + y) * (x - y) + (y - z) * (z - x) + x * x * 0.5f + y * y * 0.25f;
    return;
  }
  cilk_spawn move(n / 2, p);
  cilk_spawn move(n / 2, p + n / 2);
  cilk_sync;
}
