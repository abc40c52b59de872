// Tests `#pragma cilk depend` in C++: members, lambdas, templates, references, destructors, and jumps out of blocks.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
struct Pair {
  int a, b;
};
struct Box {
  int value = 0;
  int m[4] = {};
  void add(int n) { value += n; }
  virtual void scale(int n) { value *= n; }
  void run() {
#pragma cilk depend(inout : value)
    cilk_spawn add(3);
#pragma cilk depend(inout : this->value)
    cilk_spawn this->scale(5);
#pragma cilk depend(inout : value, m[1 : 2])
    cilk_spawn add(1);
    cilk_sync;
  }
};
struct Big : Box {
  void scale(int n) override { value *= n + 1; }
};
static void take(const int &a, int &&b, Pair p, Pair *out) {
  out->a += a + b + p.a;
  out->b += p.b;
}
static Pair make(int n) { return {n, n + 1}; }
template <class T> static void copy(const T *from, T *to, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = from[i] + 1;
}
template <class T> static void chain(T *data, int n, int parts) {
  int size = n / parts;
  for (int i = 1; i < parts; ++i) {
#pragma cilk depend(in : data[(i - 1) * size : size]) depend(out : data[i * size : size])
    cilk_spawn copy(data + (i - 1) * size, data + i * size, size);
  }
  cilk_sync;
}
static void lambdas() {
  int x = 1, y = 2, other = 5;
  auto outer = [&] {
#pragma cilk depend(inout : x)
    cilk_spawn[&] { x += 10; }
    ();
#pragma cilk depend(in : x) depend(inout : y) depend(inout : other)
    cilk_spawn[&, k = 7] { y = x * k; }
    ();
    cilk_sync;
  };
  outer();
  printf("%d %d %d\n", x, y, other);
}
static long apply(long (*f)(long), long v) { return f(v); }
static long square(long v) { return v * v; }
static int rows(int n) {
  int total = 0;
  std::vector<std::string> names(3); // destructors
  cilk_for(int i = 0; i < n; ++i) {
    int a = i, b = 0;
#pragma cilk depend(inout : a)
    cilk_spawn[&a] { a *= 2; }
    ();
#pragma cilk depend(in : a) depend(out : b)
    b = cilk_spawn[&a] { return a + 1; }
    ();
    if (i % 3 == 0)
      continue;
    cilk_sync;
    __atomic_fetch_add(&total, b, __ATOMIC_RELAXED);
  }
  return total + names.size();
}
static int early(int n) {
  int x = 0;
  std::string s = "abc";
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : x)
    cilk_spawn[&x, i] { x = 3 * x + i; }
    ();
    if (i == 5)
      return s.size();
    cilk_scope {
#pragma cilk depend(inout : x)
      cilk_spawn[&x] { x += 1; }
      ();
      if (i == 3)
        continue;
    }
  }
  cilk_sync;
  return x;
}
int main() {
  Box b;
  b.run();
  printf("%d\n", b.value);
  Big c;
  c.run();
  printf("%d\n", c.value);
  Pair out = {0, 0};
  int one = 1;
  void (Box::*pm)(int) = &Box::add;
#pragma cilk depend(inout : out)
  cilk_spawn take(one + 1, 5, make(3), &out);
#pragma cilk depend(inout : out)
  out = cilk_spawn make(one);
#pragma cilk depend(inout : out) depend(in : one)
  cilk_spawn take(one, std::move(one), Pair{7, 8}, &out);
#pragma cilk depend(inout : b)
  cilk_spawn(b.*pm)(4);
  long v = 3, w;
  long (*f)(long) = square;
#pragma cilk depend(inout : v)
  v = cilk_spawn f(3);
#pragma cilk depend(in : v) depend(out : w)
  w = cilk_spawn apply(f, 4);
#pragma cilk depend(inout : w)
  w += cilk_spawn square(2);
  cilk_sync;
  printf("%d %d %d %ld %ld\n", out.a, out.b, b.value, v, w);
  int data[64] = {};
  chain(data, 64, 8);
  for (int i = 0; i < 64; i += 9)
    printf("%d ", data[i]);
  lambdas();
  printf("%d %d %d\n", rows(100), early(5), early(9));
}
