// Cholesky factorisation in tiles: A = L L^T. A node of the graph is one task on one tile: factor a tile of the diagonal,
// solve for a tile below it, or update a tile with two finished ones. The tasks of all steps are one run-time graph.
//
// A block has a thread for each row of a tile. The kind of a task is loaded from memory; it is the same for all threads
// of a block, so threads may synchronise under a condition on it.
#include "BlockProgram.h"
#include <cilk2gpu/Wireframe.h>
#include <cmath>

enum : unsigned { MaxCells = 32 };

// Works on tile (row, column) with the tiles of column `step`, where step <= column <= row.
struct Task {
  uint32_t step, row, column;
};

using Tile = double[MaxCells][MaxCells];

static double subtractProduct(double from, double a, double b) { return from - a * b; }

static void load(Tile &tile, const double *matrix, unsigned n, unsigned row, unsigned column, unsigned cells) {
  for (unsigned i = 0; i < cells; ++i)
    tile[threadIdx.x][i] = matrix[(row * cells + threadIdx.x) * n + column * cells + i];
}

// Row threadIdx.x of `own` less its products with the rows of `right`.
static void update(Tile &own, const Tile &left, const Tile &right, unsigned cells) {
  for (unsigned column = 0; column < cells; ++column)
    for (unsigned k = 0; k < cells; ++k)
      own[threadIdx.x][column] = subtractProduct(own[threadIdx.x][column], left[threadIdx.x][k], right[column][k]);
}

static void solve(Tile &own, const Tile &diagonal, unsigned cells) {
  for (unsigned column = 0; column < cells; ++column) {
    double rest = own[threadIdx.x][column];
    for (unsigned k = 0; k < column; ++k)
      rest = subtractProduct(rest, own[threadIdx.x][k], diagonal[column][k]);
    own[threadIdx.x][column] = rest / diagonal[column][column];
  }
}

__WF__ void runTask(const Task *tasks, double *matrix, unsigned cells, unsigned n) {
  WF_SHARED Tile own;
  WF_SHARED Tile left;
  WF_SHARED Tile right;
  Task task = tasks[blockIdx.x];
  unsigned row = threadIdx.x;
  load(own, matrix, n, task.row, task.column, cells);
  if (task.step < task.column) {
    load(left, matrix, n, task.row, task.step, cells);
    load(right, matrix, n, task.column, task.step, cells);
    wf::SyncThreads();
    update(own, left, right, cells);
  } else if (task.column < task.row) {
    load(right, matrix, n, task.column, task.column, cells);
    wf::SyncThreads();
    solve(own, right, cells);
  } else {
    for (unsigned k = 0; k < cells; ++k) {
      if (row == k)
        own[k][k] = std::sqrt(own[k][k]);
      wf::SyncThreads();
      if (row > k)
        own[row][k] = own[row][k] / own[k][k];
      wf::SyncThreads();
      for (unsigned column = k + 1; column <= row; ++column)
        own[row][column] = subtractProduct(own[row][column], own[row][k], own[column][k]);
    }
  }
  for (unsigned i = 0; i < cells; ++i)
    matrix[(task.row * cells + row) * n + task.column * cells + i] = own[row][i];
}

// Without tiles. Every element sees the same operations in the same order as in the tasks.
static void factorSerially(double *matrix, unsigned n) {
  for (unsigned column = 0; column < n; ++column)
    for (unsigned row = column; row < n; ++row) {
      double rest = matrix[row * n + column];
      for (unsigned k = 0; k < column; ++k)
        rest = subtractProduct(rest, matrix[row * n + k], matrix[column * n + k]);
      matrix[row * n + column] = row == column ? std::sqrt(rest) : rest / matrix[column * n + column];
    }
}

// The tasks of a matrix of `tiles` x `tiles` tiles, step by step, and the numbers of tasks.
struct TaskList {
  explicit TaskList(uint32_t tiles) {
    for (uint32_t step = 0; step < tiles; ++step) {
      firsts.push_back(static_cast<uint32_t>(tasks.size()));
      for (uint32_t row = step; row < tiles; ++row)
        for (uint32_t column = step; column <= row; ++column)
          tasks.push_back({step, row, column});
    }
  }

  uint32_t number(uint32_t step, uint32_t row, uint32_t column) const {
    return firsts[step] + (row - step) * (row - step + 1) / 2 + column - step;
  }

  std::vector<Task> tasks;
  std::vector<uint32_t> firsts;
};

static program::Edges edgesOf(const TaskList &list) {
  program::Edges edges(list.tasks.size());
  for (uint32_t node = 0; node < list.tasks.size(); ++node) {
    auto [step, row, column] = list.tasks[node];
    if (step > 0)
      edges.add(list.number(step - 1, row, column), node);
    if (step < column) {
      edges.add(list.number(step, row, step), node);
      edges.add(list.number(step, column, step), node); // the same edge again for a tile of the diagonal
    } else if (column < row) {
      edges.add(list.number(step, step, step), node);
    }
  }
  edges.finish();
  return edges;
}

static std::vector<double> randomMatrix(unsigned n) {
  program::Random random(1);
  std::vector<double> matrix(static_cast<size_t>(n) * n);
  for (unsigned row = 0; row < n; ++row) {
    for (unsigned column = 0; column < row; ++column)
      matrix[row * n + column] = matrix[column * n + row] = random.unit();
    matrix[row * n + row] = n + random.unit();
  }
  return matrix;
}

static bool haveSameTriangles(const std::vector<double> &a, const std::vector<double> &b, unsigned n) {
  for (unsigned row = 0; row < n; ++row)
    if (std::memcmp(&a[row * n], &b[row * n], (row + 1) * sizeof(double)))
      return false;
  return true;
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "tiles along each side of the matrix", 17, 1, 64},
                                              {"cells", "rows of a tile", 8, 1, MaxCells}};
  program::parse(argc, argv, "cholesky",
                 "Factorises a random matrix. 17, 28 and 37 tiles are 969, 4060 and 9139 blocks.", arguments);
  unsigned tiles = arguments[0].value, cells = arguments[1].value, n = tiles * cells;

  std::vector<double> matrix = randomMatrix(n), expected = matrix;
  TaskList list(tiles);
  program::Edges edges = edgesOf(list);

  program::Outcome outcome;
  outcome.parallel = program::milliseconds([&] {
    wf::launch(wf::Graph(list.tasks.size(), edges.starts, edges.children), dim3(cells), runTask, list.tasks.data(),
               matrix.data(), cells, n);
  });
  outcome.serial = program::milliseconds([&] { factorSerially(expected.data(), n); });
  outcome.result = "last element " + std::to_string(matrix.back());
  outcome.blocks = program::squareBlocks(list.tasks.size(), cells);
  outcome.isRight = haveSameTriangles(matrix, expected, n);
  return program::report("cholesky", outcome);
}
