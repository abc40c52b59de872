// Functions with loops of tasks that ordinary code calls: once, often, through other functions, with an early return,
// with loops inside loops, local arrays of variable size, references, results, and from iterations and spawned calls.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

struct Picture {
  int width, height;
  std::vector<uint8_t> pixels;
  Picture(int width, int height) : width(width), height(height), pixels(size_t(width) * height) {}
  int at(int x, int y) const {
    return pixels[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
  }
};

static void blurLines(const Picture &from, Picture &to) {
  cilk_for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      int sum = 0;
      for (int k = -2; k <= 2; ++k)
        sum += from.at(x + k, y);
      to.pixels[y * to.width + x] = sum / 5;
    }
}

static void blurColumns(const Picture &from, Picture &to) {
  cilk_for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      int sum = 0;
      for (int k = -2; k <= 2; ++k)
        sum += from.at(x, y + k);
      to.pixels[y * to.width + x] = sum / 5;
    }
}

static void blur(Picture &picture, Picture &other, int times) {
  for (int i = 0; i < times; ++i) {
    blurLines(picture, other);
    blurColumns(other, picture);
  }
}

/// Returns early, and has a loop in an ordinary loop.
static bool relax(std::vector<long> &values, std::vector<long> &next, int steps) {
  if (values.size() < 3)
    return false;
  for (int step = 0; step < steps; ++step) {
    cilk_for (size_t i = 1; i < values.size() - 1; ++i)
      next[i] = values[i - 1] + 2 * values[i] - values[i + 1] + step;
    std::swap(values, next);
  }
  return true;
}

/// Its array has a size of its own in each call.
static unsigned long sizes(int count, unsigned long factor) {
  unsigned long squares[count];
  cilk_for (int i = 0; i < count; ++i)
    squares[i] = i * factor;
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 3 + squares[i];
  return sum;
}

/// Iterations of the outer loop are tasks with children.
static void table(long *cells, int rows, int columns) {
  cilk_for (int i = 0; i < rows; ++i)
    cilk_for (int j = 0; j < columns; ++j)
      cells[i * columns + j] = i * j % 7 + i;
}

/// Runs in an iteration and as a spawned call, and from main.
static void fill(long *cells, int count, long value) {
  cilk_for (int i = 0; i < count; ++i)
    cells[i] = value + i;
}

/// A function that other files might call, with pointers that must not lead to the same objects.
void addTo(long *__restrict__ to, const long *__restrict__ from, int count) {
  cilk_for (int i = 0; i < count; ++i)
    to[i] += from[count - 1 - i];
}

template <typename Body> static void each(size_t count, Body body) {
  cilk_for (size_t i = 0; i < count; ++i)
    body(i);
}

/// A recursion of ordinary code with a loop in it.
static long nested(int depth, long *cells, int count) {
  cilk_for (int i = 0; i < count; ++i)
    cells[i] += depth;
  return depth ? nested(depth - 1, cells, count) + cells[depth] : 0;
}

static long hash(const long *cells, size_t count) {
  unsigned long sum = 17;
  for (size_t i = 0; i < count; ++i)
    sum = sum * 31 + cells[i];
  return long(sum % 1000003);
}

int main(int argc, char **) {
  Picture picture(36 + argc, 23), other(36 + argc, 23), empty(0, 0);
  for (size_t i = 0; i < picture.pixels.size(); ++i)
    picture.pixels[i] = uint8_t(i * i * 7 % 251);
  blur(picture, other, 3);
  blurColumns(empty, empty);
  unsigned sum = 0;
  for (uint8_t pixel : picture.pixels)
    sum = sum * 31 + pixel;
  std::printf("%u\n", sum);

  std::vector<long> values(200), next(200), two(2);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = next[i] = long(i * 13 % 29);
  bool isDone = relax(values, next, 5), isShort = !relax(two, next, 1);
  std::printf("%d %d %ld\n", isDone, isShort, hash(values.data(), values.size()));

  for (int i = 1; i < 4; ++i)
    std::printf("%lu\n", sizes(i * 9, i) + sizes(40, 7 - i));

  long cells[12 * 17] = {};
  table(cells, 12, 17);
  std::printf("%ld\n", hash(cells, 12 * 17));

  cilk_for (int i = 0; i < 12; ++i)
    fill(cells + i * 17, 17, i);
  cilk_spawn fill(cells, 17 * 2, 100);
  fill(cells + 17 * 2, 17, 200);
  cilk_sync;
  fill(cells + 17 * 3, 17, 300);
  std::printf("%ld\n", hash(cells, 12 * 17));

  long *low = cells, *high = cells + 100;
  for (int i = 0; i < 3; ++i) {
    addTo(low, high, 100);
    std::swap(low, high);
  }
  each(204, [&](size_t i) { cells[i] ^= long(i); });
  each(50, [=](size_t i) { low[i] -= high[i]; });
  std::printf("%ld\n", hash(cells, 12 * 17));
  long deep = nested(4, cells, 150);
  std::printf("%ld %ld\n", deep, hash(cells, 12 * 17));
}
