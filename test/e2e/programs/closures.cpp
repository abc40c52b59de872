// Tests loops whose bodies are lambdas: in templates, through further templates, as local objects. The bodies read and
// write variables through the references in the lambdas, while the caller changes the variables between the loops.
#include "checksum.h"

#include <cilk/cilk.h>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

template <class F> static void loop(int from, int to, F f) {
  cilk_for (int i = from; i < to; ++i)
    f(i);
}
template <class F> static void loopBy(int from, int to, F &&f) {
  cilk_for (int i = from; i < to; ++i)
    f(i);
}
template <class F> static void outer(int n, const F &f) { loopBy(0, n, f); }
template <class F> static int counted(int n, F f) {
  int calls = n;
  cilk_for (int i = 0; i < n; ++i)
    f(i);
  return calls + n;
}

struct Shape {
  int width;
  long scale;
  std::vector<unsigned> *cells;
};

/// The caller changes what the lambda reads, from loop to loop.
static Checksum changing(int n) {
  std::vector<unsigned> a(n), b(n, 1);
  unsigned k = 3;
  Shape shape{n, 7, &a};
  for (int round = 0; round < 4; ++round) {
    loop(0, n, [&](int i) { a[i] += k * b[i] + shape.scale; });
    outer(n, [&](int i) { (*shape.cells)[i] ^= shape.width + k; });
    k += a[round];
    shape.scale = a[n - 1 - round];
    std::swap(a, b);
    shape.cells = round % 2 ? &a : &b;
  }
  Checksum sum = 0;
  for (int i = 0; i < n; ++i)
    sum = fold(fold(sum, a[i]), b[i]);
  return sum;
}

/// The lambda writes captured variables. Another lambda, and the caller, read them afterwards.
static Checksum writing(int n) {
  int last = -1, seen[4] = {};
  loop(0, n, [&](int i) {
    if (i == n - 1)
      last = i * 3;
    if (i < 4)
      seen[i] = i + 1;
  });
  Checksum sum = fold(0, last);
  last = 5;
  outer(n, [&](int i) {
    if (i < 4)
      seen[i] += last;
  });
  for (int x : seen)
    sum = fold(sum, x);
  return sum;
}

/// Lambdas with values of their own: each iteration of `loop` has the same object, and `mutable` ones change a copy.
static Checksum owning(int n) {
  std::vector<long> r(n);
  std::string text = "closure";
  auto shared = std::make_shared<long>(11);
  loop(0, n, [&r, text, shared, n](int i) { r[i] = text[i % text.size()] * *shared + n; });
  text[0] = 'C';
  *shared = 12;
  loop(0, n, [&r, copy = text + "!", at = shared.get()](int i) { r[i] += copy[i % copy.size()] * *at; });
  Checksum sum = fold(0, shared.use_count());
  for (long x : r)
    sum = fold(sum, x);
  return sum;
}

/// References and pointers that lead elsewhere, or change.
static Checksum leading(int n) {
  std::vector<int> a(n, 2), r(n);
  int x = 1, y = 100;
  int &rx = x;
  const int &ry = a[n / 2];
  int *p = &x;
  cilk_for (int i = 0; i < n; ++i)
    r[i] = rx + ry + *p;
  p = n % 2 ? &y : &x;
  x = 9;
  loop(0, n, [&](int i) { r[i] += *p * (p == &y ? 3 : 4) + rx; });
  struct Link {
    const Link *next;
    int value;
  } tail{nullptr, 5}, head{&tail, 6};
  loop(0, n, [&](int i) { r[i] += head.next->value + head.value * i; });
  tail.value = 50;
  loop(0, n, [link = &head, &r](int i) { r[i] += link->next->value; });
  Checksum sum = 0;
  for (int v : r)
    sum = fold(sum, v);
  return sum;
}

/// Every activation has variables of its own.
static long recursive(int depth, long *out) {
  long own = depth * 10;
  if (depth == 0)
    return 0;
  long below = recursive(depth - 1, out + 4);
  own += below;
  loop(0, 4, [&](int i) { out[i] += own + i; });
  own += out[3];
  return own + counted(3, [&](int i) { out[i] -= own; });
}

/// Objects whose address somebody else knows.
static int *known;
static void know(int &x) { known = &x; }
static Checksum kept(int n) {
  std::vector<int> r(n);
  int k = 1;
  know(k);
  loop(0, n, [&](int i) { r[i] = k + *known; });
  *known = 7;
  loop(0, n, [&](int i) { r[i] += k; });
  loop(0, 1, [&](int) {
    *known = 8;
    r[0] += k;
  });
  std::function<void(int)> f = [&](int i) { r[i] += k; };
  outer(n, f);
  loopBy(0, n, std::ref(f));
  Checksum sum = fold(0, k);
  for (int v : r)
    sum = fold(sum, v);
  return sum;
}

int main() {
  report("changing", changing(103));
  report("writing", writing(77));
  report("owning", owning(91));
  report("leading", leading(64));
  long out[40] = {};
  report("recursive", recursive(9, out));
  Checksum sum = 0;
  for (long x : out)
    sum = fold(sum, x);
  report("out", sum);
  report("kept", kept(58));
}
