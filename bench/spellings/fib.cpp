// Spellings of fib: two children, whose results are added.
#include "Spelling.h"

namespace plain {
Number run(int n) {
  if (n < 2)
    return n;
  Number x = cilk_spawn run(n - 1);
  Number y = cilk_spawn run(n - 2);
  cilk_sync;
  return x + y;
}
} // namespace plain

namespace called { // the second child is called
Number run(int n) {
  if (n < 2)
    return n;
  Number x = cilk_spawn run(n - 1);
  Number y = run(n - 2);
  cilk_sync;
  return x + y;
}
} // namespace called

namespace reversed {
Number run(int n) {
  if (n <= 1)
    return n;
  Number x = cilk_spawn run(n - 2);
  Number y = cilk_spawn run(n - 1);
  cilk_sync;
  return y + x;
}
} // namespace reversed

namespace assigned { // declared first
Number run(int n) {
  Number x, y, sum;
  if (n < 2)
    return n;
  x = cilk_spawn run(n - 1);
  y = cilk_spawn run(n - 2);
  cilk_sync;
  sum = x;
  sum += y;
  return sum;
}
} // namespace assigned

namespace nested { // one return
Number run(int n) {
  Number result;
  if (n >= 2) {
    Number x = cilk_spawn run(n - 1), y = cilk_spawn run(n - 2);
    cilk_sync;
    result = x + y;
  } else {
    result = n;
  }
  return result;
}
} // namespace nested

namespace element { // an array
Number run(int n) {
  Number r[2];
  if (n < 2)
    return n;
  r[0] = cilk_spawn run(n - 1);
  r[1] = cilk_spawn run(n - 2);
  cilk_sync;
  return r[0] + r[1];
}
} // namespace element

namespace loop {
Number run(int n) {
  Number r[2];
  if (n < 2)
    return n;
  for (int i = 0; i < 2; ++i)
    r[i] = cilk_spawn run(n - 1 - i);
  cilk_sync;
  return r[0] + r[1];
}
} // namespace loop

namespace walk { // a pointer walks
Number run(int n) {
  Number r[2], *next = r;
  if (n < 2)
    return n;
  *next++ = cilk_spawn run(n - 1);
  *next++ = cilk_spawn run(n - 2);
  cilk_sync;
  return r[0] + r[1];
}
} // namespace walk

namespace standard { // std::array and std::accumulate
Number run(int n) {
  std::array<Number, 2> r;
  if (n < 2)
    return n;
  r[0] = cilk_spawn run(n - 1);
  r[1] = cilk_spawn run(n - 2);
  cilk_sync;
  return std::accumulate(r.begin(), r.end(), Number(0));
}
} // namespace standard

namespace increment { // x += cilk_spawn
Number run(int n) {
  if (n < 2)
    return n;
  Number sum = 0;
  sum += cilk_spawn run(n - 1);
  sum += cilk_spawn run(n - 2);
  cilk_sync;
  return sum;
}
} // namespace increment

namespace ternary {
Number children(int n);
Number run(int n) { return n < 2 ? Number(n) : children(n); }
Number children(int n) {
  Number x = cilk_spawn run(n - 1);
  Number y = cilk_spawn run(n - 2);
  cilk_sync;
  return x + y;
}
} // namespace ternary

namespace helper {
static Number add(Number a, Number b) { return a + b; }
Number run(int n) {
  if (n < 2)
    return n;
  Number x = cilk_spawn run(n - 1);
  Number y = cilk_spawn run(n - 2);
  cilk_sync;
  return add(x, y);
}
} // namespace helper

namespace pointer { // results through pointers
static void into(int n, Number *result) {
  if (n < 2) {
    *result = n;
    return;
  }
  Number x, y;
  cilk_spawn into(n - 1, &x);
  cilk_spawn into(n - 2, &y);
  cilk_sync;
  *result = x + y;
}
Number run(int n) {
  Number result;
  into(n, &result);
  return result;
}
} // namespace pointer

namespace reference {
static void into(int n, Number &result) {
  if (n < 2) {
    result = n;
    return;
  }
  Number x, y;
  cilk_spawn into(n - 1, x);
  cilk_spawn into(n - 2, y);
  cilk_sync;
  result = x + y;
}
Number run(int n) {
  Number result;
  into(n, result);
  return result;
}
} // namespace reference

namespace structure { // a struct as result
struct Value {
  Number value;
};
static Value of(int n) {
  if (n < 2)
    return {Number(n)};
  Value x = cilk_spawn of(n - 1);
  Value y = cilk_spawn of(n - 2);
  cilk_sync;
  return {x.value + y.value};
}
Number run(int n) { return of(n).value; }
} // namespace structure

namespace argument { // a struct as argument
struct Problem {
  int n;
};
static Number of(Problem p) {
  if (p.n < 2)
    return p.n;
  Number x = cilk_spawn of(Problem{p.n - 1});
  Number y = cilk_spawn of(Problem{p.n - 2});
  cilk_sync;
  return x + y;
}
Number run(int n) { return of({n}); }
} // namespace argument

namespace templated {
template <typename T> T of(T n) {
  if (n < 2)
    return n;
  T x = cilk_spawn of<T>(n - 1);
  T y = cilk_spawn of<T>(n - 2);
  cilk_sync;
  return x + y;
}
Number run(int n) { return of<Number>(n); }
} // namespace templated

namespace member {
struct Fib {
  int least;
  Number of(int n) const {
    if (n < least)
      return n;
    Number x = cilk_spawn of(n - 1);
    Number y = cilk_spawn of(n - 2);
    cilk_sync;
    return x + y;
  }
};
Number run(int n) { return Fib{2}.of(n); }
} // namespace member

namespace lambda {
template <typename Self> Number of(const Self &self, int n) {
  if (n < 2)
    return n;
  Number x = cilk_spawn self(self, n - 1);
  Number y = cilk_spawn self(self, n - 2);
  cilk_sync;
  return x + y;
}
Number run(int n) {
  auto fib = [](const auto &self, int n) -> Number { return of(self, n); };
  return fib(fib, n);
}
} // namespace lambda

namespace conditional { // small children are called
Number run(int n) {
  if (n < 2)
    return n;
  Number x, y;
  if (n > 3) {
    x = cilk_spawn run(n - 1);
    y = cilk_spawn run(n - 2);
    cilk_sync;
  } else {
    x = run(n - 1);
    y = run(n - 2);
  }
  return x + y;
}
} // namespace conditional

namespace scoped { // the sync at the end of a scope
Number run(int n) {
  if (n < 2)
    return n;
  Number x, y;
  cilk_scope {
    x = cilk_spawn run(n - 1);
    y = cilk_spawn run(n - 2);
  }
  return x + y;
}
} // namespace scoped

int main(int argc, char **argv) { return show(FORM::run(sizeOf(argc, argv, 40))); }
