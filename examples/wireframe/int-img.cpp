// Integral image: every cell is the sum of all pixels above and to the left of it, so that the sum over any rectangle
// takes four look-ups. A block needs the blocks above and to the left of it.
//
// This is the program to read first: one thread for each block, and a mapping function of two lines.
#include "BlockProgram.h"
#include <cilk2gpu/Wireframe.h>

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y}); // out of range in the first column: no parent
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

// `at` points to a cell of the sums. Row and column 0 of the sums are zeros.
static unsigned sumAt(const unsigned *at, unsigned width, unsigned pixel) {
  return at[-static_cast<int>(width)] + at[-1] - at[-static_cast<int>(width) - 1] + pixel;
}

__WF__ void integrate(const unsigned char *pixels, unsigned *sums, unsigned cells, unsigned side) {
  unsigned width = side * cells + 1;
  for (unsigned row = blockIdx.y * cells; row < (blockIdx.y + 1) * cells; ++row)
    for (unsigned column = blockIdx.x * cells; column < (blockIdx.x + 1) * cells; ++column) {
      unsigned *at = &sums[(row + 1) * width + column + 1];
      *at = sumAt(at, width, pixels[row * (width - 1) + column]);
    }
}

static void integrateSerially(const unsigned char *pixels, unsigned *sums, unsigned n) {
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column) {
      unsigned *at = &sums[(row + 1) * (n + 1) + column + 1];
      *at = sumAt(at, n + 1, pixels[row * n + column]);
    }
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "blocks along each side of the image", 32, 1, 256},
                                              {"cells", "pixels along each side of a block", 8, 1, 64}};
  program::parse(argc, argv, "int-img", "Computes the integral image of a random image.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, n = side * cells;

  std::vector<unsigned char> pixels(n * n);
  program::Random random(1);
  for (unsigned char &pixel : pixels)
    pixel = static_cast<unsigned char>(random.below(256));
  std::vector<unsigned> sums((n + 1) * (n + 1), 0), expected = sums;

  program::Outcome outcome;
  outcome.parallel = program::milliseconds(
      [&] { wf::launch(dim3(side, side), dim3(1), links, integrate, pixels.data(), sums.data(), cells, side); });
  outcome.serial = program::milliseconds([&] { integrateSerially(pixels.data(), expected.data(), n); });
  outcome.result = "sum of all pixels " + std::to_string(sums.back());
  outcome.blocks = program::squareBlocks(side * side, cells);
  outcome.isRight = sums == expected;
  return program::report("int-img", outcome);
}
