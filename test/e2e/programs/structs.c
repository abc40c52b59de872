// Structs of 8, 16, 24, 80 and 1000 bytes by value, as arguments and as results of tasks. The parent changes its copy between the
// spawn and the sync, and no child may see that.
#include "checksum.h"
#include <cilk/cilk.h>
#include <string.h>

#define SIZED(name, count)                                                                                             \
  struct name {                                                                                                        \
    int values[count];                                                                                                 \
  };                                                                                                                   \
  static unsigned read_##name(struct name s) {                                                                         \
    unsigned sum = 0;                                                                                                  \
    for (int i = 0; i < count; ++i)                                                                                    \
      sum = sum * 31 + (unsigned)s.values[i];                                                                          \
    return sum;                                                                                                        \
  }                                                                                                                    \
  static struct name make_##name(int n) {                                                                              \
    struct name s;                                                                                                     \
    for (int i = 0; i < count; ++i)                                                                                    \
      s.values[i] = n + i;                                                                                             \
    return s;                                                                                                          \
  }                                                                                                                    \
  static struct name tree_##name(int n, struct name s) {                                                               \
    if (n <= 1) {                                                                                                      \
      s.values[n % count] += 100;                                                                                      \
      return s;                                                                                                        \
    }                                                                                                                  \
    struct name x, y, made;                                                                                            \
    unsigned seen[3];                                                                                                  \
    x = cilk_spawn tree_##name(n - 1, s);                                                                              \
    for (int i = 0; i < 3; ++i) {                                                                                      \
      s.values[i % count] += i + 1;                                                                                    \
      seen[i] = cilk_spawn read_##name(s);                                                                             \
    }                                                                                                                  \
    made = cilk_spawn make_##name(n);                                                                                  \
    y = cilk_spawn tree_##name(n - 2, s);                                                                              \
    memset(&s, 0, sizeof s);                                                                                           \
    cilk_sync;                                                                                                         \
    for (int i = 0; i < count; ++i)                                                                                    \
      s.values[i] = (x.values[i] + 3 * y.values[i] + made.values[count - 1 - i]) % 100003;                             \
    s.values[0] ^= (int)((seen[0] ^ seen[1] ^ seen[2]) & 0xffff);                                                      \
    return s;                                                                                                          \
  }

SIZED(Bytes8, 2)
SIZED(Bytes16, 4)
SIZED(Bytes24, 6)
SIZED(Bytes80, 20)
SIZED(Bytes1000, 250)

struct Mixed { // passed partly in integer, partly in vector registers
  double weight;
  char name[3];
  int count;
};

static struct Mixed blend(int n, struct Mixed a, struct Mixed b) {
  if (n == 0) {
    a.weight += b.weight / 2;
    a.name[1] = b.name[2];
    a.count += b.count;
    return a;
  }
  struct Mixed results[2];
  struct Mixed *second = &results[1];
  results[0] = cilk_spawn blend(n - 1, b, a);
  *second = cilk_spawn blend(n - 1, a, a);
  a.weight = -1;
  b.count = 77;
  cilk_sync;
  results[0].count += second->count % 1000;
  results[0].weight += second->weight / 4;
  return results[0];
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 9; ++n) {
    sum = fold(sum, read_Bytes8(tree_Bytes8(n, make_Bytes8(n))));
    sum = fold(sum, read_Bytes16(tree_Bytes16(n, make_Bytes16(n))));
    sum = fold(sum, read_Bytes24(tree_Bytes24(n, make_Bytes24(n))));
    sum = fold(sum, read_Bytes80(tree_Bytes80(n, make_Bytes80(n))));
    sum = fold(sum, read_Bytes1000(tree_Bytes1000(n, make_Bytes1000(n))));
    struct Mixed m = blend(n, (struct Mixed){1.5, "ab", 3}, (struct Mixed){2.25, "xy", n});
    sum = fold(sum, (unsigned long)(long)(m.weight * 4096));
    sum = fold(sum, (unsigned)m.count + (unsigned char)m.name[1]);
  }
  report("structs", sum);
  return 0;
}
