// Tests that spawned blocks of C++ run destructors of their own objects, spawn lambdas, catch exceptions, capture
// `this`, and that expressions with overloaded operators and temporaries are spawned.
#include <cstdio>
#include <string>
#include <vector>

static long work(int n) { return n < 2 ? n : work(n - 1) + work(n - 2); }

struct Table {
  std::vector<long> rows = std::vector<long>(20);
  void fill() {
    for (int i = 0; i < 20; ++i)
      cilk_spawn {
        std::vector<long> parts(3, i);
        cilk_spawn parts[0] = work(i % 10);
        parts[1] = work(i % 7);
        cilk_sync;
        rows[i] = parts[0] + parts[1] + parts[2];
      }
  }
  long total() const {
    long sum = 0;
    for (long row : rows)
      sum = sum * 3 % 1000003 + row;
    return sum;
  }
};

template <typename T> static T twice(T value) {
  T left{}, right{};
  cilk_spawn { left = value; }
  cilk_spawn right += value;
  cilk_sync;
  return left + right;
}

static int caught(int n) {
  int result = 0;
  cilk_spawn {
    try {
      if (n > 3)
        throw n;
      result = -1;
    } catch (int thrown) {
      result = thrown * 2;
    }
  }
  cilk_sync;
  return result;
}

int main() {
  Table table;
  table.fill();
  std::string text = "a", other;
  cilk_spawn text = text + std::string("bc") + std::to_string(work(10));
  cilk_spawn other = "long enough to be allocated on the heap " + std::to_string(7);
  cilk_sync;
  std::printf("%ld %s %s %ld %s %d %d\n", table.total(), text.c_str(), other.c_str(), twice(21L),
              twice(std::string("xy")).c_str(), caught(2), caught(8));
}
