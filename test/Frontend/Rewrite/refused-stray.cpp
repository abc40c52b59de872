// Tests that a spawn in C++'s declarations outside of functions is refused, used or not.
// RUN: %clangxx -std=c++20 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
constexpr int f(int n) { return n; }
int defaultArgument(int a = cilk_spawn f(1)); // expected-error {{'cilk_spawn' cannot stand here}}
struct Member {
  int field = cilk_spawn f(1); // expected-error {{'cilk_spawn' cannot stand here}}
  int array[cilk_spawn f(3)];  // expected-error {{'cilk_spawn' cannot stand here}}
};
Member member;
template <class T> auto deduced(T n) -> decltype(cilk_spawn f(n)); // expected-error {{'cilk_spawn' cannot stand here}}
template <class T> T pattern(T n) { // never instantiated: not an error
  T x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
