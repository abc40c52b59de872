// Tests the warning about a variable that a spawned call can reach and whose scope surely ends before the sync.
// RUN: %clangxx -std=c++17 -fsyntax-only -Wno-vla-cxx-extension -fplugin=%plugin -Xclang -verify %s
// RUN: not %clangxx -std=c++17 -fsyntax-only -Wno-vla-cxx-extension -fdiagnostics-parseable-fixits -Werror=unsequenced -fplugin=%plugin %s 2>&1 | FileCheck %s
int f(int *);
int byReference(const int &);
int byValue(int);
struct Point { int x, y; int member(int); };
int copy(Point);
template <class F> void call(F &&f, int n) { f(n); }

void warned(int n) {
  while (n--) {
    int local = n;
    cilk_spawn f(&local); // expected-warning {{a variable that a spawned call can reach must live until the next sync, but the scope of 'local' ends before; declare it in the block around, or write 'cilk_sync;' where the scope ends}}
// CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:3-[[#@LINE+1]]:3}:"cilk_sync; "
  } // expected-note {{the scope of 'local' ends here}}
  if (n) {
    int table[4] = {}, other = 0;
    n = cilk_spawn f(table + 1); // expected-warning {{the scope of 'table' ends before}}
    cilk_spawn byReference(other); // expected-warning {{the scope of 'other' ends before}}
  } // expected-note 2{{ends here}}
  {
    Point p = {};
    cilk_spawn p.member(1); // expected-warning {{the scope of 'p' ends before}}
    cilk_spawn f(&p.x); // the same variable
  } // expected-note {{ends here}}
  cilk_sync;
}
void lambdas(int n) {
  for (int i = 0; i < n; ++i) {
    int local = i;
    cilk_spawn [&] { f(&local); }(); // expected-warning {{the scope of 'local' ends before}}
    if (i == 7)
      continue; // expected-note 0-1 {{ends here}}
  } // expected-note 0-1 {{ends here}}
  cilk_sync;
}
void notWarned(int n, int *a) {
  int outer = n;
  Point p = {};
  cilk_spawn f(&outer);
  cilk_spawn byReference(outer);
  for (int i = 0; i < n; ++i) {
    int *pointer = a + i, local = i;
    Point q = {i, i};
    cilk_spawn f(pointer);
    cilk_spawn byReference(a[i]);
    cilk_spawn byValue(local);
    cilk_spawn byReference(local + 1);
    cilk_spawn copy(q);
    cilk_spawn [=] { byValue(local); }();
    a[local] = cilk_spawn byValue(q.x);
  }
  for (int i = 0; i < n; ++i) {
    int local = i;
    cilk_spawn f(&local);
    if (i & 1)
      byValue(3);
    cilk_sync;
  }
  cilk_for (int i = 0; i < n; ++i) {
    int local = i;
    cilk_spawn f(&local);
  }
  Point points[2] = {};
  cilk_for (Point point : points) {
    point.x = cilk_spawn byValue(n);
    cilk_spawn f(&point.y);
  }
  cilk_scope {
    int local = n;
    cilk_spawn f(&local);
    if (n == 4)
      return;
  }
  if (n) {
    int local = n, maybe = n;
    if (n > 3)
      cilk_spawn f(&maybe); // perhaps
    f(&local);
  }
}
