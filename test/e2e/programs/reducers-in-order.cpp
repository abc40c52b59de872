// Tests that ordered tasks use reducers: views are reduced in the order of the spawns, although the tasks run level by
// level. Here later spawns have lower levels, plain children stand between ordered ones, ordered tasks have children,
// plain calls wait while ordered tasks have not started, and a frame has more tasks than its table. A function with a
// doacross nest uses a reducer outside of the nest. An exception leaves an ordered task, and the function itself.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <stdio.h>
#include <string>

static void none(void *view) { new (view) std::string; }
static void join(void *left, void *right) {
  *static_cast<std::string *>(left) += *static_cast<std::string *>(right);
  static_cast<std::string *>(right)->~basic_string();
}
using Text = std::string cilk_reducer(none, join);
static Text text;
static cilk::opadd_reducer<long> total;

static void leaf(const char *name, int number) { text += name + std::to_string(number) + ' '; }

static void step(const char *name, const long *from, long *to) {
  *to = *to * 3 + *from + 1;
  total += *to % 1000;
  text += name;
  text += std::to_string(*to % 1000) + ' ';
}

// An ordered task with children of its own.
static void tree(const char *name, long *value, int depth) {
  text += '(';
  if (depth == 0) {
    leaf(name, static_cast<int>(*value % 10));
  } else {
    long left = *value + 1, right = *value + 2;
    cilk_spawn tree(name, &left, depth - 1);
    text += '-';
    tree(name, &right, depth - 1);
    cilk_sync;
    *value = (left + right) % 100003;
  }
  text += ')';
}

// The first chain is as long as the loop, and the spawns behind it have the first level.
static long chain(int n) {
  long first = n, other[4] = {1, 2, 3, 4}, last = 5;
  text += '[';
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : first)
    cilk_spawn step("a", &other[0], &first);
    text += ',';
  }
  for (int i = 1; i < 4; ++i) {
#pragma cilk depend(inout : other[i])
    cilk_spawn tree("t", &other[i], i);
    cilk_spawn leaf("p", i);
    if (i == 2)
      leaf("s", i);
#pragma cilk depend(in : other[i]) depend(inout : first)
    cilk_spawn step("b", &other[i], &first);
  }
  text += ';';
  tree("w", &last, 1); // waits for the plain children
  text += ':';
  cilk_sync;
  text += "] ";
  return first % 10007;
}

static void letter(Text *into, long *value, int i) { *into += static_cast<char>('a' + (*value += i) % 26); }

// A reducer of the frame, which reads its exact value after the sync, and ordered tasks in iterations.
static long inner(int n) {
  Text own;
  cilk::opadd_reducer<long> sum = 0;
  long value = 0;
  own += '<';
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : value)
      cilk_spawn letter(__builtin_addressof(own), &value, i);
      sum += i;
    }
    cilk_sync;
    own += '|';
  }
  text += static_cast<std::string &>(own) + "> ";
  return sum + value;
}

static long cost(long a, long b) { return (a * 3 + b) & 0xffff; }

static long table(int n) {
  long cells[24][24];
  text += '{';
  for (int i = 0; i < 24; ++i)
    cells[i][0] = cells[0][i] = i + n;
  cilk_spawn leaf("n", n);
#pragma cilk doacross(i - 1, j)(i, j - 1)
  cilk_for (int i = 1; i < 24; ++i)
    cilk_for (int j = 1; j < 24; ++j)
      cells[i][j] = cost(cells[i - 1][j], cells[i][j - 1]);
  total += cells[23][23];
  text += std::to_string(cells[23][23]) + "} ";
  return cells[12][12];
}

static void link(long *cell, int i, int broken) {
  text += '<' + std::to_string(i) + '>';
  if (i == broken)
    throw i;
  ++*cell;
}

static void breaking(int n, int broken, bool isOwn) {
  long cell = 0;
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : cell)
    cilk_spawn link(&cell, i, broken);
  }
  if (isOwn)
    throw 100;
  cilk_sync;
  text += std::to_string(cell);
}

static void breakAll(int n) {
  for (int broken = -1; broken <= n; ++broken)
    for (bool isOwn : {false, true})
      try {
        breaking(n, broken, isOwn);
      } catch (int number) {
        text += "caught " + std::to_string(number) + ' ';
      }
}

static void add(long *cell, long value) { total += *cell += value; }

int main() {
  static long cells[64];
#pragma cilk depend(inout : cells[0])
  cilk_spawn leaf("m", 0);
  text += "main ";
#pragma cilk depend(in : cells[0])
  cilk_spawn leaf("m", 1);
  cilk_spawn leaf("q", 2);
  cilk_sync;
  long sum = chain(5);
  cilk_for (int i = 0; i < 30; ++i) {
    cells[i] = chain(i % 6);
#pragma cilk depend(inout : cells[i])
    cilk_spawn add(&cells[i], 5);
    text += static_cast<char>('A' + i % 26);
#pragma cilk depend(inout : cells[i])
    cilk_spawn add(&cells[i], 7);
    cilk_sync;
    total += inner(i % 7) + table(i);
  }
  breakAll(1);
  cilk_for (int i = 0; i < 9; ++i)
    breakAll(i);
  for (int i = 0; i < 70000; ++i) { // more than a table has
#pragma cilk depend(inout : cells[i % 64])
    cilk_spawn add(&cells[i % 64], i);
  }
  cilk_sync;
  printf("%ld %ld %s\n", sum, static_cast<long>(total), static_cast<std::string &>(text).c_str());
}
