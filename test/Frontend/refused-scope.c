// Tests that cilk_scope is refused where it stands. The error is fatal: what follows cannot be parsed.
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %s
int f(int);
void scope(int n) {
  cilk_scope { // expected-error {{'cilk_scope' is not supported yet; write a function with the block's statements and a sync}}
    cilk_spawn f(n);
  }
}
