// Iterations of different length, and objects that many iterations change.
#include "Cliff.h"

#include <algorithm>
#include <atomic>
#include <vector>

static long trialDivision(long count) {
  std::vector<unsigned char> isPrime(count);
  cilk_for (long i = 0; i < count; ++i) {
    long n = 2 * i + 3, divisor = 3;
    while (divisor * divisor <= n && n % divisor)
      divisor += 2;
    isPrime[i] = divisor * divisor > n;
  }
  return std::count(isPrime.begin(), isPrime.end(), 1);
}

static long localHistograms(long count) {
  std::vector<int> found(count);
  cilk_for (long i = 0; i < count; ++i) {
    int bins[16] = {};
    unsigned state = unsigned(i) * 2654435761u;
    for (int k = 0; k < 64; ++k) {
      state = state * 1664525u + 1013904223u;
      ++bins[state >> 28];
    }
    found[i] = *std::max_element(bins, bins + 16);
  }
  long sum = 0;
  for (int each : found)
    sum += each;
  return sum;
}

/// Each 32nd iteration takes 640 times as long as the others.
static long rareLong(long count) {
  std::vector<unsigned> found(count);
  cilk_for (long i = 0; i < count; ++i) {
    unsigned state = unsigned(i);
    for (int k = i % 32 ? 10 : 6400; k > 0; --k)
      state = state * 1664525u + 1013904223u;
    found[i] = state >> 16;
  }
  long sum = 0;
  for (unsigned each : found)
    sum += each;
  return sum;
}

static long fetchMax(long count) {
  std::atomic<long> most{0};
  cilk_for (long i = 0; i < count; ++i) {
    long own = i * 7919 % 1000003, seen = most.load(std::memory_order_relaxed);
    while (own > seen && !most.compare_exchange_weak(seen, own, std::memory_order_relaxed)) {
    }
  }
  return most;
}

static long atomicHistogram(long count) {
  std::atomic<long> bins[16] = {};
  cilk_for (long i = 0; i < count; ++i)
    bins[unsigned(i * 2654435761u) >> 28].fetch_add(1, std::memory_order_relaxed);
  long sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += k * bins[k];
  return sum;
}

int main(int argc, char **argv) {
  const Row rows[] = {{"trial-division", trialDivision}, {"local-histograms", localHistograms}, {"rare-long", rareLong},
                      {"fetch-max", fetchMax}, {"atomic-histogram", atomicHistogram}};
  return runRow(rows, argc, argv);
}
