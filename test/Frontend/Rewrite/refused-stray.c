// Tests that a keyword is refused even where Clang's parser accepts an __extension__ without building an expression.
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %s
int f(int);
cilk_spawn int global; // expected-error {{'cilk_spawn' cannot stand here; a spawn must be a call in a function's statement}}
int declaration(void) {
  cilk_spawn int x = 3; // expected-error {{'cilk_spawn' cannot stand here}}
  cilk_spawn cilk_spawn f(1); // expected-error {{'cilk_spawn' cannot stand here}}
  __extension__ cilk_spawn f(1); // expected-error {{'cilk_spawn' cannot stand directly behind '__extension__'; write 'cilk_spawn __extension__'}}
  cilk_spawn __extension__ f(1);
  __typeof__(cilk_spawn f(1)) y = 0; // expected-error {{'cilk_spawn' cannot stand here}}
  return x + y;
}
