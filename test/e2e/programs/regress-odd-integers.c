// Arguments and results that a calling convention turns into integers of 24, 40, 48 or 56 bits. Also small structs of such sizes
// by value, of static functions and of others.
#include <cilk/cilk.h>
#include <stdio.h>

typedef struct {
  unsigned char r, g, b;
} Color;
typedef struct {
  short x, y, z;
} Point;
typedef struct {
  char text[5];
} Five;
typedef struct {
  char text[7];
} Seven;

int luma(Color p) { return p.r * 3 + p.g * 6 + p.b; }
Color mix(int i) { return (Color){i, i * 2, i * 3}; }
static int dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Point point(int i) { return (Point){i, -i, i * 5}; }
static int five(Five f, Seven s) { return f.text[0] + 2 * f.text[4] + 3 * s.text[0] + 4 * s.text[6]; }
static Five makeFive(int i) { return (Five){{i, i + 1, i + 2, i + 3, i + 4}}; }
Seven makeSeven(int i) { return (Seven){{i, i, i, i, i, i, i + 1}}; }

enum { kCount = 70 };

static void all(int n, int *out, Color *colors, Point *points, Five *fives, Seven *sevens) {
  for (int i = 0; i < n; ++i) {
    colors[i] = cilk_spawn mix(i);
    points[i] = cilk_spawn point(i);
    fives[i] = cilk_spawn makeFive(i);
    sevens[i] = cilk_spawn makeSeven(i);
  }
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    out[3 * i] = cilk_spawn luma(colors[i]);
    out[3 * i + 1] = cilk_spawn dot((Point){i, i + 1, i + 2}, points[i]);
    out[3 * i + 2] = cilk_spawn five(fives[i], sevens[i]);
  }
}

int main(void) {
  static int out[3 * kCount];
  static Color colors[kCount];
  static Point points[kCount];
  static Five fives[kCount];
  static Seven sevens[kCount];
  all(kCount, out, colors, points, fives, sevens);
  for (int i = 0; i < kCount; ++i)
    printf("%d %d %d %d %d\n", out[3 * i], out[3 * i + 1], out[3 * i + 2], colors[i].b, points[i].z);
}
