// Loops of little work in the cache, in several spellings. scripts/bench loops and test/e2e/loop-costs.py run them:
//
//   loops NAME ITERATIONS CALLS     prints a checksum, and the processor time of a call in nanoseconds
//   loops                           prints the names
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <vector>

namespace {

using Data = std::vector<int>;

#define KERNEL __attribute__((noinline)) static void

KERNEL intIndex(int *v, int n, int k) { cilk_for(int i = 0; i < n; ++i) v[i] += i ^ k; }
KERNEL sizeIndex(int *v, size_t n, int k) { cilk_for(size_t i = 0; i < n; i++) v[i] += int(i) ^ k; }
KERNEL unsignedIndex(int *v, unsigned n, int k) { cilk_for(unsigned i = 0; i != n; ++i) v[i] = v[i] * 3 + k; }
KERNEL fromFirst(int *v, int first, int n, int k) { cilk_for(int i = first; i <= n - 1; ++i) v[i] += i * k; }
KERNEL downwards(int *v, int n, int k) { cilk_for(int i = n - 1; i >= 0; --i) v[i] ^= i + k; }
KERNEL steps(int *v, int n, int k) { cilk_for(int i = 0; i < n; i += 2) v[i] += k; }
KERNEL pointers(int *first, int *last, int k) { cilk_for(int *p = first; p != last; ++p) *p += k; }
KERNEL iterators(Data &data, int k) { cilk_for(auto it = data.begin(); it != data.end(); ++it) *it += k; }
KERNEL ranges(Data &data, int k) { cilk_for(int &x : data) x = x * 5 + k; }
KERNEL stencil(int *to, const int *from, int n) {
  cilk_for(int i = 1; i < n - 1; ++i) to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
}
KERNEL audio(int16_t *to, const int16_t *a, const int16_t *b, int n) {
  cilk_for(int i = 0; i < n; ++i) {
    int sum = (a[i] * 3 + b[i] * 5) >> 3;
    to[i] = int16_t(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}
template <typename Body> void parallelFor(long first, long last, const Body &body) {
  cilk_for(long i = first; i < last; ++i) body(i);
}
KERNEL lambda(int *v, int n, int k) {
  parallelFor(0, n, [&](long i) { v[i] += int(i) ^ k; });
}
KERNEL nested(int *v, int n, int k) {
  cilk_for(int i = 0; i < n / 64; ++i) cilk_for(int j = 0; j < 64; ++j) v[i * 64 + j] += j ^ k;
}

struct Arrays {
  explicit Arrays(int n) : data(n), other(n), left(n), right(n), sum(n) {
    std::iota(data.begin(), data.end(), 1);
    std::iota(other.begin(), other.end(), 7);
    for (int i = 0; i < n; ++i)
      left[i] = int16_t(i * 77), right[i] = int16_t(i * 91);
  }
  unsigned checksum() const {
    unsigned total = 0;
    for (size_t i = 0; i < data.size(); ++i)
      total = total * 31 + unsigned(data[i]) + unsigned(sum[i]);
    return total;
  }
  Data data, other;
  std::vector<int16_t> left, right, sum;
};

struct Loop {
  const char *name;
  void (*call)(Arrays &, int n, int k);
};

const Loop loops[] = {
    {"int", [](Arrays &a, int n, int k) { intIndex(a.data.data(), n, k); }},
    {"size_t", [](Arrays &a, int n, int k) { sizeIndex(a.data.data(), n, k); }},
    {"unsigned", [](Arrays &a, int n, int k) { unsignedIndex(a.data.data(), n, k); }},
    {"first", [](Arrays &a, int n, int k) { fromFirst(a.data.data(), k & 1, n, k); }},
    {"downwards", [](Arrays &a, int n, int k) { downwards(a.data.data(), n, k); }},
    {"steps", [](Arrays &a, int n, int k) { steps(a.data.data(), n, k); }},
    {"pointers", [](Arrays &a, int n, int k) { pointers(a.data.data(), a.data.data() + n, k); }},
    {"iterators", [](Arrays &a, int, int k) { iterators(a.data, k); }},
    {"ranges", [](Arrays &a, int, int k) { ranges(a.data, k); }},
    {"stencil",
     [](Arrays &a, int n, int k) {
       stencil(k & 1 ? a.data.data() : a.other.data(), k & 1 ? a.other.data() : a.data.data(), n);
     }},
    {"audio", [](Arrays &a, int n, int) { audio(a.sum.data(), a.left.data(), a.right.data(), n); }},
    {"lambda", [](Arrays &a, int n, int k) { lambda(a.data.data(), n, k); }},
    {"nested", [](Arrays &a, int n, int k) { nested(a.data.data(), n, k); }},
};

double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    for (const Loop &loop : loops)
      printf("%s\n", loop.name);
    return 0;
  }
  int n = atoi(argv[2]), calls = atoi(argv[3]);
  for (const Loop &loop : loops)
    if (!strcmp(loop.name, argv[1])) {
      Arrays arrays(n);
      double start = processorTime();
      for (int k = 0; k < calls; ++k)
        loop.call(arrays, n, k);
      double took = processorTime() - start;
      printf("%u\n", arrays.checksum());
      fprintf(stderr, "%.2f\n", took / calls);
      return 0;
    }
  return 1;
}
