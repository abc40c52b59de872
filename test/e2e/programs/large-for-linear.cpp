// Loops in C++: dense matrices as a class over std::vector with loops in templates, member functions and lambdas; LU
// with pivots, products by blocks, all shortest paths, bitonic sort. A cilk_for calls code with one of its own.
//   large-for-linear [n]   matrices of n rows, by default 48
#include <algorithm>
#include <cilk/cilk.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace {

constexpr int infinite_distance = std::numeric_limits<int>::max() / 2;

template <typename T> class Matrix {
public:
  Matrix(int rows, int columns) : height(rows), width(columns), cells(static_cast<std::size_t>(rows * columns)) {}

  int rows() const { return height; }
  int columns() const { return width; }
  T *operator[](int row) { return cells.data() + static_cast<std::ptrdiff_t>(row) * width; }
  const T *operator[](int row) const { return cells.data() + static_cast<std::ptrdiff_t>(row) * width; }

  // Every cell from its row and column; a member function with a loop.
  template <typename Function> void generate(const Function &function) {
    cilk_for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j)
        (*this)[i][j] = function(i, j);
  }

  void swap_rows(int a, int b) {
    if (a != b)
      std::swap_ranges((*this)[a], (*this)[a] + width, (*this)[b]);
  }

  std::uint64_t hash() const {
    std::uint64_t sum = 0;
    for (const T &cell : cells) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &cell, sizeof cell);
      sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
      sum ^= sum >> 29;
    }
    return sum;
  }

private:
  int height, width;
  std::vector<T> cells;
};

// One block of a product; not a task by itself.
template <typename T> struct Block {
  int top, left, size;
  void add(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b) const {
    const int bottom = std::min(top + size, c.rows()), right = std::min(left + size, c.columns());
    for (int i = top; i < bottom; ++i)
      for (int k = 0; k < a.columns(); ++k)
        for (int j = left; j < right; ++j)
          c[i][j] += a[i][k] * b[k][j];
  }
};

template <typename T, int Size> void multiply(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b) {
  c.generate([](int, int) { return T(); });
#pragma cilk grainsize = Size / 4
  cilk_for (int top = 0; top < c.rows(); top += Size) {
    cilk_for (int left = 0; left < c.columns(); left += Size) {
      Block<T> block{top, left, Size};
      block.add(c, a, b);
    }
  }
}

// Finds the row with the largest entry of a column, by halving. It is a Cilk function that the loops around it wait for.
int find_pivot(const Matrix<double> &a, int column, int low, int high) {
  if (high - low == 1)
    return low;
  const int middle = low + (high - low) / 2;
  int above = cilk_spawn find_pivot(a, column, low, middle);
  int below = find_pivot(a, column, middle, high);
  cilk_sync;
  return std::fabs(a[above][column]) >= std::fabs(a[below][column]) ? above : below;
}

// L and U in place, with the order of the rows; returns the sign of the permutation, 0 if singular.
int factor(Matrix<double> &a, int *order) {
  const int n = a.rows();
  int sign = 1;
  std::iota(order, order + n, 0);
  for (int k = 0; k < n; ++k) {
    const int pivot = find_pivot(a, k, k, n);
    if (a[pivot][k] == 0)
      return 0;
    if (pivot != k) {
      a.swap_rows(pivot, k);
      std::swap(order[pivot], order[k]);
      sign = -sign;
    }
    cilk_for (int i = n - 1; i > k; --i) {
      const double scale = a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j)
        a[i][j] -= scale * a[k][j];
    }
  }
  return sign;
}

