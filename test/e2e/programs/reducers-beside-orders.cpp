// Tests reducers beside ordered tasks and doacross nests in one file. The functions that order their tasks use no
// reducer. They are called from tasks, loops and ordinary code that do, also between two updates of a view.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <stdio.h>
#include <string>

static void none(void *view) { new (view) std::string; }
static void join(void *left, void *right) {
  *static_cast<std::string *>(left) += *static_cast<std::string *>(right);
  static_cast<std::string *>(right)->~basic_string();
}
static std::string cilk_reducer(none, join) text;
static cilk::opadd_reducer<long> total;

static void mix(const long *from, long *to) { *to = *to * 31 + *from + 7; }

// Ordered tasks. Nothing here uses a reducer.
static long pipeline(int n) {
  long read = 1, parsed = 0, stored = n;
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : read)
    cilk_spawn mix(&parsed, &read);
#pragma cilk depend(in : read) depend(inout : parsed)
    cilk_spawn mix(&read, &parsed);
#pragma cilk depend(in : parsed) depend(inout : stored)
    cilk_spawn mix(&parsed, &stored);
  }
  cilk_sync;
  return (stored ^ read) & 0xffff;
}

// A nest in which each iteration waits for two others.
static long table(int n) {
  long cells[24][24];
  for (int i = 0; i < 24; ++i)
    cells[i][0] = cells[0][i] = i + n;
#pragma cilk doacross(i - 1, j)(i, j - 1)
  cilk_for (int i = 1; i < 24; ++i)
    cilk_for (int j = 1; j < 24; ++j)
      cells[i][j] = (cells[i - 1][j] * 3 + cells[i][j - 1]) & 0xffff;
  return cells[23][23];
}

// Ordered tasks that are spawned by a task that uses a reducer, and that have children of their own.
static long both(int n) {
  long a = cilk_spawn pipeline(n);
  long b = table(n);
  cilk_sync;
  return a + b;
}

static void walk(int depth, int id) {
  text += static_cast<char>('a' + id % 26);
  if (depth == 0) {
    total += pipeline(id % 5);
    text += static_cast<char>('A' + table(id) % 26);
    return;
  }
  cilk_spawn walk(depth - 1, 2 * id);
  long here = both(depth);
  text += std::to_string(here % 100);
  cilk_spawn walk(depth - 1, 2 * id + 1);
  total += here;
  cilk_sync;
  text += '.';
  long last = cilk_spawn both(id % 7);
  cilk_sync;
  total += last;
}

int main() {
  walk(5, 1);
  cilk_for (int i = 0; i < 60; ++i) {
    total += pipeline(i % 4) + table(i);
    text += static_cast<char>('0' + both(i) % 10);
  }
  printf("%ld %zu\n%s\n", static_cast<long>(total), static_cast<std::string &>(text).size(), static_cast<std::string &>(text).c_str());
}
