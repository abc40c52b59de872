// Unbalanced tree search, without a cut-off: each node is a task. The tree is T1 of the Unbalanced Tree Search
// benchmark (Olivier et al., LCPC 2006): geometric, expected branching 4 down to a fixed depth, root 19. The 20 bytes
// of a node are the SHA-1 of its parent's bytes and its number. They determine the number of its children.
//   tree [depth]   from 0 to 12, by default 10 (4,130,071 nodes)
// Link: -lm
#include "../Spawn.h"
#include <math.h>
#include <stdint.h>

enum { Seed = 19, Branching = 4, MaxChildren = 100, PublishedDepth = 10, PublishedNodes = 4130071 };

typedef struct {
  uint32_t word[5];
} Digest;

static inline uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

// Makes one step: a to e are the working variables under their names in this step.
#define SHA_STEP(a, b, c, d, e, f, k, word)                                                                            \
  e += rotate(a, 5) + (f) + (k) + (word);                                                                              \
  b = rotate(b, 30)
#define SHA_CHOOSE(b, c, d) (d ^ (b & (c ^ d)))
#define SHA_PARITY(b, c, d) (b ^ c ^ d)
#define SHA_MAJORITY(b, c, d) ((b & c) | (d & (b | c)))
// Computes word t of the schedule for t >= 16; only the last sixteen words are kept.
#define SHA_WORD(t) (w[(t) & 15] = rotate(w[((t) + 13) & 15] ^ w[((t) + 8) & 15] ^ w[((t) + 2) & 15] ^ w[(t) & 15], 1))
#define SHA_FIVE(t, f, k, word)                                                                                        \
  SHA_STEP(a, b, c, d, e, f(b, c, d), k, word(t));                                                                     \
  SHA_STEP(e, a, b, c, d, f(a, b, c), k, word((t) + 1));                                                               \
  SHA_STEP(d, e, a, b, c, f(e, a, b), k, word((t) + 2));                                                               \
  SHA_STEP(c, d, e, a, b, f(d, e, a), k, word((t) + 3));                                                               \
  SHA_STEP(b, c, d, e, a, f(c, d, e), k, word((t) + 4))
#define SHA_GIVEN(t) w[t]
#define SHA_EITHER(t) ((t) < 16 ? w[(t) & 15] : SHA_WORD(t))

// Computes SHA-1 (FIPS 180-4) of a message that is one block, with padding.
static inline Digest sha1_block(uint32_t w[16]) {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
  for (int t = 0; t < 15; t += 5) {
    SHA_FIVE(t, SHA_CHOOSE, 0x5a827999, SHA_GIVEN);
  }
  SHA_FIVE(15, SHA_CHOOSE, 0x5a827999, SHA_EITHER);
  for (int t = 20; t < 40; t += 5) {
    SHA_FIVE(t, SHA_PARITY, 0x6ed9eba1, SHA_WORD);
  }
  for (int t = 40; t < 60; t += 5) {
    SHA_FIVE(t, SHA_MAJORITY, 0x8f1bbcdc, SHA_WORD);
  }
  for (int t = 60; t < 80; t += 5) {
    SHA_FIVE(t, SHA_PARITY, 0xca62c1d6, SHA_WORD);
  }
  Digest result = {{0x67452301 + a, 0xefcdab89 + b, 0x98badcfe + c, 0x10325476 + d, 0xc3d2e1f0 + e}};
  return result;
}

// Hashes five words and one more, 24 bytes.
static inline Digest child_digest(Digest parent, uint32_t number) {
  uint32_t block[16] = {parent.word[0],
                        parent.word[1],
                        parent.word[2],
                        parent.word[3],
                        parent.word[4],
                        number,
                        0x80000000u,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        24 * 8};
  return sha1_block(block);
}

// Hashes sixteen zero bytes and the seed, 20 bytes.
static Digest root_digest(uint32_t seed) {
  uint32_t block[16] = {0, 0, 0, 0, seed, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20 * 8};
  return sha1_block(block);
}

static int count_children(Digest digest) {
  double uniform = (double)(digest.word[4] & 0x7fffffff) / 2147483648.0;
  double success = 1.0 / (1.0 + Branching);
  int children = (int)floor(log(1.0 - uniform) / log(1.0 - success));
  return children < MaxChildren ? children : MaxChildren;
}

// Returns a node's share of the result: one node and, in the upper half, the first bit of its digest, which checks the
// hashes.
static long summary(Digest digest) { return 1 + ((long)(digest.word[0] >> 31) << 32); }

static long nodes_in(long sum) { return sum & 0xffffffff; }

#ifdef BENCH_CUTOFF // nodes with fewer levels below them spawn nothing
static long search_serial(Digest parent, int number, int levels) {
  Digest digest = child_digest(parent, (uint32_t)number);
  long sum = summary(digest);
  int children = levels > 0 ? count_children(digest) : 0;
  for (int i = 0; i < children; ++i)
    sum += search_serial(digest, i, levels - 1);
  return sum;
}
#endif

// Returns the sum over the subtree of a parent's child, which has `levels` levels below it.
static long search(Digest parent, int number, int levels) {
  long sums[MaxChildren];
#ifdef BENCH_CUTOFF
  if (levels < BENCH_CUTOFF)
    return search_serial(parent, number, levels);
#endif
  Digest digest = child_digest(parent, (uint32_t)number);
  if (levels == 0)
    return summary(digest);
  int children = count_children(digest);
  GROUP;
  for (int i = 0; i < children; ++i)
    SPAWN(sums[i], search, digest, i, levels - 1);
  SYNC;
  long sum = summary(digest);
  for (int i = 0; i < children; ++i)
    sum += sums[i];
  return sum;
}

static long search_root(int levels) {
  long sums[MaxChildren];
  Digest digest = root_digest(Seed);
  int children = levels > 0 ? count_children(digest) : 0;
  GROUP;
  for (int i = 0; i < children; ++i)
    SPAWN(sums[i], search, digest, i, levels - 1);
  SYNC;
  long sum = summary(digest);
  for (int i = 0; i < children; ++i)
    sum += sums[i];
  return sum;
}

// Computes the same sum breadth first, for trees smaller than the published tree.
static long sum_by_levels(int levels) {
  long width = 1;
  Digest *level = (Digest *)malloc(sizeof(Digest));
  level[0] = root_digest(Seed);
  long sum = summary(level[0]);
  for (; levels > 0 && width > 0; --levels) {
    long children = 0, next = 0;
    for (long i = 0; i < width; ++i)
      children += count_children(level[i]);
    Digest *below = (Digest *)malloc((size_t)(children + 1) * sizeof(Digest));
    for (long i = 0; i < width; ++i)
      for (int child = 0, count = count_children(level[i]); child < count; ++child)
        sum += summary(below[next++] = child_digest(level[i], (uint32_t)child));
    free(level);
    level = below;
    width = children;
  }
  free(level);
  return sum;
}

int main(int argc, char **argv) {
  int depth = (int)bench_size(argc, argv, PublishedDepth, 0, 12);
  long sum;
  RUN(sum, search_root, depth);
  printf("tree of depth %d: %ld nodes, %ld set bits\n", depth, nodes_in(sum), sum >> 32);
  return bench_verdict(depth == PublishedDepth ? nodes_in(sum) == PublishedNodes : sum == sum_by_levels(depth));
}
