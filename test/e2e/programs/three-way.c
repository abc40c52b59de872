// Comparisons with the results less, equal or greater, for which LLVM has intrinsics: signed and unsigned, of different widths.
// Also a prefetch. Prints a sum for each.
#include <stdio.h>
#include <stdlib.h>

enum { Size = 1024 };
static int numbers[Size];

#define THREE_WAY(name, T, R)                                                                                          \
  static R name(int n, T x) {                                                                                          \
    const int *near = &numbers[(unsigned)x % Size];                                                                    \
    __builtin_prefetch(near);                                                                                          \
    if (n < 2)                                                                                                         \
      return (R)(((T)*near > x) - ((T)*near < x));                                                                     \
    R a = cilk_spawn name(n - 1, (T)(3 * x + 1));                                                                      \
    R b = cilk_spawn name(n - 2, (T)(5 * x + 7));                                                                      \
    cilk_sync;                                                                                                         \
    return (R)(2 * a + b);                                                                                             \
  }
THREE_WAY(compareInts, int, int)
THREE_WAY(compareWords, unsigned short, int)
THREE_WAY(compareBytes, signed char, long)
THREE_WAY(compareLongs, unsigned long, short)

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 16;
  for (int i = 0; i < Size; ++i)
    numbers[i] = (int)((unsigned)i * 2654435761u);
  printf("%d %d %ld %d\n", compareInts(n, 1), compareWords(n, 2), compareBytes(n, 3), compareLongs(n, 4));
}
