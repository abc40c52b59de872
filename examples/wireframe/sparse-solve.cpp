// Solves L x = b for a sparse lower-triangular matrix L. A block is a group of consecutive rows. It needs the blocks of
// the unknowns that occur in its rows, so the graph is known only when the matrix is known: a run-time graph.
#include "BlockProgram.h"
#include <algorithm>
#include <cilk2gpu/Wireframe.h>

// Compressed rows, without the diagonal.
struct Matrix {
  const uint32_t *starts, *columns;
  const double *values, *diagonal;
};

static double solveRow(const Matrix &matrix, const double *right, const double *x, uint32_t row) {
  double rest = right[row];
  for (uint32_t i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i)
    rest -= matrix.values[i] * x[matrix.columns[i]];
  return rest / matrix.diagonal[row];
}

__WF__ void solve(Matrix matrix, const double *right, double *x, unsigned rows) {
  for (uint32_t row = blockIdx.x * rows; row < (blockIdx.x + 1) * rows; ++row)
    x[row] = solveRow(matrix, right, x, row);
}

// Owner of the arrays of a random matrix.
struct RandomMatrix {
  std::vector<uint32_t> starts{0}, columns;
  std::vector<double> values, diagonal;

  // Rows have up to five elements beside the diagonal. Two of three are near the diagonal.
  RandomMatrix(uint32_t rows, unsigned seed) {
    program::Random random(seed);
    for (uint32_t row = 0; row < rows; ++row) {
      for (unsigned i = random.below(6); i > 0 && row > 0; --i) {
        uint32_t distance = random.below(3) ? random.below(std::min(row, 200u)) : random.below(row);
        columns.push_back(row - 1 - distance);
        values.push_back(random.unit() / 4);
      }
      starts.push_back(static_cast<uint32_t>(columns.size()));
      diagonal.push_back(2 + random.unit());
    }
  }

  Matrix view() const { return {starts.data(), columns.data(), values.data(), diagonal.data()}; }
};

// An element of `row` at `column` makes the block of the row a child of the block of the column. Many elements give the
// same edge, which then counts once.
static program::Edges edgesOf(const RandomMatrix &matrix, uint32_t nodes, unsigned rows) {
  program::Edges edges(nodes);
  for (uint32_t row = 0; row < nodes * rows; ++row)
    for (uint32_t i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i)
      if (matrix.columns[i] / rows != row / rows)
        edges.add(matrix.columns[i] / rows, row / rows);
  edges.finish();
  return edges;
}

int main(int argc, char **argv) {
  std::vector<program::Argument> arguments = {{"side", "the square root of the number of blocks", 32, 1, 256},
                                              {"cells", "rows of a block", 8, 1, 64},
                                              {"seed", "seed of the random matrix", 1, 0, 1000000}};
  program::parse(argc, argv, "sparse-solve", "Solves a random sparse lower-triangular system.", arguments);
  unsigned nodes = arguments[0].value * arguments[0].value, rows = arguments[1].value;

  RandomMatrix matrix(nodes * rows, arguments[2].value);
  std::vector<double> right(nodes * rows);
  program::Random random(arguments[2].value + 1);
  for (double &value : right)
    value = random.unit();
  std::vector<double> x(nodes * rows, 0), expected = x;

  program::Edges edges = edgesOf(matrix, nodes, rows);
  program::Outcome outcome;
  outcome.parallel = program::milliseconds([&] {
    wf::launch(wf::Graph(nodes, edges.starts, edges.children), dim3(1), solve, matrix.view(), right.data(), x.data(),
               rows);
  });
  outcome.serial = program::milliseconds([&] {
    for (uint32_t row = 0; row < nodes * rows; ++row)
      expected[row] = solveRow(matrix.view(), right.data(), expected.data(), row);
  });
  outcome.result = "last unknown " + std::to_string(x.back());
  outcome.blocks = std::to_string(nodes) + " blocks of " + std::to_string(rows) + " rows, " +
                   std::to_string(edges.children.size()) + " edges given";
  outcome.isRight = x == expected;
  return program::report("sparse-solve", outcome);
}
