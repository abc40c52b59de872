// Loops of plain calls and of short cilk_for loops in tasks: with calls that are short, long, or both in turn, with
// children that run meanwhile, and with loops in loops.
#include <cilk/cilk.h>
#include <cstdio>
#include <vector>

static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long shortCalls(long calls) {
  long x = cilk_spawn fib(calls & 7), sum = 0;
  for (long k = 0; k < calls; ++k)
    sum = sum * 3 + fib(k & 3);
  cilk_sync;
  return x ^ sum;
}

static long longOnes(long calls) {
  long sum = 0;
  for (long k = 0; k < calls; ++k)
    sum = sum * 3 + fib(k % 97 == 96 ? 17 : k & 3);
  long x = cilk_spawn fib(3);
  cilk_sync;
  return x ^ sum;
}

/// The next call's argument is the result of the last one.
static long chained(long calls) {
  long value = 5;
  int seen[8] = {};
  while (calls-- > 0) {
    value = (fib(value) + calls) & 7;
    ++seen[value];
  }
  long x = cilk_spawn fib(value);
  long code = 0;
  for (int each : seen)
    code = code * 31 + each;
  cilk_sync;
  return x + code;
}

static long loops(long rounds) {
  std::vector<int> from(50, 1), to(50);
  for (long k = 0; k < rounds; ++k) {
    cilk_for (int i = 1; i < 49; ++i)
      to[i] = (from[i - 1] + 2 * from[i] + from[i + 1] + int(k)) & 1023;
    std::swap(from, to);
    if (k % 50 == 49)
      from[k % 48] += int(fib(k % 9));
  }
  long code = 0;
  for (int each : from)
    code = code * 31 + each;
  return code;
}

static long inner(long n) {
  long sum = 0;
  for (long k = 0; k < n; ++k)
    sum += shortCalls(k) & 15;
  long x = cilk_spawn fib(4);
  cilk_sync;
  return sum + x;
}

int main() {
  long results[8];
  cilk_for (int i = 0; i < 8; ++i)
    results[i] = i % 2 ? chained(300 + i) : shortCalls(300 + i);
  for (long result : results)
    std::printf("%ld ", result);
  std::printf("\n%ld %ld %ld %ld %ld\n", shortCalls(2000), longOnes(1000), chained(2000), loops(500), inner(40));
}
