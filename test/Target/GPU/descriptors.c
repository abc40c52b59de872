// Tests kernels' descriptors in code objects: wave size, arguments, and memory for lanes' stacks where tasks need it.
// DEFINE: %{arch} = gfx90a
// DEFINE: %{wave} = WAVE64
// DEFINE: %{run} = %cilk2gpu -O2 -fno-cilk-combine --emit=hsaco --offload-arch=%{arch} %s -o %t.co && \
// DEFINE:   llvm-objdump -d -j .rodata %t.co > %t.kd && FileCheck %s --check-prefixes=TREE,%{wave} < %t.kd && \
// DEFINE:   FileCheck %s --check-prefix=ARRAY < %t.kd && FileCheck %s --check-prefix=RECURSION < %t.kd
// RUN: %{run}
// REDEFINE: %{arch} = gfx942
// RUN: %{run}
// REDEFINE: %{wave} = WAVE32
// REDEFINE: %{arch} = gfx1100
// RUN: %{run}
// REDEFINE: %{arch} = gfx1201
// RUN: %{run}
#include <cilk/cilk.h>

// A pointer to the wave, and the 256 bytes that the driver adds: block counts and sizes.
// TREE-LABEL: .amdhsa_kernel __cilk2gpu_{{.*}}_tree_k0{{$}}
// TREE-NEXT: .amdhsa_group_segment_fixed_size 0
// TREE-NEXT: .amdhsa_private_segment_fixed_size 0
// TREE-NEXT: .amdhsa_kernarg_size 264
// WAVE64-NOT: .amdhsa_wavefront_size32 1
// WAVE32: .amdhsa_wavefront_size32 1
// TREE: .amdhsa_uses_dynamic_stack 0
int tree(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn tree(n - 1);
  int y = cilk_spawn tree(n - 2);
  cilk_sync;
  return x + y;
}

// A local array that registers cannot hold.
// ARRAY-LABEL: .amdhsa_kernel __cilk2gpu_{{.*}}_sieve_k0{{$}}
// ARRAY: .amdhsa_private_segment_fixed_size {{[1-9]}}
// ARRAY: .amdhsa_uses_dynamic_stack 0
// ARRAY: .end_amdhsa_kernel
void sieve(int n, int *result) {
  if (n > 4) {
    cilk_spawn sieve(n / 2, result);
    cilk_spawn sieve(n / 2, result + n / 2);
    return;
  }
  int composite[1024] = {0};
  for (int i = 2; i < 1024; ++i)
    for (int k = 2 * i; k < 1024; k += i)
      composite[k] += n;
  for (int i = 0; i < n; ++i)
    result[i] = composite[result[i] & 1023];
}

// Ordinary recursion in a task: it may use the stack that the driver gives each lane.
// RECURSION-LABEL: .amdhsa_kernel __cilk2gpu_{{.*}}_walk_k0{{$}}
// RECURSION: .amdhsa_uses_dynamic_stack 1
// RECURSION: .end_amdhsa_kernel
struct Node {
  struct Node *left, *right;
  long value;
};

static __attribute__((noinline)) long sum(const struct Node *node) {
  return node ? sum(node->left) * 3 + sum(node->right) + node->value : 0;
}

void walk(struct Node **trees, long *sums, int n) {
  if (n == 1) {
    *sums = sum(*trees);
    return;
  }
  cilk_spawn walk(trees, sums, n / 2);
  cilk_spawn walk(trees + n / 2, sums + n / 2, n - n / 2);
}
