// Results in several spellings and sizes.
#include "Cliff.h"

#include <algorithm>
#include <vector>

static long addedFib(long n) {
  if (n < 2)
    return n;
  long x = 0;
  x += cilk_spawn addedFib(n - 1);
  x += cilk_spawn addedFib(n - 2);
  cilk_sync;
  return x;
}

struct Score {
  long value;
  int move, depth;
};

/// Tic-tac-toe from a board to the end. `own` and `other` are sets of squares.
static Score minimax(unsigned own, unsigned other, int depth) {
  static const unsigned lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  for (unsigned line : lines)
    if ((other & line) == line)
      return {-100 + depth, -1, depth};
  if ((own | other) == 0777)
    return {0, -1, depth};
  Score scores[9];
  int moves[9], count = 0;
  for (int square = 0; square < 9; ++square)
    if (!((own | other) >> square & 1)) {
      moves[count] = square;
      scores[count++] = cilk_spawn minimax(other, own | 1u << square, depth + 1);
    }
  cilk_sync;
  Score best{-1000, -1, depth};
  for (int i = 0; i < count; ++i)
    if (-scores[i].value > best.value)
      best = {-scores[i].value, moves[i], scores[i].depth};
  return best;
}

static long boards(long count) {
  std::vector<Score> found(count);
  cilk_for (long i = 0; i < count; ++i)
    found[i] = minimax(1u << i % 9, 0, 1);
  long sum = 0;
  for (const Score &score : found)
    sum = sum * 3 + score.value + score.move;
  return sum;
}

struct Extent {
  double least, greatest;
};

static Extent extentOf(const double *first, long count) {
  if (count <= 16) {
    Extent found{first[0], first[0]};
    for (long i = 1; i < count; ++i)
      found = {std::min(found.least, first[i]), std::max(found.greatest, first[i])};
    return found;
  }
  Extent left = cilk_spawn extentOf(first, count / 2);
  Extent right = extentOf(first + count / 2, count - count / 2);
  cilk_sync;
  return {std::min(left.least, right.least), std::max(left.greatest, right.greatest)};
}

static std::vector<double> someNumbers(long count) {
  std::vector<double> made(count);
  for (long i = 0; i < count; ++i)
    made[i] = double(i * 7919 % 100003);
  return made;
}

static long extents(long count) {
  std::vector<double> numbers = someNumbers(count);
  double sum = 0;
  for (int k = 0; k < 10; ++k) {
    Extent found = extentOf(numbers.data(), count - k);
    sum += found.least + found.greatest;
  }
  return long(sum);
}

static double addUp(const double *begin, const double *end) {
  if (end - begin <= 8) {
    double sum = 0;
    while (begin != end)
      sum += *begin++;
    return sum;
  }
  const double *middle = begin + (end - begin) / 2;
  double left = cilk_spawn addUp(begin, middle), right = addUp(middle, end);
  cilk_sync;
  return left + right;
}

static long sums(long count) {
  std::vector<double> numbers = someNumbers(count);
  double sum = 0;
  for (int k = 0; k < 10; ++k)
    sum += addUp(numbers.data() + k, numbers.data() + count);
  return long(sum);
}

struct Board {
  unsigned char squares[25];
};

/// Knight's tours of a board of 5 x 5, which is passed by value.
static long tours(Board board, int x, int y, int step) {
  board.squares[5 * y + x] = 1;
  if (step == 25)
    return 1;
  static const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {-2, -1, 1, 2, 2, 1, -1, -2};
  long found[8] = {};
  for (int k = 0; k < 8; ++k) {
    int nextX = x + dx[k], nextY = y + dy[k];
    if (nextX >= 0 && nextX < 5 && nextY >= 0 && nextY < 5 && !board.squares[5 * nextY + nextX])
      found[k] = cilk_spawn tours(board, nextX, nextY, step + 1);
  }
  cilk_sync;
  long sum = 0;
  for (long each : found)
    sum += each;
  return sum;
}

static long toursFromCorner(long rounds) {
  long sum = 0;
  for (long k = 0; k < rounds; ++k)
    sum += tours(Board{}, 0, 0, 1);
  return sum;
}

int main(int argc, char **argv) {
  const Row rows[] = {{"added-fib", addedFib}, {"minimax", boards}, {"extents", extents},
                      {"sums", sums}, {"tours", toursFromCorner}};
  return runRow(rows, argc, argv);
}
