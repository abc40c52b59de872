// Tests which boards by value are worth vectors. If the lanes of a level look at the same cell, rows of cells are loaded. If each
// lane first looks for a cell of its own, one lane after the other is faster. Only the first case has a column for each cell.
// Remarks on kernels come once. The results are the same.
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | grep "remark:" | sort > %t.remarks
// RUN: sort -u %t.remarks | diff - %t.remarks
// RUN: %cilk2gpu -O2 -march=x86-64-v4 --emit=llvm %s -o - | FileCheck %s --check-prefix=FIELDS
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

// FIELDS: @__cilk2gpu_task_colour.fields = internal constant [14 x {{.*}} [{ i32, i32 } { i32 1, i32 1 }
// CHECK-DAG: kernel 'colour.k0' runs 64 lanes at once with AVX-512
static void colour(struct board board, int cell, long *found) {
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

// FIELDS: @__cilk2gpu_task_fill.fields = internal constant [4 x {{.*}} [{ i32, i32 } { i32 8, i32 8 }, { i32, i32 } { i32 4, i32 4 }
// CHECK-DAG: kernel 'fill.k0' runs lane by lane: most of its work has no vector form
static void fill(struct board board, int cell, long *found) {
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

enum { Side = 5 };
struct squares {
  unsigned char seen[Side * Side];
};

// FIELDS: @__cilk2gpu_task_tour.fields = internal constant [5 x {{.*}} [{ i32, i32 } { i32 25, i32 1 }
// CHECK-DAG: kernel 'tour.k0' runs lane by lane: most of its work has no vector form
static void tour(struct squares squares, int x, int y, int left, long *found) {
  if (left == 0) {
    __atomic_fetch_add(found, 1, __ATOMIC_RELAXED);
    return;
  }
  for (int step = 0; step < 8; ++step) {
    int u = x + (step & 1 ? 1 : 2) * (step & 2 ? 1 : -1), v = y + (step & 1 ? 2 : 1) * (step & 4 ? 1 : -1);
    if (u < 0 || v < 0 || u >= Side || v >= Side || squares.seen[u * Side + v])
      continue;
    squares.seen[u * Side + v] = 1;
    cilk_spawn tour(squares, u, v, left - 1, found);
    squares.seen[u * Side + v] = 0;
  }
  cilk_sync;
}

int main(void) {
  long colours = 0, fills = 0, tours = 0;
  colour((struct board){{0}}, 0, &colours);
  fill((struct board){{0, 0, 2, 0, 1, 0, 0, 3}}, 0, &fills);
  tour((struct squares){{1}}, 0, 0, 12, &tours);
  printf("%ld %ld %ld\n", colours, fills, tours);
}
