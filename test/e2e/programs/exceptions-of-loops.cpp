// Exceptions leave the loops of functions that ordinary code calls: in a try statement of the caller, of the function
// itself, of a function between them, and in a handler.
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>

static int cells[64];

struct Counted {
  static std::atomic<int> alive;
  Counted() { ++alive; }
  Counted(const Counted &) { ++alive; }
  ~Counted() { --alive; }
};
std::atomic<int> Counted::alive = 0;

static void check(int count, int bad) {
  Counted local;
  cilk_for (int i = 0; i < count; ++i) {
    Counted inside;
    if (i == bad)
      throw std::runtime_error("cell " + std::to_string(i));
    if (bad < 0 || i < bad) // others run only if the loop is parallel
      ++cells[i];
  }
}

static void twice(int count, int bad) {
  Counted local;
  check(count, -1);
  check(count, bad);
}

static int tolerant(int count, int bad) {
  int caught = 0;
  try {
    cilk_for (int i = 0; i < count; ++i) {
      if (i % 10 == bad)
        throw i;
      cells[i] += i < bad;
    }
  } catch (int value) {
    caught = value + 1;
  }
  return caught;
}

static void report(const char *what) {
  int sum = 0;
  for (int cell : cells)
    sum = sum * 3 + cell;
  std::printf("%s %d %d\n", what, sum, int(Counted::alive));
}

int main() {
  for (int bad = -1; bad < 60; bad += 20)
    try {
      twice(50, bad);
      report("all");
    } catch (const std::runtime_error &error) {
      report(error.what());
      try {
        check(20, 10 + bad % 7); // in a handler
      } catch (const std::exception &other) {
        report(other.what());
      }
    }
  std::printf("%d\n", tolerant(64, 3));
  std::printf("%d\n", tolerant(64, 11));
  report("end");
}
