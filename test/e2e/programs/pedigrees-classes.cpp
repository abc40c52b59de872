// Pedigrees in C++: of members, virtual functions, lambdas and templates, of children whose results are assigned by
// functions, and behind exceptions that a task catches.
// Link: -fcilk-pedigrees
#include <algorithm>
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Entry {
  std::vector<unsigned long long> ranks;
  unsigned long long random = 0;
};
Entry entries[2048];

void note(int at) {
  __cilkrts_pedigree leaf = __cilkrts_get_pedigree();
  for (const __cilkrts_pedigree *place = &leaf; place; place = place->parent)
    entries[at].ranks.push_back(place->rank);
  entries[at].random ^= __cilkrts_get_dprand();
}

struct Base {
  virtual ~Base() = default;
  virtual void run(int at) const = 0;
};
struct One : Base {
  void run(int at) const override { note(at); }
};
struct Two : Base {
  void run(int at) const override {
    cilk_spawn note(at);
    note(at + 1);
    cilk_sync;
    note(at + 2);
  }
};

void variadic(int at, ...) {
  va_list list;
  va_start(list, at);
  note(at + va_arg(list, int));
  va_end(list);
}

struct Number {
  int value = 0;
  Number() = default;
  explicit Number(int value) : value(value) {}
  Number(const Number &other) : value(other.value) {}
  Number &operator=(const Number &other) {
    value = other.value;
    note(100 + value);
    return *this;
  }
  ~Number() {}
};
Number next(Number number, int at) {
  note(at);
  return Number(number.value + 1);
}

template <typename T> T sum(const T *from, const T *to, int at) {
  if (to - from <= 2) {
    note(at);
    return from == to ? T() : *from + (to - from > 1 ? from[1] : T());
  }
  const T *middle = from + (to - from) / 2;
  T left = cilk_spawn sum(from, middle, 2 * at);
  T right = sum(middle, to, 2 * at + 1);
  cilk_sync;
  return left + right;
}

void mayThrow(int k) {
  note(300 + k);
  if (k % 3 == 1)
    throw std::runtime_error("one");
  cilk_spawn note(320 + k);
  note(340 + k);
}

int countCaught(int n) {
  int caught = 0;
  for (int i = 0; i < n; ++i)
    try {
      mayThrow(i);
      note(360 + i);
    } catch (const std::exception &) {
      ++caught;
      note(380 + i);
    }
  return caught;
}

void through(const std::function<void(int)> &function, int at) { function(at); }

void print() {
  for (int at = 0; at < 2048; ++at) {
    if (entries[at].ranks.empty())
      continue;
    std::printf("%d:", at);
    for (auto rank = entries[at].ranks.rbegin(); rank != entries[at].ranks.rend(); ++rank)
      std::printf(" %llu", *rank);
    std::printf(" %llx\n", entries[at].random);
  }
}

void calls() {
  std::unique_ptr<Base> objects[2] = {std::make_unique<One>(), std::make_unique<Two>()};
  cilk_for (int i = 0; i < 20; ++i)
    objects[i % 2]->run(400 + 4 * i);
  cilk_spawn objects[1]->run(500);
  cilk_spawn objects[0]->run(510);
  for (int i = 0; i < 4; ++i)
    cilk_spawn variadic(520, i);
  cilk_sync;
  auto lambda = [&](int at) {
    note(at);
    cilk_spawn note(at + 1);
    cilk_sync;
  };
  cilk_spawn lambda(550);
  lambda(560);
  cilk_sync;
  cilk_for (int i = 0; i < 8; ++i)
    through([=](int at) { cilk_spawn note(at + i); note(at + 20 + i); }, 600);
}

} // namespace

int main() {
  calls();
  Number assigned;
  assigned = cilk_spawn next(Number(3), 50);
  Number made = cilk_spawn next(Number(4), 51);
  cilk_sync;
  std::vector<long> values(40);
  for (int i = 0; i < 40; ++i)
    values[i] = i;
  std::printf("%ld\n", sum(values.data(), values.data() + values.size(), 1));
  int caught = cilk_spawn countCaught(9);
  cilk_sync;
  std::printf("%d %d %d\n", caught, assigned.value, made.value);
  cilk_for (auto it = values.begin(); it < values.end(); it += 7)
    note(700 + int(*it));
  std::vector<int> order{3, 1, 2};
  std::sort(order.begin(), order.end(), [](int left, int right) {
    note(800 + 4 * left + right);
    return left < right;
  });
  print();
}
