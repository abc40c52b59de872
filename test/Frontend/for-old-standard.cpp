// Tests a cilk_for whose increment assigns a sum by value. Before C++17, the sum is copied into the argument.
// RUN: %cilk2gpuxx -std=c++11 -O1 %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpuxx -std=c++17 -O1 %s -o %t && %t | FileCheck %s
// CHECK: 0 0 2 0 4 0 6 0 8 0
#include <cilk/cilk.h>
#include <cstdio>

struct Position {
  int at;
  explicit Position(int at) : at(at) {}
  Position(const Position &other) : at(other.at) {}
  Position &operator=(Position other) { return at = other.at, *this; }
  Position operator+(int n) const { return Position(at + n); }
  Position &operator+=(int n) { return at += n, *this; }
  int operator-(const Position &other) const { return at - other.at; }
  bool operator<(const Position &other) const { return at < other.at; }
};

int values[10];

int main() {
  Position end(10);
  cilk_for (Position i(0); i < end; i = i + 2)
    values[i.at] = i.at;
  for (int value : values)
    std::printf("%d ", value);
  std::puts("");
}
