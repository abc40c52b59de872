// Unbalanced tree search: a node's SHA-1 hash gives its number of children, so that nothing can be planned. One tree is binomial
// (its subtrees' sizes vary without bound), the other geometric (deeper nodes have fewer children). Nodes live in their parents'
// frames.
//   large-uts [root's children]   by default 50
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DigestWords = 5, MaxChildren = 16 };

typedef struct {
  uint32_t digest[DigestWords];
  int depth;
} Node;

typedef struct {
  long size, leaves;
  int depth;
  uint32_t mix; // of all digests, in the order of the children
} Summary;

enum Shape { Binomial, Geometric };

static struct {
  enum Shape shape;
  int root_children;
  double probability; // binomial: probability that a node has `branching` children instead of none
  int branching;
  int max_depth; // geometric
} tree;

static inline uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

// SHA-1 of one block of 64 bytes that already holds the padding.
static void sha1_block(const uint32_t block[16], uint32_t digest[DigestWords]) {
  uint32_t w[80], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
  memcpy(w, block, 64);
  for (int i = 16; i < 80; ++i)
    w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; ++i) {
    uint32_t f, k;
    switch (i / 20) {
    case 0:
      f = (b & c) | (~b & d);
      k = 0x5a827999;
      break;
    case 1:
      f = b ^ c ^ d;
      k = 0x6ed9eba1;
      break;
    case 2:
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdc;
      break;
    default:
      f = b ^ c ^ d;
      k = 0xca62c1d6;
    }
    uint32_t t = rotate(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = t;
  }
  digest[0] = 0x67452301 + a;
  digest[1] = 0xefcdab89 + b;
  digest[2] = 0x98badcfe + c;
  digest[3] = 0x10325476 + d;
  digest[4] = 0xc3d2e1f0 + e;
}

// The digest of (parent's digest, number of the child): 24 bytes.
static Node child_of(const Node *parent, int number) {
  uint32_t block[16] = {0};
  Node child = {.depth = parent->depth + 1};
  memcpy(block, parent->digest, sizeof parent->digest);
  block[5] = (uint32_t)number;
  block[6] = 0x80000000u;
  block[15] = 24 * 8;
  sha1_block(block, child.digest);
  return child;
}

static int count_children(const Node *node) {
  double random = (double)(node->digest[4] & 0x7fffffff) / 2147483648.0;
  if (tree.shape == Binomial)
    return random < tree.probability ? tree.branching : 0;
  if (node->depth >= tree.max_depth)
    return 0;
  int count = 0;
  for (double bound = 1.0 - 0.2; random > 1.0 - bound && count < MaxChildren; bound *= 0.75)
    ++count;
  return count;
}

static void append(Summary *total, Summary child) {
  total->size += child.size;
  total->leaves += child.leaves;
  if (child.depth > total->depth)
    total->depth = child.depth;
  total->mix = total->mix * 31 + child.mix;
}

static Summary search(const Node *node) {
  Node children[MaxChildren];
  Summary summaries[MaxChildren];
  int count = count_children(node);
  Summary total = {1, count == 0, node->depth, node->digest[0]};
  for (int i = 0; i < count; ++i) {
    children[i] = child_of(node, i);
    summaries[i] = cilk_spawn search(&children[i]);
  }
  cilk_sync;
  for (int i = 0; i < count; ++i)
    append(&total, summaries[i]);
  return total;
}

// The root has more children than a node may have. They come in batches, with a sync after each.
static Summary search_root(const Node *root) {
  Node children[MaxChildren];
  Summary summaries[MaxChildren], total = {1, 0, 0, root->digest[0]};
  for (int first = 0; first < tree.root_children; first += MaxChildren) {
    int count = tree.root_children - first < MaxChildren ? tree.root_children - first : MaxChildren;
    for (int i = 0; i < count; ++i) {
      children[i] = child_of(root, first + i);
      summaries[i] = cilk_spawn search(&children[i]);
    }
    cilk_sync;
    for (int i = 0; i < count; ++i)
      append(&total, summaries[i]);
  }
  return total;
}

static Node make_root(uint32_t seed) {
  uint32_t block[16] = {seed, 0x80000000u};
  Node root = {.depth = 0};
  block[15] = 4 * 8;
  sha1_block(block, root.digest);
  return root;
}

int main(int argc, char **argv) {
  tree.root_children = argc > 1 ? atoi(argv[1]) : 50;
  uint32_t empty[16] = {0x61626380, [15] = 24}, digest[DigestWords]; // "abc"
  sha1_block(empty, digest);
  if (tree.root_children < 0 || digest[0] != 0xa9993e36 || digest[4] != 0x9cd0d89d)
    return 2;
  Checksum sum = 0;
  for (uint32_t seed = 0; seed < 4; ++seed) {
    tree.shape = seed % 2 ? Geometric : Binomial;
    tree.probability = 0.1235;
    tree.branching = 8;
    tree.max_depth = 5;
    Node root = make_root(seed);
    Summary all = search_root(&root);
    printf("tree %u: %ld nodes, %ld leaves, depth %d\n", (unsigned)seed, all.size, all.leaves, all.depth);
    sum = fold(fold(sum, (unsigned long)all.size), all.mix);
  }
  report("uts", sum);
  return 0;
}
