// Tests that kernels fetch data that later lanes will load through pointers of their elements: in vectors for the next block,
// lane by lane some lanes ahead. They do not prefetch through a pointer to the start of an array. They may prefetch
// through null pointers.
// RUN: cilk2gpu -O2 -fcilk-vector-isa=avx512 --emit=llvm %s -o - | FileCheck %s
// RUN: cilk2gpu -O2 -fcilk-lanes=scalar --emit=llvm %s -o - | FileCheck %s --check-prefix=SCALAR
// RUN: cilk2gpu -O2 %s -o %t
// RUN: %t | FileCheck %s --check-prefix=PRINTS
// RUN: env CILK2GPU_WAVE=3 CILK2GPU_WIDTH=70 %t | FileCheck %s --check-prefix=PRINTS
// RUN: env CILK2GPU_KERNELS=scalar CILK2GPU_WIDTH=1 %t | FileCheck %s --check-prefix=PRINTS
// RUN: cilk2gpu -O2 -fserial-elision %s -o %t.serial && %t.serial | FileCheck %s --check-prefix=PRINTS
// PRINTS: 14 11626038 406
// CHECK-LABEL: define internal void @height.k0.simd.avx512(
// CHECK-COUNT-32: call void @llvm.prefetch
// SCALAR-LABEL: define internal void @total.k0(
// SCALAR-NOT: @llvm.prefetch
// SCALAR-LABEL: define internal void @sum.k0(
// SCALAR: call {{.*}}@llvm.umin.i64
// SCALAR: call void @llvm.prefetch
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *left, *right;
  long value;
} Node;

static Node *build(int depth, long value) {
  if (depth <= 0)
    return NULL;
  Node *node = malloc(sizeof(Node));
  node->value = value;
  node->left = build(depth - 1, 2 * value);
  node->right = build(depth - 1 - value % 2, 2 * value + 1);
  return node;
}

static int height(Node *node) {
  if (!node)
    return 0;
  int left = cilk_spawn height(node->left);
  int right = cilk_spawn height(node->right);
  cilk_sync;
  return (left > right ? left : right) + 1;
}

static double sum(Node *node) {
  if (!node)
    return 0;
  double left = cilk_spawn sum(node->left);
  double right = cilk_spawn sum(node->right);
  cilk_sync;
  return left + right + node->value;
}

static double total(double *values, int first, int count) {
  if (count == 1)
    return values[first];
  double left = cilk_spawn total(values, first, count / 2);
  double right = cilk_spawn total(values, first + count / 2, count - count / 2);
  cilk_sync;
  return left + right;
}

int main(void) {
  double values[29];
  for (int i = 0; i < 29; ++i)
    values[i] = i;
  Node *root = build(14, 1);
  printf("%d %.0f %.0f\n", height(root), sum(root), total(values, 0, 29));
}
