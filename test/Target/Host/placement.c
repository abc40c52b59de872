// Tests that large arrays from malloc start at cache lines in a unit with Cilk at -O2. If a program has its own malloc
// and free, all arrays come from it. Blocks that are freed and allocated again take no new memory.
// RUN: %cilk2gpu -O2 --emit=llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %cilk2gpu -Os --emit=llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -fno-builtin-malloc --emit=llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 %s -o %t && %t | FileCheck %s --check-prefix=PLACED
// RUN: %cilk2gpu -O2 -static %s -o %t && %t | FileCheck %s --check-prefix=PLACED
// RUN: %cilk2gpu -O2 -fno-pie -no-pie %s -o %t && %t | FileCheck %s --check-prefix=PLACED
// RUN: %cilk2gpu -O2 -fsanitize=address %s -o %t && env ASAN_OPTIONS=allocator_may_return_null=1 %t | FileCheck %s --check-prefix=ASAN
// RUN: %cilk2gpu -O2 -DOWN -c %s -o %t.o && %clang -O2 -DALLOCATOR -c %s -o %t.own.o
// RUN: %cilk2gpu %t.o %t.own.o -o %t && %t | FileCheck %s --check-prefix=OWN
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef ALLOCATOR
int taken, given;
static _Alignas(64) char memory[1 << 24], *next = memory + 16;
void *malloc(size_t bytes) {
  ++taken;
  char *block = next;
  next += (bytes + 31) & ~(size_t)15;
  return next > memory + sizeof memory ? 0 : block;
}
void free(void *block) {
  if (block && ((char *)block < memory || (char *)block >= next))
    _exit(9);
  ++given;
}
void *calloc(size_t n, size_t bytes) { return malloc(n * bytes); }
void *realloc(void *block, size_t bytes) { return block ? 0 : malloc(bytes); }
#else

#include <cilk/cilk.h>
extern int taken, given;

// IR-LABEL: define {{.*}}@array(
// IR: call {{.*}}@__cilk2gpu_malloc(
// PLAIN-NOT: __cilk2gpu_malloc
__attribute__((noinline)) char *array(size_t bytes) { return malloc(bytes); }

// A block that is known to be small stays with malloc.
// IR-LABEL: define {{.*}}@small(
// IR: call {{.*}}@malloc(
__attribute__((noinline)) char *small(void) { return malloc(100); }

static long fill(size_t bytes) {
  if (bytes < 5000)
    return 0;
  char *block = array(bytes);
  long a = cilk_spawn fill(bytes / 2);
  long b = cilk_spawn fill(bytes - 4096);
  cilk_sync;
  block[bytes - 1] = 1;
  long off = (uintptr_t)block % 64 != 0;
  free(block);
  return a + b + off;
}

// Growth of the heap while blocks come and go, each followed by a block that stays and fits into no other's memory.
enum { Blocks = 8, Comes = 90112, Stays = 92000 };
static char *volatile kept[Blocks];
static size_t growth(void) {
  size_t before = mallinfo2().arena;
  for (int i = 0; i < Blocks; ++i) {
    char *block = array(Comes);
    kept[i] = malloc(Stays);
    free(block);
  }
  return mallinfo2().arena - before;
}

int main(void) {
#ifdef OWN
  int before = given;
  fill(30000);
  printf("own allocator: %s, %s\n", taken >= 14 ? "asked" : "not asked", given - before >= 14 ? "given back" : "kept");
#else
  printf("blocks that come and go: %s\n", growth() < Blocks * (Stays + Comes / 2) ? "the same" : "new ones");
  free(small());
  printf("not at cache lines: %ld\n", fill(30000));
  volatile size_t most = SIZE_MAX / 4;
  printf("too much: %s\n", array(most) ? "had" : "refused");
#endif
}
#endif
// PLACED: blocks that come and go: the same
// PLACED: not at cache lines: 0
// PLACED: too much: refused
// ASAN: not at cache lines
// OWN: own allocator: asked, given back
