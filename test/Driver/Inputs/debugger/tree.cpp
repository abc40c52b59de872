// A program for debuggers: a member function that is a task, with a structure by value, a reference and an object.
#include <cstdio>
#include <vector>

struct Range {
  int first, last;
  int size() const { return last - first; }
};

struct Tree {
  int depth;
  long walk(Range range, const std::vector<int> &values, double factor);
};

long Tree::walk(Range range, const std::vector<int> &values, double factor) {
  std::vector<int> label(2, depth);
  if (range.size() < 2)
    return long(values[range.first] * factor);
  int middle = (range.first + range.last) / 2;
  long left = cilk_spawn walk({range.first, middle}, values, factor);
  long right = cilk_spawn walk({middle, range.last}, values, factor);
  cilk_sync;
  long total = left + right;
  for (int i = 0; i < 2; ++i) {
    long again = total + i;
    total = again - i;
  }
  return total + long(label.size()) - 2;
}

int main() {
  std::vector<int> values{3, 5, 7, 9, 11, 13, 15, 17};
  Tree tree{4};
  printf("%ld\n", tree.walk({0, 8}, values, 2));
}
