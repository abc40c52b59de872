// Recursive functions that only add to a reducer, in many shapes. The compiler lets the first ones return what they add.
// The last ones keep their views.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cstdint>
#include <cstdio>

template <typename T> void zero(void *view) { *static_cast<T *>(view) = 0; }
template <typename T> void ones(void *view) { *static_cast<T *>(view) = static_cast<T>(-1); }
template <typename T> void add(void *left, void *right) { *static_cast<T *>(left) += *static_cast<T *>(right); }
template <typename T> void unite(void *left, void *right) { *static_cast<T *>(left) |= *static_cast<T *>(right); }
template <typename T> void meet(void *left, void *right) { *static_cast<T *>(left) &= *static_cast<T *>(right); }
template <typename T> void toggle(void *left, void *right) {
  *static_cast<T *>(left) = *static_cast<T *>(right) ^ *static_cast<T *>(left);
}

static long cilk_reducer(zero<long>, add<long>) total = 0;
static unsigned cilk_reducer(zero<unsigned>, unite<unsigned>) seen = 0;
static uint64_t cilk_reducer(ones<uint64_t>, meet<uint64_t>) common = static_cast<uint64_t>(-1);
uint64_t cilk_reducer(zero<uint64_t>, toggle<uint64_t>) parity = 0;

//===-- Functions that return what they add -----------------------------------------------------------------------===//

static void fib(int n) {
  if (n < 2) {
    total += n;
    return;
  }
  cilk_spawn fib(n - 1);
  fib(n - 2);
} // children may run here: there is no sync

/// Adds before, between and behind syncs, and subtracts.
static void rounds(int n, int depth) {
  total++;
  for (int round = 0; depth && round < 3; ++round) {
    cilk_spawn rounds(n + round, depth - 1);
    total -= n;
    if (round == 1)
      cilk_sync;
    total += 3 * round;
  }
  cilk_sync;
  total += depth;
}

static void hit(int weight) { total += weight; }

/// Adds by a helper, and by functions that call each other.
static void odd(int n);
static void even(int n) {
  if (n == 0)
    return hit(1);
  cilk_spawn odd(n - 1);
  hit(n);
  cilk_spawn odd(n - 1);
  cilk_sync;
}
static void odd(int n) {
  if (n % 3 == 0)
    hit(10);
  if (n > 0)
    even(n - 1);
}

/// Adds the result of a function that adds, too.
static long more(int n) {
  total += n;
  return 2 * n;
}
static void nested(int n) {
  total += more(n);
  if (n > 0) {
    cilk_spawn nested(n - 1);
    cilk_spawn nested(n / 2);
  }
}

static void place(unsigned columns, unsigned left, unsigned right, unsigned all) {
  if (columns == all) {
    total += 1;
    return;
  }
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    cilk_spawn place(columns | bit, (left | bit) << 1, (right | bit) >> 1, all);
  }
}

static void bits(unsigned n) {
  seen |= 1u << n % 31;
  if (n > 1) {
    cilk_spawn bits(n / 2);
    bits(n / 3);
  }
}

static void clear(unsigned n) {
  common &= ~(uint64_t(1) << n % 63);
  if (n > 4) {
    cilk_spawn clear(n / 4);
    cilk_spawn clear(n / 5);
    cilk_sync;
  }
}

/// Other files may call it.
void flip(unsigned n) {
  parity ^= n * uint64_t(0x9e3779b97f4a7c15);
  if (n > 2) {
    cilk_spawn flip(n - 1);
    flip(n - 3);
    cilk_sync;
  }
}

/// The reducer is an argument.
static void leaves(int depth, cilk::opadd_reducer<int> &local, int step) {
  if (!depth) {
    local += step;
    return;
  }
  cilk_spawn leaves(depth - 1, local, step + 1);
  cilk_spawn leaves(depth - 1, local, step * 3);
}

struct Node {
  Node *left, *right;
  long value;
};

