// Tests uses of spawned results before their sync in constructs of C++: classes, captures, references, templates.
// RUN: %clangxx -std=c++20 -Wno-vla-cxx-extension -fexceptions -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
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

struct Text {
  Text();
  Text(const Text &);
  Text &operator=(const Text &);
  ~Text();
  int length() const;
};
Text text(const Text &);
int objects(Text a) {
  Text first = cilk_spawn text(a); // expected-note {{spawned here}}
  Text copy = first; // expected-error {{'first' is read before it}}
  Text second = cilk_spawn text(a); // expected-note {{spawned here}}
  second = copy; // expected-error {{'second' is written before it}}
  Text third = cilk_spawn text(a); // expected-note {{spawned here}}
  copy = third; // expected-error {{'third' is read before it}}
  Text last = cilk_spawn text(a);
  cilk_sync;
  return last.length();
}
// Destructors at the function's end run after the implicit sync, destructors at a block's end before it.
void ends(Text a) {
  if (a.length()) {
    Text inner = cilk_spawn text(a); // expected-error {{the scope of 'inner' ends before}}
  } // expected-note {{the scope of 'inner' ends here}}
  Text outer = cilk_spawn text(a);
}
// An iteration ends before the variable of its loop.
void iterations(Point (&points)[3]) {
  cilk_for (Point point : points)
    point = cilk_spawn move(point);
}
int handlers(int n) {
  int x = cilk_spawn f(n), // expected-note {{spawned here}}
      y = cilk_spawn f(n);
  try {
    if (n)
      throw n;
    f(n);
  } catch (int) {
    n += x; // expected-error {{'x' is read before it}}
  }
  cilk_sync;
  return n + y;
}
int maybeHandled(int n) {
  int x = 0;
  if (n)
    x = cilk_spawn f(n); // expected-note {{spawned here}}
  try {
    f(n);
  } catch (int) {
    return x; // expected-warning {{'x' may be read before it}}
  }
  cilk_sync;
  return x;
}
int arrays(int n) {
  int values[n], other = 0;
  values[0] = cilk_spawn f(n); // expected-note {{spawned here}}
  values[1] = cilk_spawn f(n);
  other = values[0]; // expected-error {{'values[0]' is read before it}}
  cilk_sync;
  return other + values[1];
}
// A try block in main waits for the tasks spawned in it.
int main() {
  int x = 0, y;
  try {
    x = cilk_spawn f(1);
    int z = cilk_spawn f(3);
  } catch (int) {
    x += 1;
  }
  try {
    y = cilk_spawn f(2); // expected-note {{spawned here}}
    x = y; // expected-error {{'y' is read before it}}
  } catch (...) {
  }
  return x;
}
