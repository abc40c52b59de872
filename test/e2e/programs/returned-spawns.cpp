// `return cilk_spawn f();`: the call's value is the function's result, of every kind. Children are outstanding, and destructors
// of locals see the effects of the call.
#include "checksum.h"
#include <cilk/cilk.h>
#include <optional>
#include <string>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int tail(int n) {
  if (n > 20)
    return cilk_spawn tail(n - 7);
  return cilk_spawn fib(n);
}

// The last call may run beside the child, which adds to the same object.
static void add(int *sum, int n) { __atomic_fetch_add(sum, fib(n), __ATOMIC_RELAXED); }
static void both(int *sum, int n) {
  cilk_spawn add(sum, n);
  return cilk_spawn add(sum, n + 1);
}

static double converted(int n) { return cilk_spawn fib(n); }
static short narrowed(int n) { return (short)(cilk_spawn fib(n)); }
static std::optional<int> wrapped(int n) {
  if (n % 3 == 0)
    return {};
  return cilk_spawn fib(n);
}

struct Large {
  long values[6];
};
static Large makeLarge(int n) {
  Large large = {};
  large.values[n % 6] = fib(n);
  return large;
}
static Large large(int n) { return cilk_spawn makeLarge(n); }

static int table[16];
static int &element(int n) {
  table[n & 15] += fib(n & 7);
  return table[n & 15];
}
static int &referred(int n) { return cilk_spawn element(n); }

static std::string repeat(const std::string &text, int n) { return n ? repeat(text, n - 1) + text : std::string(); }
static std::string text(int n) {
  std::string part = std::to_string(fib(n));
  return cilk_spawn repeat(part, n);
}

// The call writes the data that the destructor reads, so the destructor runs after it.
struct Watch {
  int *seen, *value;
  ~Watch() { *seen = *seen * 31 + *value; }
};
static int change(int *value, int n) { return *value = fib(n); }
static int watched(int n, int *seen) {
  int value = 0;
  Watch watch{seen, &value};
  return cilk_spawn change(&value, n);
}

struct Counter {
  int total = 0;
  int step(int n) { return total += fib(n); }
  int twice(int n) {
    step(n);
    return cilk_spawn this->step(n);
  }
};

template <class F> static auto apply(F f, int n) { return cilk_spawn f(n); }

static int inScope(int n) {
  int sum = 0;
  cilk_scope {
    cilk_spawn add(&sum, n);
    if (n & 1)
      return cilk_spawn fib(n);
  }
  return sum;
}

int main() {
  Checksum sum = 0;
  for (int n = 0; n < 12; ++n) {
    int total = 0, seen = 1;
    both(&total, n);
    sum = fold(sum, tail(n * 5));
    sum = fold(sum, total);
    sum = fold(sum, (unsigned long long)(converted(n) * 2));
    sum = fold(sum, narrowed(n));
    sum = fold(sum, wrapped(n).value_or(77));
    sum = fold(sum, large(n).values[n % 6]);
    referred(n) += n;
    sum = fold(sum, table[n & 15]);
    for (char c : text(n))
      sum = fold(sum, c);
    sum = fold(sum, watched(n, &seen));
    sum = fold(sum, seen);
    Counter counter;
    sum = fold(sum, counter.twice(n));
    sum = fold(sum, apply([n](int m) { return fib(m) * n; }, n));
    sum = fold(sum, inScope(n));
  }
  report("returned", sum);
  return cilk_spawn fib(9);
}