static Node *build(int depth, long value) {
  return depth ? new Node{build(depth - 1, 2 * value), build(depth - 1, 2 * value + 1), value} : nullptr;
}

static void walk(const Node *node) {
  if (!node)
    return;
  cilk_spawn walk(node->left);
  total += node->value;
  walk(node->right);
}

static cilk::reducer_opadd<long> oldSum(5);
static cilk::reducer<cilk::op_add<int>> sum;
static cilk::reducer<cilk::op_and<unsigned>> conjunction(0xfffffu);
static cilk::reducer<cilk::op_or<unsigned long>> disjunction;
static cilk::reducer<cilk::op_xor<int>> difference;

/// Members of the classes of Cilk Plus.
static void members(int n) {
  if (n < 2) {
    oldSum += n;
    ++oldSum;
    return;
  }
  cilk_spawn members(n - 1);
  oldSum -= 3;
  members(n - 2);
}
static void views(int n) {
  *sum += n;
  if (n > 1) {
    cilk_spawn views(n / 2);
    cilk_spawn views(n / 3);
    *sum -= 2;
    cilk_sync;
  }
}
static void ands(unsigned n) {
  *conjunction &= ~(1u << n % 20);
  if (n > 3) {
    cilk_spawn ands(n / 3);
    ands(n / 5);
  }
}
static void ors(unsigned n) {
  *disjunction |= 1ul << n % 60;
  for (unsigned i = 2; i < 5 && n > 1; ++i)
    cilk_spawn ors(n / i);
}
static void xors(int n, int key) {
  *difference ^= key;
  if (n > 0) {
    cilk_spawn xors(n - 1, key * 5 + 1);
    xors(n - 1, key ^ n);
  }
}

//===-- Functions that keep their views ---------------------------------------------------------------------------===//

/// Updates two reducers.
static void both(unsigned n) {
  total += n;
  seen |= n;
  if (n > 1) {
    cilk_spawn both(n / 2);
    both(n - n / 2 - 1);
    cilk_sync;
  }
}

/// Updates in iterations and in a spawned block.
static void loops(int n) {
  if (n <= 0)
    return;
  cilk_for(int i = 0; i < n; ++i) total += i;
  cilk_spawn { total += 7; }
  cilk_spawn loops(n - 3);
  cilk_sync;
}

/// Returns another value.
static int sized(int n) {
  total += n;
  if (n < 2)
    return 1;
  int left = cilk_spawn sized(n - 1);
  int right = sized(n - 2);
  cilk_sync;
  return left + right;
}

int main() {
  fib(17);
  std::printf("fib %ld\n", total);
  cilk_spawn rounds(2, 5);
  fib(9);
  cilk_sync;
  std::printf("rounds %ld\n", total);
  cilk_for(int i = 0; i < 20; ++i) even(i % 7);
  std::printf("even %ld\n", total);
  nested(12);
  place(0, 0, 0, (1u << 7) - 1);
  std::printf("place %ld\n", total);
  bits(5000);
  clear(5000);
  flip(17);
  std::printf("bits %x %llx %llx\n", seen, static_cast<unsigned long long>(common),
              static_cast<unsigned long long>(parity));
  cilk::opadd_reducer<int> local = 0, other = 100;
  leaves(9, local, 1);
  cilk_spawn leaves(5, other, 2);
  leaves(4, local, 5);
  cilk_sync;
  std::printf("leaves %d %d\n", static_cast<int>(local), static_cast<int>(other));
  Node *root = build(10, 1);
  walk(root);
  std::printf("walk %ld\n", total);
  members(15);
  views(700);
  ands(900);
  ors(600);
  xors(7, 12);
  std::printf("classes %ld %d %x %lx %x\n", oldSum.get_value(), sum.get_value(), conjunction.get_value(),
              disjunction.get_value(), static_cast<unsigned>(difference.get_value()));
  both(300);
  loops(40);
  int size = sized(12);
  std::printf("views %ld %x %d\n", total, seen, size);
}
