// Doacross nests in tasks at any depth, in templates and lambdas, with captured variables, and with calls of Cilk
// functions in their bodies.
#include "checksum.h"
#include <algorithm>
#include <cilk/cilk.h>
#include <cstdint>
#include <string>
#include <vector>

namespace {

unsigned mix(unsigned a, unsigned b) { return (a ^ b >> 3) * 0x85ebca6b + b; }

template <class Index, int Distance> struct Grid {
  std::vector<unsigned> cells;
  Index rows, columns;
  Grid(Index rows, Index columns) : cells(std::size_t(rows) * columns), rows(rows), columns(columns) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = unsigned(i * 77);
  }
  unsigned &at(Index i, Index j) { return cells[std::size_t(i) * columns + j]; }

  void sweep() {
    constexpr int Back = Distance + 1;
#pragma cilk doacross(i - Distance, j) (i, j - Back) tile(2 * Distance, sizeof(Index))
    cilk_for (Index i = Distance; i < rows; ++i)
      cilk_for (auto j = Index(Back); j != columns; ++j)
        at(i, j) = mix(at(i - Distance, j), at(i, j - Back)) + std::max<unsigned>(i, 7);
  }

  Checksum sum() const {
    Checksum result = 0;
    for (unsigned cell : cells)
      result = fold(result, cell);
    return result;
  }
};

// Each task of a recursion has a nest of its own, and nests run while siblings run.
Checksum tree(int depth, unsigned seed) {
  if (depth == 0) {
    unsigned cells[9][11] = {{seed}};
#pragma cilk doacross(i - 1, j + 1) (i, j - 1) tile(2, 3)
    cilk_for (int i = 1; i < 9; ++i)
      cilk_for (int j = 1; j < 10; ++j)
        cells[i][j] = mix(cells[i - 1][j + 1] + seed, cells[i][j - 1]);
    return cells[8][9];
  }
  Checksum left, right;
  left = cilk_spawn tree(depth - 1, seed * 3 + 1);
  unsigned own[40] = {seed, seed + 1};
#pragma cilk doacross(k - 2)
  cilk_for (int k = 2; k < 40; ++k)
    for (int n = 0; n < 2; ++n) own[k] = mix(own[k], own[k - 2]);
  right = tree(depth - 1, seed * 3 + 2);
  cilk_sync;
  return fold(left, right) + own[39];
}

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// The body calls functions that spawn, and lambdas that refer to the loop variables.
Checksum bodies(int n) {
  const int size = n;
  std::vector<int> cells(n * n, 1);
#pragma cilk doacross(row - 1, column) (row, column - 1)
  cilk_for (int row = 1; row < n; ++row)
    cilk_for (int column = 1; column < n; ++column) {
    auto index = [&row, &column, n] { return row * n + column; };
    int n = fib(column % 5) + cells[index() - 1];
    cells[index()] = n % 1000 + cells[index() - size];
  }
  Checksum sum = 0;
  for (int cell : cells)
    sum = fold(sum, cell);
  return sum;
}

Checksum strings(int n) {
  std::vector<std::string> words(n + 3, "a");
#pragma cilk doacross(i - 3)
  cilk_for (int i = 3; i < n; ++i) {
    std::string word = words[i - 3];
    if (word.size() > 4)
      continue;
    word += char('a' + i % 26);
    words[i] = word;
  }
  Checksum sum = 0;
  for (const std::string &word : words)
    for (char letter : word)
      sum = fold(sum, letter);
  return sum;
}

template <class Function> void both(Function function) {
  cilk_spawn function(0);
  function(1);
  cilk_sync;
}

Checksum lambdas() {
  unsigned table[2][20][20] = {};
  both([&](int which) {
    auto &cells = table[which];
    _Pragma("cilk doacross(i-1,j) (i,j-1)") cilk_for (int i = 1; i < 20; ++i) cilk_for (int j = 1; j < 20; ++j)
        cells[i][j] = mix(cells[i - 1][j] + which, cells[i][j - 1] + j);
  });
  return fold(table[0][19][19], table[1][19][19]);
}

#define NEST(n, d)                                                                                                     \
  _Pragma("cilk doacross(i - d)") cilk_for (long i = d; i < n; ++i) { line[i] += line[i - d]; }

Checksum macros() {
  long line[60];
  for (int i = 0; i < 60; ++i)
    line[i] = i;
  enum { d = 3 };
  NEST(60, d)
  return Checksum(line[59]);
}

} // namespace

int main() {
  Grid<int, 1> ints(33, 40);
  Grid<std::uint16_t, 3> shorts(50, 30);
  Grid<unsigned long, 2> longs(21, 70);
  cilk_spawn ints.sweep();
  cilk_spawn shorts.sweep();
  longs.sweep();
  cilk_sync;
  report("templates", fold(fold(ints.sum(), shorts.sum()), longs.sum()));
  Checksum inTree;
  inTree = cilk_spawn tree(4, 5);
  cilk_sync;
  report("tree", inTree);
  report("bodies", bodies(25));
  report("strings", strings(60));
  report("lambdas", lambdas());
  report("macros", macros());
  // In main itself.
  unsigned cells[12][50] = {{1, 2, 3}};
#pragma cilk doacross(i - 1, j - 1) (i, j - 1)
  cilk_for (int i = 1; i < 12; ++i)
    cilk_for (int j = 1; j < 50; ++j)
      cells[i][j] = mix(cells[i - 1][j - 1], cells[i][j - 1] + i);
  report("main", cells[11][49]);
}
