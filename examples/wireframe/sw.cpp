// Smith-Waterman: the score of the best local alignment of two strings. A cell needs its three neighbours above and to
// the left.
//
// A block has a thread for each of its columns. The threads fill the block in shared memory, one anti-diagonal after
// another. The policy LVL keeps the levels of running blocks at most three apart.
#include "BlockProgram.h"
#include <algorithm>
#include <cilk2gpu/Wireframe.h>

enum : unsigned { MaxCells = 32 };
enum : int { Match = 3, Mismatch = -2, Gap = 2 };

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
  WF::AddDependency({blockIdx.x - 1, blockIdx.y - 1});
  WF::SetPolicy(WF::LVL, 3);
}

static int score(int diagonal, int above, int left, bool isSame) {
  return std::max({0, diagonal + (isSame ? Match : Mismatch), above - Gap, left - Gap});
}

__WF__ void align(const char *first, const char *second, int *scores, unsigned cells) {
  WF_SHARED int tile[MaxCells + 1][MaxCells + 1];
  unsigned width = gridDim.x * cells + 1, column = threadIdx.x + 1;
  int *corner = scores + blockIdx.y * cells * width + blockIdx.x * cells; // above and to the left of the first cell
  const char *rows = first + blockIdx.y * cells;
  char own = second[blockIdx.x * cells + threadIdx.x];
  tile[0][column] = corner[column];
  tile[column][0] = corner[column * width];
  if (threadIdx.x == 0)
    tile[0][0] = corner[0];
  wf::SyncThreads();
  for (unsigned diagonal = 2; diagonal <= 2 * cells; ++diagonal) {
    unsigned row = diagonal - column;
    if (column < diagonal && row <= cells)
      tile[row][column] =
          score(tile[row - 1][column - 1], tile[row - 1][column], tile[row][column - 1], rows[row - 1] == own);
    wf::SyncThreads();
  }
  for (unsigned row = 1; row <= cells; ++row)
    corner[row * width + column] = tile[row][column];
}

static void alignSerially(const char *first, const char *second, int *scores, unsigned n) {
  unsigned width = n + 1;
  for (unsigned row = 1; row <= n; ++row)
    for (unsigned column = 1; column <= n; ++column) {
      int *at = &scores[row * width + column];
      *at = score(*(at - width - 1), *(at - width), at[-1], first[row - 1] == second[column - 1]);
    }
}

static std::string randomBases(unsigned length, unsigned seed) {
  program::Random random(seed);
  std::string bases(length, ' ');
  for (char &base : bases)
    base = "ACGT"[random.below(4)];
  return bases;
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "blocks along each string", 32, 1, 256},
                                              {"cells", "letters of a string in a block", 8, 1, MaxCells}};
  program::parse(argc, argv, "sw", "Computes the best local alignment of two random strings.", arguments);
  unsigned side = arguments[0].value, cells = arguments[1].value, n = side * cells;

  std::string first = randomBases(n, 1), second = randomBases(n, 2);
  std::vector<int> scores(static_cast<size_t>(n + 1) * (n + 1), 0), expected = scores;

  program::Outcome outcome;
  outcome.parallel = program::milliseconds([&] {
    wf::launch(dim3(side, side), dim3(cells), links, align, first.c_str(), second.c_str(), scores.data(), cells);
  });
  outcome.serial = program::milliseconds([&] { alignSerially(first.c_str(), second.c_str(), expected.data(), n); });
  outcome.result = "best score " + std::to_string(*std::max_element(scores.begin(), scores.end()));
  outcome.blocks = program::squareBlocks(side * side, cells);
  outcome.isRight = scores == expected;
  return program::report("sw", outcome);
}
