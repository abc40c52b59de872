// The alignment of Alignment.h in blocks of 64 x 64 cells. A block has a thread for each row. Thread t computes its cell
// of column k - t in step k, so that all threads work on one anti-diagonal.
#include "Alignment.h"
#include <cilk2gpu/Wireframe.h>

/// Scores at the lower and the right edges of blocks. A block replaces those of the blocks above it and to its left.
struct Edges {
  int *lower, *right; // [letters]
  int *corners;       // [(side + 1) * (side + 1)]: at the lower right of each block, behind a border
  int *best;          // [letters]: of each row
};

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

__WF__ void alignTile(const char *rows, const char *columns, Edges edges) {
  WF_SHARED int scores[2][kTile + 1]; // of the last step, behind that of the row above the block
  int thread = threadIdx.x, row = blockIdx.y * kTile + thread, begin = blockIdx.x * kTile;
  int side = gridDim.x + 1, corner = blockIdx.y * side + blockIdx.x;
  char letter = rows[row];
  int left = edges.right[row], best = edges.best[row];
  int between = thread ? edges.right[row - 1] : edges.corners[corner];
  wf::SyncThreads(); // all threads have read the right edges
  for (int step = 0; step < int(2 * kTile - 1); ++step) {
    int column = step - thread;
    if (column >= 0 && column < int(kTile)) {
      int above = thread ? scores[step & 1][thread] : edges.lower[begin + column];
      int score = scoreOf(letter, columns[begin + column], between, above, left);
      between = above;
      left = score;
      best = std::max(best, score);
      scores[~step & 1][thread + 1] = score;
      if (thread == int(kTile) - 1)
        edges.lower[begin + column] = score;
    }
    wf::SyncThreads();
  }
  edges.right[row] = left;
  edges.best[row] = best;
  if (thread == int(kTile) - 1)
    edges.corners[corner + side + 1] = left;
}

static int align(const std::string &rows, const std::string &columns) {
  size_t letters = rows.size();
  unsigned side = unsigned(letters / kTile);
  std::vector<int> lower(letters, 0), right(letters, 0), best(letters, 0), corners((side + 1) * (side + 1), 0);
  Edges edges = {lower.data(), right.data(), corners.data(), best.data()};
  wf::launch(dim3(side, side), dim3(kTile), links, alignTile, rows.data(), columns.data(), edges);
  return *std::max_element(best.begin(), best.end());
}

int main(int argc, char **argv) { return measureAlignment(argc, argv, align); }
