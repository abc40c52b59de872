// Tests that a C++ program without Cilk gives the object file, byte for byte, that clang gives without the plugin.
// RUN: %clangxx -c %s -O0 -o %t.a.o && %clangxx -fplugin=%plugin -c %s -O0 -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clangxx -c %s -O2 -g -o %t.a.o && %clangxx -fplugin=%plugin -c %s -O2 -g -o %t.b.o && cmp %t.a.o %t.b.o
// RUN: %clangxx -c %s -O2 -std=c++20 -ffunction-sections -o %t.a.o && %clangxx -fplugin=%plugin -c %s -O2 -std=c++20 -ffunction-sections -o %t.b.o && cmp %t.a.o %t.b.o
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
template <class T> struct Values {
  std::vector<T> values;
  T sum() const {
    T result{};
    for (const T &value : values)
      result += value;
    return result;
  }
};
struct Base {
  virtual ~Base() {}
  virtual int get() = 0;
};
struct Derived : Base {
  int get() override { return 1; }
};
int main(int argc, char **) {
  Values<int> v;
  for (int i = 0; i < argc * 10; ++i)
    v.values.push_back(i);
  std::sort(v.values.begin(), v.values.end(), [](int a, int b) { return a > b; });
  std::map<std::string, int> names;
  names["a"] = v.sum();
  std::unique_ptr<Base> base(new Derived);
  static std::string text("x");
  try {
    if (names.size() > 3)
      throw std::runtime_error("three");
  } catch (const std::exception &error) {
    std::cerr << error.what();
  }
  std::function<int(int)> add = [&](int a) { return a + base->get(); };
  std::cout << names["a"] << add(3) << text << "\n";
}
