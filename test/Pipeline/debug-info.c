// Tests that debug information is well formed for all functions that are made of a function: segments, restarts, elisions, loops,
// wrappers.
// RUN: %cilk2gpu -g -O0 -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %cilk2gpu -g -O2 -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %cilk2gpuxx -g -O2 -x c++ -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %cilk2gpu -gdwarf-4 -O2 -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: cilk2gpu -g -O2 --emit=llvm %s -o - | FileCheck %s --check-prefix=LOOP
// RUN: cilk2gpu++ -g -O2 --emit=llvm -x c++ %s -o - | FileCheck %s --check-prefix=BODY
// CHECK: No errors.
// Iterations are inlined into a task of their own, which has lines, too.
// LOOP: define internal {{.*}}@{{.*tree.*}}.for0.k0({{.*}} !dbg [[LOOP:![0-9]+]]
// LOOP: [[LOOP]] = distinct !DISubprogram(name: "tree.for0",{{.*}} line: [[#LINE:]]
// LOOP: !DILocation(line: [[#LINE+2]],
// BODY: define internal {{.*}}@{{.*tree.*}}.for0.loop({{.*}} !dbg [[IN:![0-9]+]]
// BODY: [[IN]] = distinct !DISubprogram(name: "tree.for0",{{.*}} line: [[#]]
int leaf(int);

#ifdef __cplusplus
struct Own {
  int number;
  ~Own() { leaf(number); }
};
#else
struct Own {
  int number;
};
#endif

long tree(int n, int (*pointer)(int)) {
  struct Own own = {n};
  double converted;
  long out[10];
  if (n < 2)
    return leaf(n);
  char *storage = (char *)__builtin_alloca(n);
  cilk_for (int i = 0; i < 10; ++i) {
    int twice = 2 * i;
    out[i] = leaf(twice) + storage[i];
  }
  converted = cilk_spawn leaf(n);
  int x = cilk_spawn pointer(n);
  long y = tree(n - 2, pointer);
  cilk_sync;
  return x + y + (long)converted + own.number + out[3];
}
