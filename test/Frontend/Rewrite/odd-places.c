// Tests keywords in positions where C's grammar takes an expression, and functions of a kind that only programs
// generate.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -std=c11 -fsyntax-only -fplugin=%plugin -Xclang -verify %t/evaluated.c
// RUN: %clang -std=c11 -fsyntax-only -fplugin=%plugin -Xclang -verify %t/never.c
// RUN: %python %t/deep.py > %t/deep.c
// RUN: %clang -w -fsyntax-only -fplugin=%plugin -Xclang -verify %t/deep.c

//--- evaluated.c
int f(int);
int x = cilk_spawn f(1); // expected-error {{part of a static variable's initializer}} expected-error {{not a compile-time constant}}
struct S { int v[2]; };
int g(int n) {
  int chosen = _Generic(n, int: cilk_spawn f(1), default: 2); // expected-error {{part of a larger expression}}
  struct S s = {.v = {[1] = cilk_spawn f(1)}}; // expected-error {{part of a larger expression}}
  struct S *p = &(struct S){{cilk_spawn f(1)}}; // expected-error {{part of a larger expression}}
  return chosen + s.v[0] + p->v[0] + n;
}
//--- never.c
int f(int);
_Static_assert(sizeof(cilk_spawn f(1)) == 4, ""); // expected-error {{'cilk_spawn' cannot stand here}}
enum { A = sizeof(cilk_spawn f(1)) };             // expected-error {{'cilk_spawn' cannot stand here}}
struct S { int bits : sizeof(cilk_spawn f(1)); }; // expected-error {{'cilk_spawn' cannot stand here}}
int g(int n) {
  int a[sizeof(cilk_spawn f(2))];                 // expected-error {{'cilk_spawn' cannot stand here}}
  _Alignas(sizeof(cilk_spawn f(2))) int b = 0;    // expected-error {{'cilk_spawn' cannot stand here}}
  return a[n] + b;
}
//--- deep.py
print("// expected-no-diagnostics\nint f(int);")
print("int commas(int n) { int x = cilk_spawn f(n); cilk_sync; return x" + ", n" * 20000 + "; }")
print("int sums(int n) { int x = cilk_spawn f(n" + " + n" * 20000 + "); cilk_sync; return x; }")
print("int chain(int n) { int x = cilk_spawn f(n); cilk_sync; if (n) return 1;" + " else if (n) return x;" * 4000 + " return 2; }")
print("int many(int n) {" + " int x%d = cilk_spawn f(n);" * 500 % tuple(range(500)) + " cilk_sync; return x0; }")
