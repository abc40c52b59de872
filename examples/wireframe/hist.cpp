// Integral histogram: for every pixel, how often each brightness occurs above and to the left of it. A block needs the
// blocks above and to the left of it.
//
// A block has one thread for each bin of the histogram. The threads load the block's pixels into shared memory together,
// wait for one another, and then fill their own bins.
#include "BlockProgram.h"
#include <cilk2gpu/Wireframe.h>

enum : unsigned { Bins = 16, MaxCells = 32 };

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

// `at` points to a bin of a cell. Cells have Bins numbers; row and column 0 are zeros.
static unsigned countAt(const unsigned *at, unsigned width, bool isHere) {
  size_t row = static_cast<size_t>(width) * Bins;
  return *(at - row) + *(at - Bins) - *(at - row - Bins) + isHere;
}

__WF__ void count(const unsigned char *pixels, unsigned *histograms, unsigned cells) {
  WF_SHARED unsigned char tile[MaxCells][MaxCells];
  unsigned n = gridDim.x * cells, width = n + 1, top = blockIdx.y * cells, left = blockIdx.x * cells;
  unsigned bin = threadIdx.x;
  for (unsigned cell = threadIdx.x; cell < cells * cells; cell += blockDim.x) {
    unsigned row = cell / cells, column = cell % cells;
    tile[row][column] = pixels[(top + row) * n + left + column] % Bins;
  }
  wf::SyncThreads();
  for (unsigned row = 0; row < cells; ++row)
    for (unsigned column = 0; column < cells; ++column) {
      size_t cell = static_cast<size_t>(top + row + 1) * width + left + column + 1;
      unsigned *at = &histograms[cell * Bins + bin];
      *at = countAt(at, width, tile[row][column] == bin);
    }
}

static void countSerially(const unsigned char *pixels, unsigned *histograms, unsigned n) {
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column)
      for (unsigned bin = 0; bin < Bins; ++bin) {
        size_t cell = static_cast<size_t>(row + 1) * (n + 1) + column + 1;
        unsigned *at = &histograms[cell * Bins + bin];
        *at = countAt(at, n + 1, pixels[row * n + column] % Bins == bin);
      }
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "blocks along each side of the image", 32, 1, 256},
                                              {"cells", "pixels along each side of a block", 4, 1, MaxCells}};
  program::parse(argc, argv, "hist", "Computes the integral histogram of a random image.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, n = side * cells;

  std::vector<unsigned char> pixels(static_cast<size_t>(n) * n);
  program::Random random(1);
  for (unsigned char &pixel : pixels)
    pixel = static_cast<unsigned char>(random.below(256));
  std::vector<unsigned> histograms(static_cast<size_t>(n + 1) * (n + 1) * Bins, 0), expected = histograms;

  program::Outcome outcome;
  outcome.parallel = program::milliseconds(
      [&] { wf::launch(dim3(side, side), dim3(Bins), links, count, pixels.data(), histograms.data(), cells); });
  outcome.serial = program::milliseconds([&] { countSerially(pixels.data(), expected.data(), n); });
  outcome.result = "pixels in the last bin " + std::to_string(histograms.back());
  outcome.blocks = program::squareBlocks(side * side, cells);
  outcome.isRight = histograms == expected;
  return program::report("hist", outcome);
}
