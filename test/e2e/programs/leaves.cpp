// Childless tasks that allocate and compute in loops, with several ways out, and results of classes, by reference and scalar.
// Loops with spawns stand around them.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using Numbers = std::vector<unsigned long>;

struct Matrix {
  int n;
  std::vector<unsigned> elements;
  explicit Matrix(int n) : n(n), elements(size_t(n) * size_t(n)) {}
  unsigned &operator()(int i, int k) { return elements[size_t(i * n + k)]; }
  const unsigned &operator()(int i, int k) const { return elements[size_t(i * n + k)]; }
};

/// The loops read `a` and `b` and write `c`. A kernel must not mix these up, either.
static Matrix power(const Matrix &a, const Matrix &b, int depth) {
  if (depth == 0) {
    Matrix c(a.n);
    for (int i = 0; i < a.n; ++i)
      for (int k = 0; k < a.n; ++k)
        for (int j = 0; j < a.n; ++j)
          c(i, j) += a(i, k) * b(k, j);
    return c;
  }
  Matrix x = cilk_spawn power(a, b, depth - 1);
  Matrix y = power(b, a, depth - 1);
  cilk_sync;
  for (size_t i = 0; i < x.elements.size(); ++i)
    x.elements[i] = 3 * x.elements[i] + y.elements[i];
  return x;
}

static unsigned long several(const Numbers &in, size_t low, size_t high, Numbers *out, int mode) {
  if (high - low < 5) {
    std::unique_ptr<unsigned long[]> copy(new unsigned long[high - low + 1]);
    unsigned long sum = 0;
    for (size_t i = low; i < high; ++i) {
      copy[i - low] = in[i];
      if (in[i] == 13)
        return 1;
      sum += copy[i - low];
    }
    if (out)
      for (size_t i = low; i < high; ++i)
        (*out)[i] = 2 * copy[i - low];
    return sum;
  }
  if (mode == 1 && high - low < 20) {
    Numbers copy(in.begin() + long(low), in.begin() + long(high));
    unsigned long most = 0;
    for (unsigned long x : copy) {
      if (x <= most)
        continue;
      most = x;
      if (most > 90)
        break;
    }
    return most;
  }
  size_t middle = low + (high - low) / 2;
  unsigned long x = cilk_spawn several(in, low, middle, out, mode);
  unsigned long y = several(in, middle, high, out, mode ^ 1);
  cilk_sync;
  return 3 * x + y;
}

static std::string words(int n) {
  std::string result;
  for (int i = 0; i < n; ++i) {
    if (i % 2) {
      std::string more;
      for (int k = 0; k < 5 * i; ++k)
        more += char('a' + k % 26);
      result += more;
      continue;
    }
    std::string inner = cilk_spawn words(n - 2 - i);
    cilk_sync;
    result += "(" + inner + ")";
  }
  if (n > 3) {
    std::vector<std::string> all;
    for (char c : result)
      all.push_back(std::string(2, c));
    result.clear();
    for (const std::string &two : all)
      result += two.substr(1);
  }
  return result;
}

static void collect(unsigned n, Numbers &result) {
  if (n < 3) {
    for (unsigned i = 0; i < 10; ++i)
      result.push_back(i * n);
    return;
  }
  Numbers a, b;
  cilk_spawn collect(n - 1, a);
  collect(n - 2, b);
  cilk_sync;
  for (unsigned long x : a)
    result.push_back(x);
  for (unsigned long x : b)
    result.push_back(x + 1);
}

static unsigned long hash(unsigned long start, const Numbers &numbers) {
  for (unsigned long x : numbers)
    start = start * 31 + x;
  return start;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 7;
  Matrix a(n), b(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      a(i, k) = unsigned(7 * i + k), b(i, k) = unsigned(i ^ 5 * k);
  unsigned long sum = 0;
  for (unsigned x : power(a, b, 4).elements)
    sum = sum * 31 + x;
  Numbers in(200), out(200), collected;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i * i % 101;
  unsigned long mixed = several(in, 0, in.size(), &out, 0);
  collect(8, collected);
  printf("%lu %lu %s %zu %lu\n", sum, hash(mixed, out), words(n).c_str(), collected.size(), hash(0, collected));
}
