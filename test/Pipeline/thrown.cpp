// Tests exceptions that leave tasks: they are thrown where the parent syncs, the first one in serial order. All other children
// have run, and destinations of children that threw keep their values.
// RUN: %cilk2gpuxx -std=c++20 -O2 -I %S/../e2e/programs %s -o %t
// RUN: %cilk2gpuxx -std=c++20 -O1 -fserial-elision -I %S/../e2e/programs %s -o %t.elision
// RUN: %t.elision > %t.expected
// RUN: %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=serial %t | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=2 %t | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=1 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=3 %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=model %t | diff %t.expected -
#include "checksum.h"
#include "deferred.h"
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::atomic<unsigned> seen;

void note(unsigned value) { seen += value * 2654435761u; }

struct Guard {
  int value;
  ~Guard() { note(value); }
};

int risky(int n) {
  note(n);
  if (n % 3 == 0)
    throw std::runtime_error("three " + std::to_string(n));
  if (n % 5 == 0)
    throw n;
  return 2 * n;
}

// Throws from any depth; each level may catch a part of the exceptions.
int tree(int n) {
  if (n < 2)
    return risky(n * 3 + 1);
  BEGIN
  Guard guard{n};
  int a = -1, b = -2;
  SPAWN(a = cilk_spawn tree(n - 1))
  note(n * 7);
  SPAWN(b = cilk_spawn tree(n - 2))
  if (n % 4 == 3)
    throw std::string("own exception");
  SYNC
  if (n % 5 == 4)
    throw n * 100 + a;
  return a + b;
  END
}

int caught(int n) {
  BEGIN
  int a = 1, b = 2, result = 0;
  TRY
    Guard guard{n};
    SPAWN(a = cilk_spawn risky(n))
    SPAWN(b = cilk_spawn risky(n + 1))
    note(n);
    SYNC
    result = a + b;
  TRY_END
  CATCH(const std::exception &error) {
    result = a * 3 + b * 5;
    note(error.what()[6]);
  }
  return result;
  END
}

void loop(std::vector<int> &out) {
  FOR(i, 40)
    Guard guard{i};
    out[i] = 1;
    out[i] = risky(i + 10);
  FOR_END
}

// Iterations with children.
void loopOfTasks(std::vector<int> &out) {
  FOR(i, 12)
    int value = 9;
    SPAWN(value = cilk_spawn tree(i % 7))
    out[i] = 3;
    SYNC
    out[i] = value;
  FOR_END
}

// The handler spawns and syncs. The caught exception belongs to the task.
int handler(int n) {
  BEGIN
  int result = 0, a = 0, b = 0;
  TRY
    SPAWN(a = cilk_spawn risky(n))
    SYNC
    result = a;
  TRY_END
  CATCH(const std::runtime_error &error) {
    SPAWN(b = cilk_spawn caught(n + 1))
    SYNC
    try {
      throw;
    } catch (const std::exception &same) {
      result = &same == &error ? b : -1;
    }
    result += std::current_exception() != nullptr;
  }
  return result + std::uncaught_exceptions();
  END
}

int blocks(int n) {
  BEGIN
  int sum = 0;
  std::atomic<int> shared{0};
  TRY
    BLOCK
      shared += n;
      risky(n);
      shared += 100;
    BLOCK_END
    shared += 1000;
    SCOPE
      SPAWN(cilk_spawn risky(n + 1))
      shared += 10000;
    SCOPE_END
    shared += 100000;
  TRY_END
  CATCH(...) {
    sum = shared;
  }
  return sum + shared;
  END
}

std::string word(int n) {
  if (n % 2)
    throw n;
  return std::string(n, 'w');
}

// Results that the child converts or assigns by an operator.
int converted(int n) {
  BEGIN
  double half = 0.5;
  std::string text = "old";
  long sum = 3;
  TRY
    SPAWN(half = cilk_spawn risky(n))
    SPAWN(text = cilk_spawn word(n))
    SPAWN(sum += cilk_spawn risky(n + 2))
    SYNC
  TRY_END
  CATCH(...) { note(n); }
  return int(half * 2) + int(text.size()) * 100 + int(sum) * 10000;
  END
}

template <typename Body> void attempt(const char *name, Body body) {
  Checksum sum = 0;
  for (int n = 0; n < 12; ++n)
    try {
      sum = fold(sum, body(n));
    } catch (const std::exception &error) {
      sum = fold(sum, error.what()[6]);
    } catch (const std::string &text) {
      sum = fold(sum, text.size());
    } catch (int number) {
      sum = fold(sum, number + 1000000);
    }
  report(name, fold(sum, seen));
}

} // namespace

int main() {
  attempt("tree", tree);
  attempt("caught", caught);
  std::vector<int> out(40);
  attempt("loop", [&](int) { return loop(out), 0; });
  attempt("loop of tasks", [&](int) { return loopOfTasks(out), 0; });
  Checksum sum = 0;
  for (int each : out)
    sum = fold(sum, each);
  report("out", sum);
  attempt("handler", handler);
  attempt("blocks", blocks);
  attempt("converted", converted);
  BEGIN
  int a = 5, b = 6;
  TRY
    SPAWN(a = cilk_spawn tree(9))
    SPAWN(b = cilk_spawn tree(6))
    SYNC
  TRY_END
  CATCH(...) { report("main", fold(a, b)); }
  report("end", fold(a, seen));
  END
}
