// Prints the calls of hooks in their order, indented by the parts that are open. Checks that ends fit to beginnings.
#include <cilk2gpu/abi/StrandHooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum Kind { Function, Child, Loop };
static struct Part {
  enum Kind kind;
  const Cilk2gpuSite *site;
} parts[1000];
static uint32_t numParts;

static void show(const char *what, const Cilk2gpuSite *site) {
  printf("%*s%s %s:%u", (int)(2 * numParts), "", what, site->function, site->line);
  printf(site->callee[0] ? " %s\n" : "\n", site->callee);
}

static void push(enum Kind kind, const Cilk2gpuSite *site) { parts[numParts++] = (struct Part){kind, site}; }

static void pop(enum Kind kind) {
  if (!numParts || parts[--numParts].kind != kind) {
    printf("a hook ends a part of another kind\n");
    exit(1);
  }
}

uint32_t __cilk2gpu_strand_enter(const Cilk2gpuSite *site) {
  const char *file = strrchr(site->file, '/');
  if (!numParts)
    printf("file %s\n", file ? file + 1 : site->file);
  show("enter", site);
  push(Function, site);
  return numParts;
}

void __cilk2gpu_strand_leave(uint32_t function) {
  numParts = function;
  pop(Function);
  printf("%*sleave %s\n", (int)(2 * numParts), "", parts[numParts].site->function);
}

void __cilk2gpu_strand_unwind(uint32_t function, uint32_t loops) {
  uint32_t end = function;
  for (; loops && end < numParts; ++end)
    loops -= parts[end].kind == Loop;
  numParts = end;
  printf("%*sunwind %s\n", (int)(2 * numParts), "", parts[function - 1].site->function);
}

void __cilk2gpu_strand_spawn(const Cilk2gpuSite *site) {
  show("spawn", site);
  push(Child, site);
}

void __cilk2gpu_strand_return(void) {
  pop(Child);
  printf("%*sreturn\n", (int)(2 * numParts), "");
}

void __cilk2gpu_strand_sync(const Cilk2gpuSite *site) { show("sync", site); }

void __cilk2gpu_strand_loop(const Cilk2gpuSite *site, uint64_t trips) {
  show("loop", site);
  push(Loop, site);
  printf("%*strips %llu\n", (int)(2 * numParts), "", (unsigned long long)trips);
}

void __cilk2gpu_strand_iteration(uint64_t index) {
  printf("%*siteration %llu\n", (int)(2 * numParts), "", (unsigned long long)index);
}

void __cilk2gpu_strand_loop_end(void) {
  pop(Loop);
  printf("%*send of loop\n", (int)(2 * numParts), "");
}
