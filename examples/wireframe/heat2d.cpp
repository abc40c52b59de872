// Heat on a plate, several time steps in one launch. The plate is updated in place, so a cell takes two neighbours of
// the same step (above, left) and two of the step before (below, right).
//
// The grid has three dimensions, and the third is the time step. Blocks of a step start while blocks of the step before
// still run: there is no barrier between steps.
#include "BlockProgram.h"
#include <cilk2gpu/Wireframe.h>

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y, blockIdx.z});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1, blockIdx.z});
  WF::AddDependency({blockIdx.x, blockIdx.y, blockIdx.z - 1});
  if (blockIdx.x + 1 < gridDim.x)
    WF::AddDependency({blockIdx.x + 1, blockIdx.y, blockIdx.z - 1});
  if (blockIdx.y + 1 < gridDim.y)
    WF::AddDependency({blockIdx.x, blockIdx.y + 1, blockIdx.z - 1});
}

// `at` points to a cell of the plate. The plate has a border of constant temperature.
static double heatAt(const double *at, unsigned width) {
  double around = at[-static_cast<int>(width)] + at[-1] + at[1] + at[width];
  return 0.5 * at[0] + 0.125 * around;
}

__WF__ void diffuse(double *plate, unsigned cells) {
  unsigned width = gridDim.x * cells + 2;
  for (unsigned row = blockIdx.y * cells; row < (blockIdx.y + 1) * cells; ++row)
    for (unsigned column = blockIdx.x * cells; column < (blockIdx.x + 1) * cells; ++column) {
      double *at = &plate[(row + 1) * width + column + 1];
      *at = heatAt(at, width);
    }
}

static void diffuseSerially(double *plate, unsigned n, unsigned steps) {
  for (unsigned step = 0; step < steps; ++step)
    for (unsigned row = 1; row <= n; ++row)
      for (unsigned column = 1; column <= n; ++column) {
        double *at = &plate[row * (n + 2) + column];
        *at = heatAt(at, n + 2);
      }
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "blocks along each side of the plate", 32, 1, 256},
                                              {"cells", "cells along each side of a block", 8, 1, 64},
                                              {"steps", "time steps", 4, 1, 64}};
  program::parse(argc, argv, "heat2d", "Computes the heat on a plate after some time steps.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, steps = arguments[2].value, n = side * cells;

  std::vector<double> plate((n + 2) * (n + 2));
  program::Random random(1);
  for (double &cell : plate)
    cell = 100 * random.unit();
  std::vector<double> expected = plate;

  program::Outcome outcome;
  outcome.parallel =
      program::milliseconds([&] { wf::launch(dim3(side, side, steps), dim3(1), links, diffuse, plate.data(), cells); });
  outcome.serial = program::milliseconds([&] { diffuseSerially(expected.data(), n, steps); });
  outcome.result = "last cell " + std::to_string(plate[n * (n + 2) + n]) + " after " + std::to_string(steps) + " steps";
  outcome.blocks = program::squareBlocks(static_cast<size_t>(side) * side * steps, cells);
  outcome.isRight = plate == expected;
  return program::report("heat2d", outcome);
}
