// Calls of little work from ordinary code, and short loops.
#include "Cliff.h"

#include <cstdint>
#include <numeric>
#include <vector>

static std::vector<int> numbers(1000);

template <typename Body> static void parallelFor(long begin, long end, const Body &body) {
  cilk_for (long i = begin; i < end; ++i)
    body(i);
}

// Not inlined, because LLVM would make one loop of all calls of an elision.
[[gnu::noinline]] static void update(std::vector<int> &v, int n, int k) {
  cilk_for (int i = 0; i < n; ++i)
    v[i] += i ^ k;
}

static long updates(long calls, int iterations) {
  for (long k = 0; k < calls; ++k)
    update(numbers, iterations, int(k));
  return std::accumulate(numbers.begin(), numbers.end(), 0L);
}

static long oneIteration(long calls) { return updates(calls, 1); }
static long tenIterations(long calls) { return updates(calls, 10); }
static long thousandIterations(long calls) { return updates(calls, 1000); }

static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long smallRoots(long calls) {
  long sum = 0;
  for (long k = 0; k < calls; ++k)
    sum += fib(k & 7);
  return sum;
}

/// A task that makes ordinary calls of small recursions in a loop, beside one child.
static long callsInTask(long calls) {
  long x = cilk_spawn fib(calls & 7);
  long sum = 0;
  for (long k = 0; k < calls; ++k)
    sum += fib(k & 7);
  cilk_sync;
  return x + sum;
}

/// Calls that are long and short in turn.
static long alternate(long calls) {
  long sum = 0;
  for (long k = 0; k < calls; ++k)
    sum += fib(k % 2 ? 3 : 20);
  return sum;
}

static long lambda(long calls) {
  for (long k = 0; k < calls; ++k)
    parallelFor(0, 1000, [&](long i) { numbers[i] += int(i ^ k); });
  return std::accumulate(numbers.begin(), numbers.end(), 0L);
}

static long stencil(long calls) {
  std::vector<double> from(2000), to(2000);
  for (int i = 0; i < 2000; ++i)
    from[i] = i % 17;
  for (long k = 0; k < calls; ++k) {
    cilk_for (int i = 1; i < 1999; ++i)
      to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
    std::swap(from, to);
  }
  return long(1e6 * std::accumulate(from.begin(), from.end(), 0.0));
}

static long audio(long calls) {
  std::vector<int16_t> mixed(4096), left(4096), right(4096);
  for (int i = 0; i < 4096; ++i)
    left[i] = int16_t(i * 31), right[i] = int16_t(i * 17);
  for (long k = 0; k < calls; ++k)
    cilk_for (int i = 0; i < 4096; ++i) {
      int sum = mixed[i] / 2 + left[i] + right[i];
      mixed[i] = int16_t(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
    }
  return std::accumulate(mixed.begin(), mixed.end(), 0L);
}

int main(int argc, char **argv) {
  const Row rows[] = {{"one-iteration", oneIteration}, {"ten-iterations", tenIterations},
                      {"thousand-iterations", thousandIterations}, {"small-roots", smallRoots},
                      {"calls-in-task", callsInTask}, {"alternate", alternate},
                      {"lambda", lambda}, {"stencil", stencil}, {"audio", audio}};
  return runRow(rows, argc, argv);
}
