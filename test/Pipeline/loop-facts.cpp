// Iterations know what the function around a cilk_for knows only after inlining: the sizes in objects that a constructor
// has filled. A loop that tasks start, too, has no such values.
// RUN: cilk2gpu++ -O2 %s -S -emit-llvm -o - | FileCheck %s
// RUN: cilk2gpu++ -O2 %s -o %t && %t | FileCheck %s --check-prefix=OUTPUT
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 %t | FileCheck %s --check-prefix=OUTPUT
#include <cilk/cilk.h>
#include <cstdio>
#include <vector>

struct Grid {
  int width, height;
  std::vector<unsigned char> cells;
  Grid(int width, int height) : width(width), height(height), cells(width * height) {}
  unsigned char at(int x, int y) const { return cells[y * width + (x < width ? x : width - 1)]; }
};

// CHECK-LABEL: define {{.*}}@{{.*}}turned{{.*}}for0.loop(
// CHECK: mul {{.*}}%{{[0-9]+}}, %{{[0-9]+}}
// CHECK: {{^}}}
__attribute__((noinline)) static long turned(const Grid &grid, Grid &to) {
  cilk_for (int y = 0; y < grid.height; ++y)
    for (int x = 0; x < grid.width; ++x)
      to.cells[y * grid.width + x] = grid.at(grid.width - x, y);
  return to.cells[7];
}

// CHECK-LABEL: define {{.*}}@main.for0.loop(
// CHECK-NOT: smin.i32(i32 %{{[0-9]+}}, i32 %
// CHECK: mul {{.*}}i64 %{{[0-9]+}}, 640
// CHECK: {{^}}}
int main() {
  Grid from(640, 31), to(640, 31), other(9, 5), another(9, 5);
  for (size_t i = 0; i < from.cells.size(); ++i)
    from.cells[i] = static_cast<unsigned char>(i * 7);
  cilk_for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to.cells[y * from.width + x] = static_cast<unsigned char>(from.at(x, y) + 2 * from.at(x + 1, y));
  long sum = 0;
  for (unsigned char cell : to.cells)
    sum = (sum * 31 + cell) % 1000003;
  long one = cilk_spawn turned(from, to);
  long two = turned(other, another);
  cilk_sync;
  // OUTPUT: {{^}}[[#]] 79 0{{$}}
  std::printf("%ld %ld %ld\n", sum, one, two);
}
