// Functions with loops that main calls: their loops know sizes and objects only if main's code is taken into account.
// main calls each row by name, not through a table.
#include "Cliff.h"
#include <algorithm>
#include <cstdint>
#include <numeric>
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
  cilk_for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      int sum = 0;
      for (int k = -3; k <= 3; ++k)
        sum += from.at(x + k, y);
      to.pixels[y * to.width + x] = sum / 7;
    }
}

static void blurColumns(const Picture &from, Picture &to) {
  cilk_for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      int sum = 0;
      for (int k = -3; k <= 3; ++k)
        sum += from.at(x, y + k);
      to.pixels[y * to.width + x] = sum / 7;
    }
}

static long blur(long times, int width) {
  Picture picture(width, 480), other(width, 480);
  for (size_t i = 0; i < picture.pixels.size(); ++i)
    picture.pixels[i] = uint8_t(i * i * 7 % 251);
  for (long i = 0; i < times; ++i) {
    blurLines(picture, other);
    blurColumns(other, picture);
  }
  return std::accumulate(picture.pixels.begin(), picture.pixels.end(), 0L);
}

struct Point {
  float x, y;
};

static void assign(const std::vector<Point> &points, const std::vector<Point> &centres, std::vector<int> &nearest) {
  cilk_for (size_t i = 0; i < points.size(); ++i) {
    float best = 1e30f;
    for (size_t k = 0; k < centres.size(); ++k) {
      float dx = points[i].x - centres[k].x, dy = points[i].y - centres[k].y, distance = dx * dx + dy * dy;
      if (distance < best) {
        best = distance;
        nearest[i] = int(k);
      }
    }
  }
}

static long clusters(long times) {
  std::vector<Point> points(100'000);
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = {float(i * 7919 % 10'007), float(i * 104'729 % 10'009)};
  std::vector<Point> centres(points.begin(), points.begin() + 16);
  std::vector<int> nearest(points.size());
  long sum = 0;
  for (long i = 0; i < times; ++i) {
    assign(points, centres, nearest);
    centres[size_t(i) % 16] = points[size_t(i) * 31 % points.size()];
    sum += nearest[size_t(i) * 17 % points.size()];
  }
  return sum;
}

static void multiply(int n, const float *a, const float *b, float *c) {
  cilk_for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      c[i * n + j] = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

static long matrices(long times) {
  constexpr int n = 200;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = float(i % 7), b[i] = float(i % 5);
  for (long i = 0; i < times; ++i) {
    multiply(n, a.data(), b.data(), c.data());
    a[i % (n * n)] = c[i * 31 % (n * n)] / 1024;
  }
  return long(std::accumulate(c.begin(), c.end(), 0.0));
}

static void relax(std::vector<float> &from, std::vector<float> &to, long steps) {
  for (long step = 0; step < steps; ++step) {
    cilk_for (size_t i = 1; i < from.size() - 1; ++i)
      to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    std::swap(from, to);
  }
}

static long rounds(long steps) {
  std::vector<float> from(5000), to(5000);
  from[2500] = 1e6f;
  relax(from, to, steps);
  return long(from[2400]);
}

int main(int argc, char **argv) {
  const char *name = argc == 3 ? argv[1] : "";
  long size = argc == 3 ? std::atol(argv[2]) : 0, result;
  if (std::strcmp(name, "blur") == 0)
    result = blur(size, 637 + argc);
  else if (std::strcmp(name, "clusters") == 0)
    result = clusters(size);
  else if (std::strcmp(name, "matrices") == 0)
    result = matrices(size);
  else if (std::strcmp(name, "rounds") == 0)
    result = rounds(size);
  else
    return std::fprintf(stderr, "usage: %s ROW SIZE\n", argv[0]), 2;
  return std::printf("%ld\n", result) < 0;
}
