// Spawns of functions that C++ finds at run time: virtual functions, through pointers and references to members and functions.
#include "checksum.h"

namespace {

class Shape {
public:
  explicit Shape(int size) : size(size) {}
  virtual ~Shape() = default;
  virtual long measure(int n) const = 0;
  virtual void grow(int by) { size += by; }
  long twice(int n) const { return measure(n) * 2; }
  int getSize() const { return size; }

protected:
  int size;
};

class Leaf : public Shape {
public:
  using Shape::Shape;
  long measure(int n) const override { return n * 3 + size; }
};

class Other {
public:
  virtual ~Other() = default;
  virtual int tag() { return 17; }
  long extra = 4;
};

/// Has a second base: calls through it adjust the object's address.
class Tree : public Other, public Shape {
public:
  Tree(int size, const Shape &below) : Shape(size), below(below) {}
  long measure(int n) const override {
    if (n < 2)
      return size + extra;
    long a = cilk_spawn below.measure(n - 1);
    long b = cilk_spawn measure(n - 2);
    cilk_sync;
    return a * 5 + b;
  }
  void grow(int by) override {
    for (int i = 0; i < by; ++i)
      cilk_spawn add(i);
    cilk_sync;
    Shape::grow(by);
  }
  int tag() override { return 18; }

private:
  void add(int i) { __atomic_fetch_add(&extra, i, __ATOMIC_RELAXED); }
  const Shape &below;
};

long measureAll(Shape *const *shapes, int count, int n) {
  long results[8], sum = 0;
  for (int i = 0; i < count; ++i)
    results[i] = cilk_spawn shapes[i]->measure(n);
  cilk_sync;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + results[i];
  return sum;
}

long members(Shape &shape, long (Shape::*method)(int) const, void (Shape::*change)(int), int n) {
  cilk_spawn (shape.*change)(n);
  cilk_sync;
  Shape *pointer = &shape;
  long a = cilk_spawn (pointer->*method)(n);
  long b = cilk_spawn (shape.*(n % 2 ? &Shape::twice : &Shape::measure))(n + 1);
  cilk_sync;
  return a * 7 + b;
}

template <class Function> long apply(Function &function, int n) {
  long a, b;
  a = cilk_spawn function(n);
  b = cilk_spawn function(n + 1);
  cilk_sync;
  return a * 3 + b;
}

long plain(int n) { return n * 9L; }

} // namespace

int main() {
  Leaf leaf(3);
  Tree tree(5, leaf), tall(7, tree);
  Shape *shapes[] = {&leaf, &tree, &tall};
  report("measure", measureAll(shapes, 3, 13));
  for (Shape *shape : shapes) {
    report("members", members(*shape, &Shape::measure, &Shape::grow, 6));
    report("size", shape->getSize());
  }
  Other &other = tall;
  int tag = cilk_spawn other.tag();
  cilk_sync;
  report("tag", tag);
  report("reference", apply(plain, 4));
  long (*pointer)(int) = plain;
  report("pointer", apply(pointer, 4));
  auto lambda = [&tag](int n) { return long(n) + tag; };
  report("lambda", apply(lambda, 4));
}
