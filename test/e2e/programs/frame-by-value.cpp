// Structs passed by value in a task that is saved or waits. Their parts lie in columns of elements, at the same offsets as fields
// of the task's frame.
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>

namespace {

struct Vec {
  double x, y, z;
  Vec operator*(double scale) const { return {x * scale, y * scale, z * scale}; }
};

struct Tree {
  Tree *left, *right;
  Vec at;
};

Tree *build(int depth, Vec at) {
  if (!depth)
    return nullptr;
  auto *tree = new Tree;
  tree->at = at;
  tree->left = cilk_spawn build(depth - 1, at * 0.5);
  tree->right = build(depth - 1, at * 1.5);
  cilk_sync;
  return tree;
}

Vec sum(const Tree *tree) {
  if (!tree)
    return {0, 0, 0};
  Vec left = cilk_spawn sum(tree->left);
  Vec right = sum(tree->right);
  cilk_sync;
  return {left.x + right.x + tree->at.x, left.y + right.y + tree->at.y, left.z + right.z + tree->at.z};
}

} // namespace

int main(int argc, char **argv) {
  int depth = argc > 1 ? std::atoi(argv[1]) : 8;
  Vec total = sum(build(depth, {1, 2, 3}));
  std::printf("%g %g %g\n", total.x, total.y, total.z);
}
