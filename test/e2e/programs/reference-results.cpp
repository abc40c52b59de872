// Tests references that are bound to the result of a spawn: the result lives as long as the reference, and the child
// writes it. Also bounds of cilk_for that have a class type.
#include <cstdio>
#include <string>
#include <vector>

static int alive = 0;
struct Counted {
  long value;
  explicit Counted(long value) : value(value) { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
  Counted(const Counted &other) : value(other.value) { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
  ~Counted() { __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED); }
};

static long fib(int n) {
  if (n < 2)
    return n;
  const long &left = cilk_spawn fib(n - 1);
  long &&right = cilk_spawn fib(n - 2);
  cilk_sync;
  return left + right;
}

static Counted counted(int n) { return Counted(fib(n)); }

static std::string letters(int n, char c) { return std::string(unsigned(n), c); }

static std::string repeat(char c, int n) {
  const std::string &half = cilk_spawn letters(n, c);
  const Counted &other = cilk_spawn counted(n);
  cilk_sync;
  return half + "|" + std::to_string(other.value) + "," + std::to_string(alive > 0);
}

// A number that compares with int, but does not convert to it.
struct Length {
  int value;
  friend bool operator<(int left, Length right) { return left < right.value; }
  friend int operator-(Length left, int right) { return left.value - right; }
};
struct Convertible {
  int value;
  operator int() const { return value; }
};

int main() {
  std::printf("%s %ld\n", repeat('x', 12).c_str(), fib(15));
  std::vector<long> squares(20);
  Length length{17};
  cilk_for (int i = 2; i < length; i += 3)
    squares[i] = i * i;
  cilk_for (int i = 0; i != Convertible{20}; ++i)
    squares[i] += i;
  for (long square : squares)
    std::printf("%ld ", square);
  std::printf("%d\n", alive);
}
