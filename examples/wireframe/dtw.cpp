// Dynamic time warping: the cost of the best alignment of two series, inside a band around the diagonal. A cell needs
// its three neighbours above and to the left.
//
// The mapping function is a lambda that captures the width of the band. It names parents under a condition: blocks
// outside the band do nothing, so nobody waits for them.
#include "BlockProgram.h"
#include <algorithm>
#include <cilk2gpu/Wireframe.h>

static const unsigned Far = 1u << 30; // cost of a cell that no alignment reaches

static bool isInBand(unsigned x, unsigned y, unsigned band) { return (x > y ? x - y : y - x) <= band; }

// `at` points to a cell of the costs. Row 0 and column 0 are Far, except for the corner.
static unsigned costAt(const unsigned *at, unsigned width, int a, int b) {
  unsigned before = std::min({at[-static_cast<int>(width)], at[-1], at[-static_cast<int>(width) - 1]});
  return before + static_cast<unsigned>(std::abs(a - b));
}

struct Series {
  const int *first, *second;
  unsigned side, cells, band;
};

__WF__ void warp(Series series, unsigned *costs) {
  unsigned cells = series.cells, width = series.side * cells + 1;
  if (!isInBand(blockIdx.x, blockIdx.y, series.band))
    return;
  for (unsigned row = blockIdx.y * cells; row < (blockIdx.y + 1) * cells; ++row)
    for (unsigned column = blockIdx.x * cells; column < (blockIdx.x + 1) * cells; ++column) {
      unsigned *at = &costs[(row + 1) * width + column + 1];
      *at = costAt(at, width, series.first[row], series.second[column]);
    }
}

static void warpSerially(const Series &series, unsigned *costs) {
  unsigned n = series.side * series.cells;
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column)
      if (isInBand(column / series.cells, row / series.cells, series.band)) {
        unsigned *at = &costs[(row + 1) * (n + 1) + column + 1];
        *at = costAt(at, n + 1, series.first[row], series.second[column]);
      }
}

static std::vector<int> randomWalk(unsigned length, unsigned seed) {
  program::Random random(seed);
  std::vector<int> walk(length);
  int height = 0;
  for (int &step : walk)
    step = height += static_cast<int>(random.below(21)) - 10;
  return walk;
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {
      {"side", "blocks along each series", 32, 1, 256},
      {"cells", "elements of a series in a block", 8, 1, 64},
      {"band", "blocks on each side of the diagonal that are computed", 24, 0, 256}};
  program::parse(argc, argv, "dtw", "Computes the cost of warping one random series into another.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, band = arguments[2].value, n = side * cells;

  std::vector<int> first = randomWalk(n, 1), second = randomWalk(n, 2);
  Series series{first.data(), second.data(), side, cells, band};
  std::vector<unsigned> costs((n + 1) * (n + 1), Far);
  costs[0] = 0;
  std::vector<unsigned> expected = costs;

  auto links = [band] {
    if (!isInBand(blockIdx.x, blockIdx.y, band))
      return;
    if (isInBand(blockIdx.x - 1, blockIdx.y, band))
      WF::AddDependency({blockIdx.x - 1, blockIdx.y});
    if (isInBand(blockIdx.x, blockIdx.y - 1, band))
      WF::AddDependency({blockIdx.x, blockIdx.y - 1});
    WF::AddDependency({blockIdx.x - 1, blockIdx.y - 1});
  };
  program::Outcome outcome;
  outcome.parallel =
      program::milliseconds([&] { wf::launch(dim3(side, side), dim3(1), links, warp, series, costs.data()); });
  outcome.serial = program::milliseconds([&] { warpSerially(series, expected.data()); });
  outcome.result = "cost " + std::to_string(costs.back()) + " in a band of " + std::to_string(band);
  outcome.blocks = program::squareBlocks(side * side, cells);
  outcome.isRight = costs == expected;
  return program::report("dtw", outcome);
}
