// Tests that a program without Cilk gives the object file, byte for byte, that clang gives without the plugin.
// RUN: %clang -c %s -O0 -o %t.a.o && %clang -fplugin=%plugin -c %s -O0 -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O2 -o %t.a.o && %clang -fplugin=%plugin -c %s -O2 -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O2 -g -o %t.a.o && %clang -fplugin=%plugin -c %s -O2 -g -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O0 -g3 -gdwarf-5 -fdebug-macro -o %t.a.o && %clang -fplugin=%plugin -c %s -O0 -g3 -gdwarf-5 -fdebug-macro -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O1 -fsanitize=undefined,address -o %t.a.o && %clang -fplugin=%plugin -c %s -O1 -fsanitize=undefined,address -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O2 -fprofile-instr-generate -fcoverage-mapping -o %t.a.o && %clang -fplugin=%plugin -c %s -O2 -fprofile-instr-generate -fcoverage-mapping -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O2 -flto -o %t.a.o && %clang -fplugin=%plugin -c %s -O2 -flto -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clang -c %s -O2 -w -o %t.a.o && %clang -fplugin=%plugin -fplugin-arg-cilk2gpu-dialect=mit -c %s -O2 -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clangxx -x c++ -c %s -O2 -g -o %t.a.o && %clangxx -x c++ -fplugin=%plugin -c %s -O2 -g -o %t.b.o && cmp %t.a.o %t.b.o
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cilk_spawn in a comment is no keyword, nor is "cilk_sync" in a literal. */
struct S {
  int count[10];
  double weight;
};
static struct S step(struct S s, int i) {
  s.count[i % 10] += i;
  s.weight *= i;
  return s;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
  int n = argc * 100;
  int *v = (int *)malloc(n * sizeof *v);
  for (int i = 0; i < n; ++i)
    v[i] = rand();
  qsort(v, n, sizeof *v, compare);
  struct S s = {{0}, 1.0};
  for (int i = 0; i < n; ++i)
    s = step(s, v[i]);
  __extension__ long long result = __extension__ s.count[3];
  printf("%s %lld %d %s\n", argv[0], result, (int)getpid(), "cilk_sync");
  free(v);
  return 0;
}
