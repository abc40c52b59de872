// Tests that a deferred statement contains no keyword.
// RUN: %clang -std=c23 -fdefer-ts -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
int f(int);
int g(int n) {
  int x = cilk_spawn f(n);
  _Defer f(x); // runs after the implicit sync
  _Defer { // expected-error {{a spawn, sync, cilk_for or cilk_scope cannot stand in a deferred statement, which runs when the children of its block have ended (not supported yet); move it to a function that the statement calls, or in front of the block's end}}
    cilk_spawn f(n);
    cilk_sync;
  }
  cilk_sync;
  return x;
}
int main(void) {
  _Defer cilk_for (int i = 0; i < 9; ++i) f(i); // expected-error {{cannot stand in a deferred statement}}
}