// One column of the inverse; its buffer belongs to this call.
void invert_column(const Matrix<double> &lu, const int *order, Matrix<double> &inverse, int column) {
  const int n = lu.rows();
  std::vector<double> buffer(static_cast<std::size_t>(n));
  double *x = buffer.data();
  for (int i = 0; i < n; ++i) {
    x[i] = order[i] == column;
    for (int j = 0; j < i; ++j)
      x[i] -= lu[i][j] * x[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      x[i] -= lu[i][j] * x[j];
    inverse[i][column] = x[i] /= lu[i][i];
  }
}

void invert(const Matrix<double> &lu, const int *order, Matrix<double> &inverse) {
  cilk_for (int column = 0; column < lu.rows(); ++column)
    invert_column(lu, order, inverse, column);
}

// All shortest paths (Floyd and Warshall). The row and the column of k do not change in its round.
void shortest(Matrix<int> &distance) {
  const int n = distance.rows();
  for (int k = 0; k < n; ++k) {
    const int *through = distance[k];
    auto round = [&distance, through, k, n] {
      cilk_for (int i = 0; i < n; ++i) {
        if (i == k)
          continue;
        int *row = distance[i];
        const int first = row[k];
        for (int j = 0; j < n; ++j)
          if (j != k && first < infinite_distance - through[j])
            row[j] = std::min(row[j], first + through[j]);
      }
    };
    round();
  }
}

// A bitonic network; its length is a power of two.
template <typename T> void bitonic_sort(T *data, std::size_t length) {
  for (std::size_t size = 2; size <= length; size *= 2)
    for (std::size_t gap = size / 2; gap > 0; gap /= 2)
      cilk_for (std::size_t i = 0; i < length; ++i) {
        const std::size_t other = i ^ gap;
        if (other > i && ((i & size) == 0) == (data[other] < data[i]))
          std::swap(data[i], data[other]);
      }
}

// Sums before each element: up and down a tree of partial sums, by strides.
std::uint64_t scan(std::uint64_t *data, std::int64_t length) {
  for (std::int64_t stride = 1; stride < length; stride *= 2)
    cilk_for (std::int64_t i = 2 * stride - 1; i < length; i += 2 * stride)
      data[i] += data[i - stride];
  const std::uint64_t total = data[length - 1];
  data[length - 1] = 0;
  for (std::int64_t stride = length / 2; stride > 0; stride /= 2)
    cilk_for (std::int64_t i = length - 1; i >= 2 * stride - 1; i -= 2 * stride) {
      const std::uint64_t left = std::exchange(data[i - stride], data[i]);
      data[i] += left;
    }
  return total;
}

} // namespace

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 48;
  if (n < 1 || n > 2000)
    return 2;
  auto show = [](const char *what, std::uint64_t hash) {
    std::printf("%s %016llx\n", what, static_cast<unsigned long long>(hash));
  };
  bool right = true;

  Matrix<double> a(n, n), lu(n, n), inverse(n, n), product(n, n);
  a.generate([](int i, int j) { return std::sin(i * i * 7.0 + i * j * j * 0.3) + (j == (i + 3) % 7 ? 2 : 0); });
  lu = a;
  std::vector<int> order(static_cast<std::size_t>(n));
  const int sign = factor(lu, order.data());
  show("lu", lu.hash());
  if (sign) {
    invert(lu, order.data(), inverse);
    multiply<double, 16>(product, a, inverse);
    show("inverse", inverse.hash());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        right = right && std::fabs(product[i][j] - (i == j)) < 1e-6;
  }
  std::printf("sign %d, inverse %s\n", sign, right ? "right" : "wrong");

  Matrix<std::uint32_t> p(n, 2 * n), q(2 * n, n + 5), r(n, n + 5);
  p.generate([](int i, int j) { return static_cast<std::uint32_t>(i * 31 + j * 17); });
  q.generate([n](int i, int j) { return static_cast<std::uint32_t>(i * j + n); });
  multiply<std::uint32_t, 7>(r, p, q);
  show("product", r.hash());

  Matrix<int> distance(n, n);
  distance.generate([](int i, int j) {
    return i == j ? 0 : (i * 37 + j * 91) % 13 < 3 ? 1 + (i * j) % 50 : infinite_distance;
  });
  shortest(distance);
  show("paths", distance.hash());

  std::vector<std::pair<int, unsigned>> items;
  for (unsigned i = 0; i < 1024; ++i)
    items.emplace_back(static_cast<int>(i * 2654435761u >> 22), i);
  bitonic_sort(items.data(), items.size());
  std::vector<std::uint64_t> sums;
  for (const auto &[key, index] : items)
    sums.push_back(static_cast<std::uint64_t>(key) * 1000 + index);
  right = right && std::is_sorted(items.begin(), items.end());
  const std::uint64_t total = scan(sums.data(), static_cast<std::int64_t>(sums.size()));
  std::uint64_t hash = total;
  for (std::uint64_t sum : sums)
    hash = hash * 31 + sum;
  show("scan", hash);
  return !right;
}
