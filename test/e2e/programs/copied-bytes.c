// Variables that are copied as a whole keep every byte across spawns and syncs, in elements and in results. Bytes in a
// struct's padding, or behind a long double's ten bytes, may belong to a union's other member.
#include "checksum.h"

#include <cilk/cilk.h>
#include <string.h>

typedef union { struct { char a; long b; } s; unsigned char raw[16]; } Padded;
typedef union { struct { double d; char c; } s[2]; unsigned char raw[32]; } Twice;
typedef union { long double d; unsigned char raw[16]; } Wide;
typedef union { struct { short a; } __attribute__((aligned(8))) s; unsigned char raw[8]; } Aligned;

static void nothing(void) {}

#define TRY(Type)                                                                                                      \
  static void copy##Type(const Type *from, Type *to) {                                                                 \
    Type local = *from;                                                                                                \
    cilk_spawn nothing();                                                                                              \
    cilk_sync;                                                                                                         \
    *to = local;                                                                                                       \
  }                                                                                                                    \
  static Type descend##Type(const Type *from, int n) {                                                                 \
    Type local = *from;                                                                                                \
    if (n == 0)                                                                                                        \
      return local;                                                                                                    \
    local.raw[n] += n;                                                                                                 \
    Type below = cilk_spawn descend##Type(&local, n - 1);                                                              \
    cilk_sync;                                                                                                         \
    return below;                                                                                                      \
  }                                                                                                                    \
  static Type pass##Type(Type value, int n) {                                                                          \
    if (n == 0)                                                                                                        \
      return value;                                                                                                    \
    Type below = cilk_spawn pass##Type(value, n - 1);                                                                  \
    Type kept = value;                                                                                                 \
    cilk_sync;                                                                                                         \
    return n % 2 ? below : kept;                                                                                       \
  }                                                                                                                    \
  static void fill##Type(Type *to, int c) {                                                                            \
    Type local;                                                                                                        \
    memset(&local, c, sizeof local);                                                                                   \
    cilk_spawn nothing();                                                                                              \
    cilk_sync;                                                                                                         \
    memcpy(to, &local, sizeof local);                                                                                  \
  }                                                                                                                    \
  static void all##Type(void) {                                                                               \
    Type first, others[8];                                                                                             \
    for (unsigned i = 0; i < sizeof first; ++i)                                                                        \
      first.raw[i] = (unsigned char)(i * 7 + 1);                                                                       \
    copy##Type(&first, &others[0]);                                                                                    \
    others[1] = descend##Type(&first, 5);                                                                              \
    others[2] = pass##Type(first, 4);                                                                                  \
    fill##Type(&others[3], 0xa5);                                                                                      \
    Type kept = first;                                                                                                 \
    cilk_for (int i = 4; i < 8; ++i) {                                                                                 \
      Type own = kept;                                                                                                 \
      own.raw[i] = 1;                                                                                                  \
      others[i] = own;                                                                                                 \
    }                                                                                                                  \
    Checksum sum = 0;                                                                                                  \
    for (int i = 0; i < 8; ++i)                                                                                        \
      for (unsigned k = 0; k < sizeof first; ++k)                                                                      \
        sum = fold(sum, others[i].raw[k]);                                                                             \
    report(#Type, sum);                                                                                                \
  }

TRY(Padded)
TRY(Twice)
TRY(Wide)
TRY(Aligned)

int main(void) {
  allPadded();
  allTwice();
  allWide();
  allAligned();
  return 0;
}
