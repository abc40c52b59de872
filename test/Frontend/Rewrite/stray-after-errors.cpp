// Tests that an error does not hide the stray keywords of other declarations, and that a declaration with an error gets no
// further errors because of it.
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
int f(int);
cilk_spawn int before; // expected-error {{'cilk_spawn' cannot stand here}}
int broken(int n) {
  int x = cilk_spawn nothing(n); // expected-error {{use of undeclared identifier}}
  cilk_sync;
  if (n) {
    x = cilk_spawn f(1;  // expected-error {{expected ')'}} expected-note {{to match}}
  }
  cilk_sync;
  return x;
}
int refused(int n) {
  n = cilk_spawn f(1) + 1; // expected-error {{part of a larger expression}}
  cilk_spawn int y = 3; // expected-error {{'cilk_spawn' cannot stand here}}
  return n + y;
}
struct Member {
  int field = cilk_spawn f(1); // expected-error {{'cilk_spawn' cannot stand here}}
  int good() {
    int x = cilk_spawn f(2);
    cilk_sync;
    return x;
  }
};
template <class T> T pattern(T n) {
  T x = cilk_spawn n.nothing(); // expected-error {{is not a structure or union}}
  cilk_sync;
  return x;
}
int instance() { return pattern(1); } // expected-note {{in instantiation}}
cilk_spawn int after; // expected-error {{'cilk_spawn' cannot stand here}}
