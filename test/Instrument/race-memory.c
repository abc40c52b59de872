// Tests that memory with a new use has no accesses of its old use, and that a signal's stack is no part of the stack.
// RUN: %cilk2gpu -fsanitize=cilk -O0 %s -o %t && not %t 2>&1 | FileCheck %s
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t && not %t 2>&1 | FileCheck %s
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kPage = 4096, kPages = 16 };
static int results[8];

__attribute__((noinline)) static void use(volatile char *memory, int i) {
  memory[10] = (char)i;
  results[i] = memory[10];
}

static void map(int i) {
  const int kAccess = PROT_READ | PROT_WRITE, kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
  char *memory = mmap(NULL, kPage, kAccess, kFlags, -1, 0);
  use(memory, i);
  memory = mremap(memory, kPage, kPages * kPage, MREMAP_MAYMOVE);
  use(memory + (kPages - 1) * kPage, i);
  munmap(memory, kPages * kPage);
}

static void allocate(int i) {
  char *aligned = valloc(kPage), *pages = pvalloc(kPage);
  use(aligned, i);
  use(pages, i);
  free(aligned);
  free(pages);
}

static void handle(int number) {
  char locals[16];
  use(locals, number % 8);
}

__attribute__((noinline)) static void set(volatile int *to, int i) { *to = i; }

// The next child's end forgets what its frames have accessed. The block is not between these frames.
static void handleBesideChild(int *shared) {
  const size_t kSize = 1 << 16;
  stack_t stack = {.ss_sp = malloc(kSize), .ss_size = kSize};
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &action, NULL);
  cilk_spawn set(shared, 1);
  raise(SIGUSR1);
  cilk_spawn use((char[16]){0}, 1);
  set(shared, 2);
  cilk_sync;
}

int main(void) {
  int *shared = malloc(sizeof *shared);
  for (int i = 0; i < 8; ++i)
    cilk_spawn map(i);
  cilk_sync;
  cilk_for (int i = 0; i < 8; ++i)
    allocate(i);
  handleBesideChild(shared);
  printf("%d\n", *shared);
}
// CHECK: a write of *to in set
// CHECK: 1 data race{{$}}
