// Tests exceptions of ordered tasks, and of functions that have them. The sync throws the exception that is first in
// serial order, whatever the levels are. Tasks that stand before it have run, and tasks that wait for it have not. An
// exception of the function itself waits for ordered tasks that have not started.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <stdio.h>
#include <string>

struct Broken {
  int number;
};

static std::atomic<int> objects{0};
struct Counted {
  Counted() { ++objects; }
  Counted(const Counted &) = delete;
  ~Counted() { --objects; }
};

static void check(int number, bool isBroken, int *done) {
  if (isBroken)
    throw Broken{number};
  *done = number;
}

// A task with children, one of which throws.
static int deep(int depth, int *cell, int broken) {
  Counted here;
  if (depth == 0) {
    if (broken)
      throw Broken{broken};
    return *cell += 1;
  }
  int copy = *cell;
  int a = cilk_spawn deep(depth - 1, &copy, depth == 1 ? broken : 0);
  int b = deep(depth - 1, cell, broken);
  cilk_sync;
  return a + b;
}

// A chain of `n` tasks, and as many tasks of the first level behind it. `late` and `early` throw.
static std::string chain(int n, int late, int early) {
  int link = 0, done[64] = {};
  std::string text;
  try {
    Counted here;
    for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : link)
      cilk_spawn check(i + 1, i == late, &link);
    }
    for (int i = 0; i < n; ++i) {
#pragma cilk depend(out : done[i])
      cilk_spawn check(i + 1, i == early, &done[i]);
    }
    cilk_sync;
    text = "no ";
  } catch (const Broken &broken) {
    text = "broken " + std::to_string(broken.number) + ' ';
  }
  // Behind an exception, only what stands before it is known.
  text += std::to_string(link);
  if (late < 0 || late >= n)
    for (int i = 0; i < n && i != early; ++i)
      text += ' ' + std::to_string(done[i]);
#pragma cilk depend(inout : link)
  cilk_spawn check(100, false, &link);
  cilk_sync;
  return text + ' ' + std::to_string(link);
}

// Plain and ordered children throw. The exception leaves the function.
static int mixed(int plain, int ordered) {
  Counted here;
  int cells[4] = {}, result = -1;
  for (int i = 0; i < 4; ++i) {
    cilk_spawn check(10 + i, i == plain, &cells[i]);
#pragma cilk depend(inout : result)
    result = cilk_spawn deep(2, &result, i == ordered ? 20 + i : 0);
  }
  cilk_sync;
  return result + cells[0] + cells[3];
}

// The function itself throws: its ordered tasks run first, and an exception of them takes the place of its own.
static void itself(int *cells, int broken) {
  auto own = std::make_unique<Counted>();
  for (int i = 0; i < 4; ++i) {
#pragma cilk depend(inout : cells[0]) depend(out : cells[i])
    cilk_spawn check(i + 1, i == broken, &cells[i]);
  }
  throw std::runtime_error("itself");
}

static std::string callItself(int broken) {
  int cells[4] = {};
  std::string text;
  try {
    itself(cells, broken);
  } catch (const Broken &found) {
    text = "broken " + std::to_string(found.number);
  } catch (const std::exception &found) {
    text = found.what();
  }
  for (int i = 0; i < 4 && (broken < 0 || i < broken); ++i)
    text += ' ' + std::to_string(cells[i]);
  return text;
}

// A handler of the same function begins when the ordered tasks have run. Nothing leaves the function.
static int inside() noexcept {
  int cell = 0;
  try {
#pragma cilk depend(inout : cell)
    cilk_spawn deep(1, &cell, 0);
#pragma cilk depend(inout : cell)
    cilk_spawn deep(2, &cell, 0);
    throw 5;
  } catch (int number) {
    return cell * 10 + number;
  }
}

static int guarded(int plain, int ordered) {
  try {
    return mixed(plain, ordered);
  } catch (const Broken &broken) {
    return 1000 + broken.number;
  }
}

// Of the iterations that throw, the first one in serial order counts, whatever the values of the variable are.
template <class Value> static long firstOfLoop(Value first, Value bound, int step) {
  try {
    if (step > 0) {
      cilk_for (Value value = first; value < bound; value += step)
        if (long(value - bound) % 3 == 0)
          throw Broken{int(value - bound)};
    } else {
      cilk_for (Value value = first; value != bound; value += step)
        if (long(value - bound) % 3 == 0)
          throw Broken{int(value - bound)};
    }
  } catch (const Broken &broken) {
    return broken.number;
  }
  return -1;
}

int main() {
  static char cells[100];
  printf("%ld %ld %ld %ld\n", firstOfLoop(-20, 100, 2), firstOfLoop(100, -20, -2),
         firstOfLoop(-(1L << 30), 4L << 30, 1 << 20), firstOfLoop<signed char>(100, -98, -1));
  printf("%ld %ld\n", firstOfLoop(cells, cells + 100, 7), firstOfLoop(cells + 98, cells, -7));
  for (int n : {0, 1, 5, 40})
    for (int late : {-1, 0, 3, 39})
      for (int early : {-1, 0, 4, 20})
        printf("%s\n", chain(n, late, early).c_str());
  for (int plain = -1; plain < 5; ++plain)
    for (int ordered = -1; ordered < 5; ++ordered)
      printf("%d ", guarded(plain, ordered));
  for (int broken = -1; broken < 4; ++broken)
    printf("\n%s", callItself(broken).c_str());
  printf("\n%d %d\n", inside(), objects.load());
  int results[50];
  try {
    cilk_for (int i = 0; i < 50; ++i) {
      int cell = i;
#pragma cilk depend(inout : cell)
      cilk_spawn deep(2, &cell, i == 30 ? 7 : 0);
#pragma cilk depend(inout : cell)
      cilk_spawn deep(1, &cell, i == 20 ? 8 : i == 30 ? 9 : 0);
      cilk_sync;
      results[i] = cell;
    }
  } catch (const Broken &broken) {
    printf("iteration %d %d\n", broken.number, results[19]);
  }
  int cell = 0;
  try {
#pragma cilk depend(inout : cell)
    cilk_spawn check(3, false, &cell);
#pragma cilk depend(inout : cell)
    cilk_spawn check(4, true, &cell);
#pragma cilk depend(inout : cell)
    cilk_spawn check(5, false, &cell);
    cilk_sync;
  } catch (const Broken &broken) {
    printf("main %d %d\n", broken.number, cell);
  }
  cell = 0;
  try {
    for (int i = 0; i < 70000; ++i) { // more than a table has
#pragma cilk depend(inout : cell)
      cilk_spawn check(i, i == 60000, &cell);
    }
    cilk_sync;
  } catch (const Broken &broken) {
    printf("many %d %d\n", broken.number, cell);
  }
#pragma cilk depend(inout : cell)
  cilk_spawn check(3, false, &cell);
  cilk_sync;
  printf("%d %d\n", cell, objects.load());
}
