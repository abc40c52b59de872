// Trees that tasks build, walk and free.
#include "Cliff.h"

#include <memory>

struct Node {
  long value;
  Node *left, *right;
};

static Node *build(long depth, long value) {
  auto *node = static_cast<Node *>(std::malloc(sizeof(Node)));
  *node = {value, nullptr, nullptr};
  if (depth > 0) {
    node->left = cilk_spawn build(depth - 1, 2 * value);
    node->right = build(depth - 1, 2 * value + 1);
    cilk_sync;
  }
  return node;
}

static long sum(const Node *node) {
  if (!node)
    return 0;
  long left = cilk_spawn sum(node->left);
  long right = sum(node->right);
  cilk_sync;
  return left + right + node->value % 5;
}

static void release(Node *node) {
  if (!node)
    return;
  cilk_spawn release(node->left);
  release(node->right);
  cilk_sync;
  std::free(node);
}

static long allocated(long depth) {
  Node *root = build(depth, 1);
  long found = sum(root) + sum(root);
  release(root);
  return found;
}

struct Owner {
  long value;
  std::unique_ptr<Owner> left, right;
};

static std::unique_ptr<Owner> own(long depth, long value) {
  auto node = std::make_unique<Owner>();
  node->value = value;
  if (depth > 0) {
    node->left = cilk_spawn own(depth - 1, 2 * value);
    node->right = own(depth - 1, 2 * value + 1);
    cilk_sync;
  }
  return node;
}

static std::unique_ptr<Owner> mirror(const Owner *node) {
  auto copy = std::make_unique<Owner>();
  copy->value = node->value + 1;
  if (node->left) {
    copy->right = cilk_spawn mirror(node->left.get());
    copy->left = mirror(node->right.get());
    cilk_sync;
  }
  return copy;
}

static long sumOwned(const Owner *node) {
  if (!node)
    return 0;
  long left = cilk_spawn sumOwned(node->left.get());
  long right = sumOwned(node->right.get());
  cilk_sync;
  return left + 2 * right + node->value % 5;
}

static long mirrors(long depth) {
  std::unique_ptr<Owner> root = own(depth, 1), copy = mirror(root.get());
  return sumOwned(root.get()) + 3 * sumOwned(copy.get());
}

/// A persistent tree. Copies share what they do not change.
struct Shared {
  long key;
  std::shared_ptr<const Shared> left, right;
};
using SharedPtr = std::shared_ptr<const Shared>;

static SharedPtr range(long begin, long end) {
  if (begin >= end)
    return nullptr;
  long middle = (begin + end) / 2;
  SharedPtr left = cilk_spawn range(begin, middle);
  SharedPtr right = range(middle + 1, end);
  cilk_sync;
  return std::make_shared<const Shared>(Shared{middle, left, right});
}

static long sumShared(const Shared *node) {
  if (!node)
    return 0;
  long left = cilk_spawn sumShared(node->left.get());
  long right = sumShared(node->right.get());
  cilk_sync;
  return left + 2 * right + node->key % 5;
}

static long sharedTrees(long count) { return sumShared(range(0, count).get()); }

int main(int argc, char **argv) {
  const Row rows[] = {{"malloc", allocated}, {"unique-ptr", mirrors}, {"shared-ptr", sharedTrees}};
  return runRow(rows, argc, argv);
}
