// Number of ways to put n queens on an n by n board, for the programs that count them.
#ifndef CILK2GPU_BENCH_QUEENS_H
#define CILK2GPU_BENCH_QUEENS_H

enum { MaxQueens = 16 };

static const long known_queens[MaxQueens + 1] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                                 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

#endif
