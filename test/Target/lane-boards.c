// Tests which boards by value are worth vectors: where the lanes of a level look at the same cell, rows of cells are loaded;
// where each has looked for a cell of its own first, one lane after the other does better. The answers are the same.
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -fserial-elision %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2gpu -O2 %s -o %t && %t > %t.actual && diff %t.expected %t.actual
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd %s -o %t && env CILK2GPU_WAVE=3 %t > %t.actual && diff %t.expected %t.actual
#include <cilk/cilk.h>
#include <stdio.h>

enum { Cells = 12, Colours = 3 };
struct board {
  signed char cell[Cells];
};

static int fits(const struct board *board, int cell, int colour) {
  for (int i = 0; i < cell; ++i)
    for (int k = 0; k < i; ++k)
      if ((board->cell[i] ^ board->cell[k] ^ colour) == cell)
        return 0;
  return 1;
}

// CHECK-DAG: kernel 'colour:0' runs 64 lanes at once with AVX-512
void colour(struct board board, int cell, long *found) {
  if (cell == Cells) {
    __atomic_fetch_add(found, 1, __ATOMIC_RELAXED);
    return;
  }
  for (signed char each = 1; each <= Colours; ++each)
    if (fits(&board, cell, each)) {
      board.cell[cell] = each;
      cilk_spawn colour(board, cell + 1, found);
    }
  cilk_sync;
}

// CHECK-DAG: kernel 'fill:0' runs lane by lane: most of its work has no vector form
void fill(struct board board, int cell, long *found) {
  while (cell < Cells && board.cell[cell])
    ++cell;
  if (cell == Cells) {
    __atomic_fetch_add(found, 1, __ATOMIC_RELAXED);
    return;
  }
  for (signed char each = 1; each <= Colours; ++each) {
    int count = 0;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k)
        count += board.cell[(cell / 4 + i) % 3 * 4 + k] == each || board.cell[i * 4 + (cell + k) % 4] == each;
    if (count < 9) {
      board.cell[cell] = each;
      cilk_spawn fill(board, cell + 1, found);
    }
  }
  cilk_sync;
}

int main(void) {
  long colours = 0, fills = 0;
  colour((struct board){{0}}, 0, &colours);
  fill((struct board){{0, 0, 2, 0, 1, 0, 0, 3}}, 0, &fills);
  printf("%ld %ld\n", colours, fills);
}
