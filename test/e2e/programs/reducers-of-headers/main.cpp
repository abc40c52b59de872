// Reducers of headers and of other files, in C++. This file names no reducer: it calls functions of other files, also
// through pointers, virtual functions and `std::function`.
#include "tasks.h"
#include <cstdio>
#include <functional>

namespace {

struct Tour {
  virtual ~Tour() = default;
  virtual void go(int n) {
    cilk_spawn deliver(n);
    deliver(n + 1);
  }
};

struct LongTour : Tour {
  void go(int n) override {
    cilk_spawn visit(n % 4);
    tour(n);
  }
};

void each(int n, const std::function<void(int)> &use) {
  cilk_for (int i = 0; i < n; ++i)
    use(i);
}

} // namespace

int main() {
  int count = cilk_spawn tour(6);
  cilk_spawn visit(5);
  int other = tour(3);
  cilk_sync;
  halve(0, 9, [](int i) { deliver(i + 20); });
  each(10, deliver);
  Tour shortTour;
  LongTour longTour;
  Tour *tours[] = {&shortTour, &longTour};
  for (int i = 0; i < 4; ++i) {
    cilk_spawn tours[i % 2]->go(i);
    tours[1 - i % 2]->go(i + 3);
  }
  cilk_sync;
  report();
  std::printf("%d %d\n", count, other);
}
