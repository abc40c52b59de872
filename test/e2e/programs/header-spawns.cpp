// Spawns and syncs before the first ';' of a header, in the increments of loops and between commas.
#include "checksum.h"
#include <cilk/cilk.h>
#include <initializer_list>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int branch(int n) {
  int result = 1;
  if (int x = cilk_spawn fib(n); n % 3 == 0) {
    cilk_sync;
    result = x;
  } else if (int y = cilk_spawn fib(n + 1); n % 3 == 1) {
    cilk_sync;
    result = x + y * 3;
  } else {
    cilk_sync;
    result = x - y;
  }
  return result;
}

static int choice(int n) {
  int other, result = 0;
  switch (long x = cilk_spawn fib(n); n % 3) {
  case 0:
    other = cilk_spawn fib(n + 2);
    cilk_sync;
    result = (int)x + other;
    break;
  case 1:
    cilk_sync;
    result = (int)x * 5;
    break;
  default:
    result = 9;
    cilk_sync;
  }
  return result;
}

static int loop(int n) {
  int sum = 0;
  for (int i = 0, x = cilk_spawn fib(n);; ++i) {
    cilk_sync;
    if (i == 4)
      break;
    sum = sum * 7 + x + i;
    if (i == n)
      continue;
    sum += 3;
  }
  return sum;
}

static int range(int n) {
  int sum = 0;
  cilk_scope {
    for (int x = cilk_spawn fib(n); int y : {n, 2, 5}) {
      cilk_sync;
      sum = sum * 3 + x * y;
    }
  }
  return sum;
}

static int assigned(int n) {
  int x, sum = 0, i;
  for (x = cilk_spawn fib(n), i = 0; i < n; i++)
    sum += i;
  cilk_sync;
  return sum + x;
}

// Each round spawns at its end, also behind a continue.
static int increments(int n) {
  int values[8] = {}, i = 0;
  for (; i < 8; values[i] = cilk_spawn fib(n + i), i++)
    if (i % 3 == 1)
      continue;
  cilk_sync;
  int sum = 0;
  for (int value : values)
    sum = sum * 3 + value;
  return sum;
}

static int waiting(int n) {
  int sum = 0, x = 0;
  for (int i = 0; i < 3; cilk_sync) {
    sum += x;
    x = cilk_spawn fib(n + i++);
  }
  return sum + x;
}

static int commas(int n) {
  int x, y = 0, z;
  x = cilk_spawn fib(n), y = n * 3, z = cilk_spawn fib(y % 11);
  if (n > 4)
    cilk_spawn fib(2), y++;
  cilk_sync;
  return x + y * 5 + z;
}

template <class... F> static void all(F... f) {
  (cilk_spawn f(), ...);
  cilk_sync;
}
static int folded(int n) {
  int x = 0, y = 0, z = 0;
  all([&] { x = fib(n); }, [&] { y = fib(n + 1); }, [&] { z = fib(n + 2); });
  return x + y * 3 + z * 5;
}

struct Text {
  int length;
  explicit Text(int n) : length(n) {}
  ~Text() { length = -1; }
};
static int measure(const Text &text, int n) { return text.length * fib(n); }

// Temporaries of an operand are the child's, or end with the whole expression.
static int temporaries(int n) {
  int x, y;
  x = cilk_spawn measure(Text(n), 4), y = cilk_spawn fib(Text(n + 1).length);
  cilk_sync;
  return x * 2 + y;
}

int main() {
  Checksum sum = 0;
  for (int n = 0; n < 9; ++n)
    for (int value : {branch(n), choice(n), loop(n), range(n), assigned(n), increments(n), waiting(n), commas(n), folded(n),
                      temporaries(n)})
      sum = fold(sum, value);
  if (int x = cilk_spawn fib(12); true) {
    cilk_sync;
    sum = fold(sum, x);
  }
  report("headers", sum);
}
