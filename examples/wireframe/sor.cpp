// Successive over-relaxation with five points, in place: a cell takes two new neighbours (above, left) and two old ones
// (below, right). Each sweep is a launch of its own.
//
// A block has a thread for each of its columns. The threads work on the block in shared memory, one anti-diagonal after
// another, and wait for one another after each.
#include "BlockProgram.h"
#include <cilk2gpu/Wireframe.h>

enum : unsigned { MaxCells = 32 };
static const double Omega = 1.5;

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

static double relax(double old, double above, double left, double right, double below) {
  return (1 - Omega) * old + Omega / 4 * (above + left + right + below);
}

__WF__ void sweep(double *grid, unsigned cells) {
  WF_SHARED double tile[MaxCells + 2][MaxCells + 2];
  unsigned width = gridDim.x * cells + 2, column = threadIdx.x + 1;
  double *corner = grid + blockIdx.y * cells * width + blockIdx.x * cells; // above and to the left of the first cell
  for (unsigned row = 0; row < cells + 2; ++row)
    tile[row][column] = corner[row * width + column];
  tile[column][0] = corner[column * width];
  tile[column][cells + 1] = corner[column * width + cells + 1];
  wf::SyncThreads();
  for (unsigned diagonal = 2; diagonal <= 2 * cells; ++diagonal) {
    unsigned row = diagonal - column;
    if (column < diagonal && row <= cells)
      tile[row][column] = relax(tile[row][column], tile[row - 1][column], tile[row][column - 1], tile[row][column + 1],
                                tile[row + 1][column]);
    wf::SyncThreads();
  }
  for (unsigned row = 1; row <= cells; ++row)
    corner[row * width + column] = tile[row][column];
}

static void sweepSerially(double *grid, unsigned n) {
  unsigned width = n + 2;
  for (unsigned row = 1; row <= n; ++row)
    for (unsigned column = 1; column <= n; ++column) {
      double *at = &grid[row * width + column];
      *at = relax(*at, *(at - width), at[-1], at[1], at[width]);
    }
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "blocks along each side of the grid", 32, 1, 256},
                                              {"cells", "cells along each side of a block", 8, 1, MaxCells},
                                              {"sweeps", "sweeps over the grid", 2, 1, 1000}};
  program::parse(argc, argv, "sor", "Relaxes a random grid.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, sweeps = arguments[2].value, n = side * cells;

  std::vector<double> grid(static_cast<size_t>(n + 2) * (n + 2));
  program::Random random(1);
  for (double &cell : grid)
    cell = random.unit();
  std::vector<double> expected = grid;

  program::Outcome outcome;
  outcome.parallel = program::milliseconds([&] {
    for (unsigned i = 0; i < sweeps; ++i)
      wf::launch(dim3(side, side), dim3(cells), links, sweep, grid.data(), cells);
  });
  outcome.serial = program::milliseconds([&] {
    for (unsigned i = 0; i < sweeps; ++i)
      sweepSerially(expected.data(), n);
  });
  outcome.result =
      "last cell " + std::to_string(grid[n * (n + 2) + n]) + " after " + std::to_string(sweeps) + " sweeps";
  outcome.blocks = program::squareBlocks(side * side, cells);
  outcome.isRight = grid == expected;
  return program::report("sor", outcome);
}
