// The alignment of Alignment.h as two loops.
#include "Alignment.h"

static int align(const std::string &rows, const std::string &columns) {
  std::vector<int> above(columns.size() + 1, 0); // scores of the row above, behind a border
  int best = 0;
  for (char a : rows) {
    int between = 0, left = 0;
    for (size_t x = 1; x <= columns.size(); ++x) {
      int score = scoreOf(a, columns[x - 1], between, above[x], left);
      between = above[x];
      above[x] = left = score;
      best = std::max(best, score);
    }
  }
  return best;
}

int main(int argc, char **argv) { return measureAlignment(argc, argv, align); }
