// Ordinary functions between tasks: combinators, visitors, algorithms with lambdas, members, operators, templates, mutual
// recursion through two of them, with locals that are destroyed, lent and passed by value.
#include "checksum.h"
#include "counted.h"
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

namespace {

long tree(int n);

// Tail calls, through two functions and a template.
long step(int n) { return tree(n); }
template <int by> long down(int n) { return step(n - by); }

struct Walker {
  int depth;
  explicit Walker(int depth) : depth(depth) {}
  long operator()(int n) const { return tree(n - depth); }
  long walk(int n) const { return n < 2 ? n : (*this)(n); }
  virtual long visit(int n) const { return tree(n - depth); }
  virtual ~Walker() = default;
};

long tree(int n) {
  if (n < 2)
    return n;
  Walker walker(2);
  long a = cilk_spawn down<1>(n);
  long b = walker.walk(n);
  cilk_sync;
  return a * 3 + b;
}

// Locals with destructors, lent and by value, that live across the call; control flow around it.
long leaf(const Counted &lent, Counted own, std::vector<long> &kept);

long around(int n, const Counted &given) {
  Counted first(n), second(given);
  std::vector<long> kept(4, n);
  long sum = 0;
  for (int i = 0; i < 3 && n > 0; ++i) {
    Counted round(n - i);
    if (i == n % 3)
      continue;
    sum = sum * 7 + leaf(round, second, kept);
    kept.push_back(sum);
  }
  return sum + first.get() + second.get() + std::accumulate(kept.begin(), kept.end(), 0l);
}

long leaf(const Counted &lent, Counted own, std::vector<long> &kept) {
  if (lent.get() < 1)
    return own.get() + long(kept.size());
  Counted less(lent.get() / 2 - 1);
  long a = cilk_spawn around(int(lent.get() / 2), own);
  long b = around(int(less.get()), Counted(own.get() + 1));
  cilk_sync;
  kept[0] += a;
  return a ^ (b * 5);
}

// A fixed point: the lambda spawns what calls the lambda.
template <class Body> struct Fix {
  Body body;
  template <class... Args> long operator()(Args &&...args) const { return body(*this, std::forward<Args>(args)...); }
};
template <class Body> Fix(Body) -> Fix<Body>;

long fixed(int n) {
  auto fib = Fix{[](const auto &self, int n) -> long {
    if (n < 2)
      return n;
    long a = cilk_spawn self(n - 1);
    long b = self(n - 2);
    cilk_sync;
    return a + b;
  }};
  return fib(n);
}

// Visitors.
struct Leaf {
  long value;
};
struct Node;
using Tree = std::variant<Leaf, std::unique_ptr<Node>>;
struct Node {
  Tree left, right;
  long value;
};

Tree grow(int n) {
  if (n == 0)
    return Leaf{n + 1};
  return std::make_unique<Node>(Node{grow(n - 1), grow(n / 2), n});
}

long sum(const Tree &tree) {
  struct Visitor {
    long operator()(const Leaf &leaf) const { return leaf.value; }
    long operator()(const std::unique_ptr<Node> &node) const {
      long a = cilk_spawn sum(node->left);
      long b = sum(node->right);
      cilk_sync;
      return a * 3 + b + node->value;
    }
  };
  return std::visit(Visitor(), tree);
}

// Algorithms and std::invoke, in a task and in the body of a cilk_for.
long algorithms(int n) {
  std::array<int, 6> parts{};
  std::iota(parts.begin(), parts.end(), n);
  std::array<long, 6> sums{};
  cilk_for (int i = 0; i < 6; ++i)
    sums[i] = std::invoke([](int m) { return tree(m); }, parts[i]);
  long total = 0;
  std::for_each(parts.begin(), parts.end(), [&](int m) { total = total * 5 + tree(m); });
  long other = cilk_spawn std::invoke(tree, n);
  total += std::invoke(&Walker::walk, Walker(1), n);
  std::function<long(int)> erased = step;
  total ^= erased(n);
  cilk_sync;
  return std::accumulate(sums.begin(), sums.end(), total + other);
}

// A virtual forwarder.
long dynamic(int n) {
  Walker base(1);
  const Walker *volatile pointer = &base;
  long a = cilk_spawn pointer->visit(n);
  long b = pointer->visit(n - 1);
  cilk_sync;
  return a + b * 3;
}
// Large values by value and returned.
struct Large {
  long values[40];
};
Large spread(const Large &given, int n) {
  Large made = given;
  if (n < 1)
    return made;
  Large a = cilk_spawn [](Large copy, int n) { copy.values[n]++; return spread(copy, n - 1); }(made, n);
  auto forward = [n](Large copy) { return spread(copy, n - 2); };
  Large b = forward(made);
  cilk_sync;
  for (int i = 0; i < 40; ++i)
    made.values[i] = a.values[i] * 3 + b.values[i] + i;
  return made;
}

} // namespace

int main() {
  Checksum checksum = 0;
  for (int n = 0; n < 14; ++n) {
    checksum = fold(checksum, tree(n));
    checksum = fold(checksum, step(n));
    checksum = fold(checksum, around(n, Counted(3)));
    checksum = fold(checksum, fixed(n));
    checksum = fold(checksum, sum(grow(n)));
    checksum = fold(checksum, algorithms(n));
    checksum = fold(checksum, dynamic(n));
    checksum = fold(checksum, spread(Large{{n}}, n).values[n]);
  }
  long shared = 0;
  long late = cilk_spawn step(12);
  cilk_for (int i = 0; i < 3; ++i)
    __atomic_fetch_add(&shared, down<1>(i + 8), __ATOMIC_RELAXED);
  cilk_sync;
  checksum = fold(checksum, late + shared);
  report("forwarders", checksum);
  return Counted::alive != 0;
}
