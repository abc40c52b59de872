// Tests the warning about static local variables that tasks write, and code without that warning.
// RUN: %clangxx -std=c++17 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
// RUN: %clangxx -std=c++17 -fsyntax-only -fplugin=%plugin -Wno-unsequenced -Werror %s
int counter(int n);
int elsewhere(int n);
template <class T> T memo(T n) {
  static T table[10];
  table[n] = n; // expected-warning {{a static local variable is shared by all tasks, but 'table' is written by a function that is spawned; make it atomic if the order does not matter, or pass it as a pointer}}
  return table[n]++;
}
int fine(int n) {
  static const int constant = 3;
  static thread_local int own;
  static _Atomic(int) shared;
  static int *pointer;
  int local = 0;
  own = n;
  ++shared;
  local = constant;
  auto later = [] { static int inside; return ++inside; };
  return local + own + *pointer + (n ? 0 : later());
}
int once(int n) {
  static int calls; // one task at a time
  return ++calls + n;
}
int notSpawned(int n) {
  static int calls;
  return ++calls + n;
}
int spawns(int n) {
  static int result;
  int a = cilk_spawn counter(n), g = cilk_spawn counter(n + 1);
  for (int i = 0; i < n; ++i)
    cilk_spawn memo(i);
  cilk_spawn once(n);
  cilk_sync;
  int b = cilk_spawn memo(n);
  int c = cilk_spawn fine(n);
  cilk_spawn fine(n);
  int d = cilk_spawn elsewhere(n);
  result = notSpawned(n);
  cilk_sync;
  cilk_for (int i = 0; i < n; ++i) {
    static struct { int v; } last;
    result += i; // expected-warning {{but 'result' is written by an iteration of a cilk_for}}
    last.v = i; // expected-warning {{but 'last' is written by an iteration of a cilk_for}}
    static int each[40], grid[4][10], first[2];
    each[i] = grid[i % 4][i / 4] = i;
    first[0] = i; // expected-warning {{but 'first' is written by an iteration of a cilk_for}}
  }
  return a + b + c + d + g + result;
}
int counter(int n) {
  static int count;
  count += n; // expected-warning {{but 'count' is written by a function that is spawned}}
  return ++count;
}
