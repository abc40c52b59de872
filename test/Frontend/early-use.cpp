// Tests uses of spawned results before their sync where only C++ has them: classes, captures, references, templates.
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
int f(int);
struct Point { int x, y; };
Point move(Point);
void take(const int &);
void use(Point);

void copies(Point p) {
  Point q = cilk_spawn move(p); // expected-note {{spawned here}}
  Point r = q; // expected-error {{'q' is read before it}}
  p = cilk_spawn move(r); // expected-note {{spawned here}}
  use(p); // expected-error {{'p' is read before it}}
  r = cilk_spawn move(Point{1, 2}); // expected-note {{spawned here}}
  r = Point{3, 4}; // expected-error {{'r' is written before it}}
  Point s;
  s = cilk_spawn move(Point{1, 2}); // expected-note {{spawned here}}
  Point t;
  t = s; // expected-error {{'s' is read before it}}
}
int captures(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  int y = cilk_spawn f(n);
  auto byValue = [x] { return x; }; // expected-error {{'x' is read before it}}
  auto byReference = [&y] { return y; };
  cilk_sync;
  return byValue() + byReference();
}
int references(int n) {
  int x = cilk_spawn f(n);
  int &r = x;
  take(x);
  static_assert(sizeof(x) == sizeof(int) && noexcept(x + 1));
  using T = decltype(x + 1);
  cilk_sync;
  return r + T(1);
}
template <class T> T generic(T n) {
  T x = cilk_spawn f(n); // expected-note {{spawned here}}
  return x; // expected-error {{'x' is read before it}}
}
int instances() { return generic(1) + generic(2L); }
auto lambda = [](int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  if constexpr (sizeof(int) == 2)
    cilk_sync;
  return x; // expected-error {{'x' is read before it}}
};
