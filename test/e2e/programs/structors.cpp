// Spawns, syncs and loops in constructors and destructors: of bases and members, inherited and delegating ones, with
// virtual bases, in templates, and run as tasks.
#include "checksum.h"
#include <cilk/cilk.h>
#include <memory>
#include <vector>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static Checksum total;
static int ended;
static void add(int *sum, int n) { __atomic_fetch_add(sum, n, __ATOMIC_RELAXED); }

struct Matrix {
  std::vector<int> values;
  explicit Matrix(int n) : values(n) {
    cilk_for (int i = 0; i < n; ++i)
      values[i] = fib(i % 10);
  }
};

// Children use members, which are destroyed when they have ended.
struct Tree {
  int depth, left = 0, right = 0;
  std::vector<int> sums;
  std::unique_ptr<Tree> children[2];
  explicit Tree(int n) : depth(n), sums(2) {
    if (n == 0)
      return;
    cilk_spawn grow(0);
    cilk_spawn grow(1);
    left = cilk_spawn fib(n);
    right = fib(n + 1);
  }
  Tree(int n, int more) : Tree(n) {
    right += more;
    left = cilk_spawn fib(left % 9);
  }
  ~Tree() {
    for (int i = 0; i < 2; ++i)
      cilk_spawn count(i);
    if (depth == 2)
      return;
    cilk_sync;
    cilk_spawn count(0);
  }
  void grow(int i) { children[i] = std::make_unique<Tree>(depth - 1); }
  void count(int i) {
    sums[i] += fib(depth);
    add(&ended, sums[i] * (i + 1));
  }
  Checksum sum(Checksum before) const {
    before = fold(fold(before, left), right);
    for (auto &child : children)
      if (child)
        before = child->sum(before);
    return before;
  }
};

struct Base {
  int value;
  explicit Base(int n) { value = cilk_spawn fib(n); }
  virtual ~Base() { cilk_spawn add(&ended, value); }
};
struct Left : virtual Base {
  int left;
  explicit Left(int n) : Base(n) { left = cilk_spawn fib(n + 1); }
  ~Left() { cilk_spawn add(&ended, left); }
};
struct Right : virtual Base {
  int right;
  explicit Right(int n) : Base(n) { right = cilk_spawn fib(n + 2); }
  ~Right() { cilk_spawn add(&ended, right * 3); }
};
struct Both : Left, Right {
  using Array = std::vector<int>;
  Array all;
  explicit Both(int n) : Base(n), Left(n + 1), Right(n + 2), all(n) {
    cilk_for (int &each : all)
      each = value + left + right;
  }
  ~Both() override {
    cilk_for (int each : all)
      add(&ended, each);
  }
};

template <class T> struct Generic {
  T value;
  Generic(T n) {
    T other;
    value = cilk_spawn fib(n);
    other = fib(n + 1);
    cilk_sync;
    value += other;
  }
  ~Generic() {
    T last = value;
    cilk_spawn add(&ended, last);
    cilk_sync;
  }
};

static int makes(int n) {
  Generic<int> first(n);
  Generic<long> second(n + 1);
  Tree tree(n % 4, 5);
  std::unique_ptr<Base> both = std::make_unique<Both>(n);
  return first.value + (int)second.value + (int)(tree.sum(0) % 1000) + both->value;
}

int main() {
  for (int n = 0; n < 7; ++n) {
    int x = cilk_spawn makes(n), y = makes(n + 1);
    Matrix matrix(n * 5);
    cilk_sync;
    total = fold(fold(total, x), y);
    for (int value : matrix.values)
      total = fold(total, value);
    Tree tree(n % 5);
    total = tree.sum(total);
  }
  report("structors", fold(total, ended));
}
