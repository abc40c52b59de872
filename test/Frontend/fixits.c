// Tests that programs compile after the fix-its. Fix-its are for spawns in a return, in a compound assignment or before an
// expression that is no call, and for a sync with a colon.
// RUN: not %clang -fsyntax-only -fdiagnostics-parseable-fixits -fplugin=%plugin %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && not %clang -fsyntax-only -Xclang -fixit -fplugin=%plugin %t.c
// RUN: %clang -fsyntax-only -Wall -Werror -fplugin=%plugin %t.c
int f(int);
#define RETURN return cilk_spawn
int returned(int n) {
  int x = 0;
  cilk_spawn f(n);
  // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:8-[[#@LINE+1]]:19}:""
  x *= cilk_spawn f(n);
  // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:10-[[#@LINE+1]]:23}:""
  return cilk_spawn   (f)(n) + x;
}
int labelled(int n) {
  cilk_spawn f(n);
  // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:12-[[#@LINE+1]]:13}:";"
  cilk_sync:
  return n;
}
void before(int n, double *d) {
  // CHECK: fix-it:"{{.*}}":{[[#@LINE+2]]:14-[[#@LINE+2]]:25}:""
  // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:33-[[#@LINE+1]]:33}:"cilk_spawn "
  d[n + 1] = cilk_spawn (double)f(n);
}
