// C++: references, default arguments, templates, namespaces, constexpr, overloads, member functions that spawn,
// structs with constructors, range-based for, and lambdas in ordinary code around the tasks.
#include <cilk/cilk.h>
#include <cstdint>
#include <cstdio>

namespace tree {

constexpr int limit = 3;

constexpr std::uint64_t scramble(std::uint64_t x) { return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull; }

struct Weights {
  int left;
  long right;
  constexpr Weights(int l, long r) : left(l), right(r) {}
  long blend(long a, long b) const { return a * left + b * right; }
};

template <typename T> T count(T n, const Weights &weights) {
  if (n < T(limit))
    return n + T(1);
  T x = cilk_spawn count<T>(n - 1, weights);
  T y = cilk_spawn count<T>(n - 2, weights);
  cilk_sync;
  return T(weights.blend(long(x), long(y)) % 10007);
}

void fill(std::uint64_t &cell, int depth = 3) {
  if (depth == 0) {
    cell = scramble(cell + 1);
    return;
  }
  std::uint64_t parts[2] = {cell, cell + 1};
  for (std::uint64_t &part : parts)
    cilk_spawn fill(part, depth - 1);
  cilk_sync;
  cell = parts[0] ^ (parts[1] << 1);
}

} // namespace tree

namespace {

class Counter {
public:
  explicit Counter(int start) : base(start) {}
  int total(int n) const;
  int step(int x, int y) const { return (x + 2 * y + base) % 10007; }

private:
  int base;
};

int total(const Counter &counter, int n) {
  if (n <= 0)
    return counter.step(n, 0);
  int x = cilk_spawn total(counter, n - 1);
  int y = cilk_spawn total(counter, n - 2);
  cilk_sync;
  return counter.step(x, y);
}

int Counter::total(int n) const { // a member function that spawns
  int x = 0;
  x = cilk_spawn ::total(*this, n);
  int y = cilk_spawn ::total(*this, n / 2);
  cilk_sync;
  return step(x, y);
}

int overloaded(int n) {
  int x = 0;
  tree::Weights weights(1, 2);
  x = cilk_spawn tree::count<int>(n, weights);
  cilk_sync;
  return x;
}

double overloaded(double n) { return n / 2; }

} // namespace

int main() {
  std::uint64_t sum = 0;
  tree::Weights weights(2, 3);
  auto add = [&](std::uint64_t value) { sum = tree::scramble(sum ^ value) + value; };
  for (int n = 0; n < 14; ++n) {
    add(std::uint64_t(tree::count<int>(n, weights)));
    add(std::uint64_t(tree::count<long>(n, weights)));
    std::uint64_t cell = std::uint64_t(n);
    tree::fill(cell);
    tree::fill(cell, 5);
    add(cell);
    Counter counter(n);
    add(std::uint64_t(counter.total(n)));
    add(std::uint64_t(overloaded(n)) + std::uint64_t(overloaded(double(n))));
  }
  std::printf("generic %016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
