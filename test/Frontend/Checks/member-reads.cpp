// Tests that a member function that returns a number from its object's fields causes a warning before the sync. A member function
// that may return an address, or looks at nothing, does not.
// RUN: %clangxx -std=c++17 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
#include <array>
#include <string>
#include <vector>
int use(int);
int *take(int *);

struct Point {
  int x, y, table[4];
  int sum() const { return x + y; }
  int both() const { return sum() + 1; }
  int size() const { return 4; }
  int *begin() { return table; }
  int end() const;
  void set(int n) { x = n; }
  long place() const { return (long)&x; }
  operator bool() const { return y != 0; }
  int operator()(int n) const { return x * n; }
  static int count() { return 3; }
};
Point make(int);

int reads(int n) {
  Point p = cilk_spawn make(n); // expected-note {{spawned here}}
  use(p.sum()); // expected-warning {{a spawn's result can be used after the next sync only, but 'p' may be read before it; write 'cilk_sync;' before this use}}
  Point q = cilk_spawn make(n); // expected-note {{spawned here}}
  if (q) // expected-warning {{'q' may be read before it}}
    n++;
  Point r = cilk_spawn make(n); // expected-note {{spawned here}}
  use(r(3)); // expected-warning {{'r' may be read before it}}
  cilk_sync;
  return p.sum() + q(2) + r.y;
}
int readsNothing(int n) {
  Point p = cilk_spawn make(n);
  use(p.size());
  use(p.end());
  use(p.count());
  take(p.begin());
  use((int)p.place());
  use(p.both());
  cilk_sync;
  return p.sum();
}
std::vector<int> numbers(int);
std::string text(int);
std::array<int, 4> four(int);
int library(int n) {
  std::vector<int> v = cilk_spawn numbers(n); // expected-note {{spawned here}}
  use(v.size()); // expected-warning {{'v' may be read before it}}
  std::string s;
  s = cilk_spawn text(n); // expected-note {{spawned here}}
  use(s.length()); // expected-warning {{'s' may be read before it}}
  std::array<int, 4> a = cilk_spawn four(n);
  use(a.size());
  take(a.data());
  cilk_sync;
  return v.size() + s.size() + a[0];
}
