// Tests that a spawned block has the values at its spawn of variables that it only reads: structures, unions, complex
// and long numbers, whatever the parent does with the variables afterwards. A block that writes uses them in place.
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  long v[4];
} Numbers;
typedef struct {
  double a;
  char c;
  int b;
} Mixed;
typedef struct {
  int many[40];
} Many;
typedef union {
  struct {
    char tag;
    int number;
  } one;
  unsigned char bytes[8];
} Either;

enum { Kinds = 8, Most = 16 };

static long first(Numbers s) { return s.v[0] + s.v[3]; }
static long second(Mixed s) { return (long)s.a + s.b + s.c; }

static void spawnAll(long (*r)[Kinds], int n) {
  for (int i = 0; i < n; ++i) {
    Numbers numbers = {{i, 0, 0, i}};
    Mixed mixed = {i, (char)i, i};
    Many many = {{0}};
    many.many[39] = i;
    Either either;
    for (int b = 0; b < 8; ++b)
      either.bytes[b] = (unsigned char)(i + b); // also where the structure has padding
    double _Complex z = i + 2 * i * I;
    long double wide = i;
    int scalar = i;
    cilk_spawn { r[i][0] = first(numbers); }
    cilk_spawn { r[i][1] = second(mixed); }
    cilk_spawn { r[i][2] = (long)(creal(z) + cimag(z)); }
    cilk_spawn { r[i][3] = (long)wide + scalar; }
    cilk_spawn r[i][4] = mixed.b + numbers.v[3];
    cilk_spawn { r[i][5] = many.many[39] + many.many[0]; }
    cilk_spawn {
      for (int b = 0; b < 8; ++b)
        r[i][6] = r[i][6] * 3 + either.bytes[b];
    }
    cilk_spawn r[i][7] = either.one.tag;
    numbers.v[0] = numbers.v[3] = 1000;
    mixed.b = mixed.c = 7;
    many.many[39] = 1000;
    either.bytes[1] = either.bytes[0] = 99;
    z = wide = scalar = 1000;
  }
  cilk_sync;
}

/// The block changes the parent's structure.
static long inPlace(int n) {
  Mixed total = {0, 0, 0};
  cilk_spawn {
    for (int i = 0; i < n; ++i)
      total.b += i;
  }
  cilk_sync;
  return total.b;
}

/// Loops in the block read a structure of more than 16 parts.
static long inLoops(long *r, int n) {
  struct {
    long many[40];
    int last;
  } large = {{0, 1, 2, 3, 4}, 5};
  cilk_spawn {
    cilk_for (int i = 0; i < n; ++i)
      r[i] = large.many[i % 5] * 10 + large.last;
    cilk_for (int i = 0; i < n; ++i) {
      cilk_spawn r[i] += large.last;
    }
  }
  large.many[1] = large.last = 1000;
  cilk_sync;
  long sum = large.last;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + r[i];
  return sum;
}

struct Image {
  int width, height, factor;
  const int *in;
  int *out;
};

/// A loop reads a parameter that is a structure.
static void scale(struct Image image) {
  cilk_for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      image.out[y * image.width + x] = image.factor * image.in[y * image.width + x] + y;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9;
  long r[Most][Kinds] = {{0}};
  if (n > Most)
    n = Most;
  spawnAll(r, n);
  for (int k = 0; k < Kinds; ++k, printf("\n"))
    for (int i = 0; i < n; ++i)
      printf("%ld ", r[i][k]);
  int in[12 * 10], out[12 * 10];
  for (int i = 0; i < 120; ++i)
    in[i] = i * i;
  scale((struct Image){12, 10, 3, in, out});
  long sum = 0;
  for (int i = 0; i < 120; ++i)
    sum = sum * 7 % 1000003 + out[i];
  printf("%ld %ld %ld\n", sum, inPlace(n), inLoops(r[0], n < Kinds ? n : Kinds));
  return 0;
}
