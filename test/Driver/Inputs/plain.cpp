#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

template <int N> struct Square : Shape {
  double area() const override { return N * N; }
};

static double total(const std::vector<std::unique_ptr<Shape>> &shapes) {
  double sum = 0;
  for (const auto &shape : shapes)
    sum += shape->area();
  if (sum > 100)
    throw std::range_error("too large: " + std::to_string(sum));
  return sum;
}

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square<2>>());
  shapes.push_back(std::make_unique<Square<3>>());
  std::sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) { return a->area() > b->area(); });
  try {
    std::cout << total(shapes) << "\n";
  } catch (const std::exception &error) {
    std::cout << error.what() << "\n";
  }
}
