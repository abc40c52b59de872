// Game trees without pruning. Noughts and crosses on 4 by 4 (three in a row win) is searched to a limited depth, with a child for
// each move. Nim is a mutual recursion of both sides. In a third game, players take coins from the ends of a row.
//   large-negamax [depth]   from 0 to 6, by default 4
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum { Side = 4, Cells = Side * Side, Win = 1000, MaxLines = 32, MaxCoins = 16 };

typedef struct {
  signed char cells[Cells]; // 1, -1 or 0
  signed char to_move;      // 1 or -1
  signed char moves;
} Board;

typedef struct {
  int score; // for the side to move
  int best;  // cell, -1 if there is no move
  long positions, wins;
} Result;

static unsigned char lines[MaxLines][3];
static int line_count;

static void make_lines(void) {
  static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  for (int row = 0; row < Side; ++row)
    for (int column = 0; column < Side; ++column)
      for (int d = 0; d < 4; ++d) {
        int last_row = row + 2 * directions[d][0], last_column = column + 2 * directions[d][1];
        if (last_row >= Side || last_column >= Side || last_column < 0)
          continue;
        for (int k = 0; k < 3; ++k)
          lines[line_count][k] = (unsigned char)((row + k * directions[d][0]) * Side + column + k * directions[d][1]);
        ++line_count;
      }
}

static int winner(const Board *board) {
  for (int i = 0; i < line_count; ++i) {
    const unsigned char *line = lines[i];
    int sum = board->cells[line[0]] + board->cells[line[1]] + board->cells[line[2]];
    if (sum == 3 || sum == -3)
      return sum / 3;
  }
  return 0;
}

// Lines that are still open, for the side to move.
static int evaluate(const Board *board) {
  int score = 0;
  for (int i = 0; i < line_count; ++i) {
    int mine = 0, theirs = 0;
    for (int k = 0; k < 3; ++k) {
      int cell = board->cells[lines[i][k]] * board->to_move;
      mine += cell > 0;
      theirs += cell < 0;
    }
    if (!theirs)
      score += mine * mine;
    if (!mine)
      score -= theirs * theirs;
  }
  return score;
}

static Board play(Board board, int cell) {
  board.cells[cell] = board.to_move;
  board.to_move = (signed char)-board.to_move;
  ++board.moves;
  return board;
}

static Result negamax(Board board, int depth) {
  Result children[Cells], result = {-2 * Win, -1, 1, 0};
  int cells[Cells], count = 0;
  if (winner(&board)) { // the side that moved last
    result.score = board.moves - Win;
    result.wins = 1;
    return result;
  }
  if (depth == 0 || board.moves == Cells) {
    result.score = board.moves == Cells ? 0 : evaluate(&board);
    return result;
  }
  for (int cell = 0; cell < Cells; ++cell)
    if (!board.cells[cell]) {
      cells[count] = cell;
      children[count++] = cilk_spawn negamax(play(board, cell), depth - 1);
    }
  cilk_sync;
  for (int i = 0; i < count; ++i) {
    result.positions += children[i].positions;
    result.wins += children[i].wins;
    if (-children[i].score > result.score) {
      result.score = -children[i].score;
      result.best = cells[i];
    }
  }
  return result;
}

// A whole game: each move is searched; the search is a plain call in a loop.
static Checksum play_game(Board board, int depth) {
  Checksum sum = 0;
  while (!winner(&board) && board.moves < Cells) {
    Result result = negamax(board, depth < 3 ? depth : 3);
    sum = fold(fold(sum, (unsigned)result.best), (unsigned)result.score);
    board = play(board, result.best);
  }
  return fold(sum, (unsigned)winner(&board));
}

// Nim with three heaps. A move takes 1 to 3 from one heap. First and second player are separate functions that call each other.
// They return 1 if the first player wins.
typedef struct {
  unsigned char heap[3];
} Heaps;

static int second_moves(Heaps heaps, long *visited);

static int first_moves(Heaps heaps, long *visited) {
  int wins[9], count = 0, any = 0;
  long below[9];
  for (int h = 0; h < 3; ++h)
    for (int take = 1; take <= 3 && take <= heaps.heap[h]; ++take) {
      Heaps next = heaps;
      next.heap[h] = (unsigned char)(next.heap[h] - take);
      wins[count] = cilk_spawn second_moves(next, &below[count]);
      ++count;
    }
  cilk_sync;
  *visited = 1;
  for (int i = 0; i < count; ++i) {
    any |= wins[i];
    *visited += below[i];
  }
  return any; // nothing to take: lost
}

static int second_moves(Heaps heaps, long *visited) {
  int all = 1;
  long total = 1;
  for (int h = 0; h < 3; ++h) { // one heap after the other
    int wins[3];
    long below[3];
    int most = heaps.heap[h] < 3 ? heaps.heap[h] : 3;
    for (int take = 1; take <= most; ++take) {
      Heaps next = heaps;
      next.heap[h] = (unsigned char)(next.heap[h] - take);
      wins[take - 1] = cilk_spawn first_moves(next, &below[take - 1]);
    }
    cilk_sync;
    for (int i = 0; i < most; ++i) {
      all &= wins[i];
      total += below[i];
    }
  }
  *visited = total;
  return all;
}

// Two players take coins from either end. Returns the most by which the first player can get ahead.
static int coins_ahead(const int *first, const int *last) {
  if (first == last)
    return *first;
  int left = cilk_spawn coins_ahead(first + 1, last);
  int right = coins_ahead(first, last - 1);
  cilk_sync;
  left = *first - left;
  right = *last - right;
  return left > right ? left : right;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 4, wrong = 0;
  if (depth < 0 || depth > 6)
    return 2;
  make_lines();
  static const signed char starts[][3] = {{-1, -1, -1}, {5, -1, -1}, {0, 15, -1}, {5, 6, 0}};
  Checksum sum = 0;
  for (int s = 0; s < 4; ++s) {
    Board board = {.to_move = 1};
    for (int i = 0; i < 3 && starts[s][i] >= 0; ++i)
      board = play(board, starts[s][i]);
    Result result = negamax(board, s ? depth : depth < 3 ? depth : 3);
    printf("board %d: score %d, move %d, %ld positions, %ld wins\n", s, result.score, result.best, result.positions,
           result.wins);
    sum = fold(sum, play_game(board, depth));
  }
  report("games", sum);
  for (int h = 0; h <= 5; ++h) {
    long visited = 0;
    Heaps heaps = {{(unsigned char)h, 2, (unsigned char)(5 - h / 2)}};
    int wins = first_moves(heaps, &visited);
    wrong += wins != (((h & 3) ^ 2 ^ ((5 - h / 2) & 3)) != 0);
    printf("nim %d: %s, %ld positions\n", h, wins ? "won" : "lost", visited);
  }
  int coins[MaxCoins];
  for (int i = 0; i < MaxCoins; ++i)
    coins[i] = i * 37 % 41;
  for (int count = 1; count <= MaxCoins; count += 3)
    printf("coins %d: %d\n", count, coins_ahead(coins, coins + count - 1));
  return wrong;
}
