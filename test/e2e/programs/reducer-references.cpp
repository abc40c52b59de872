// References that are bound to views: local ones, chains, members, default arguments, structured bindings, elements of
// arrays and arguments of templates. Each one is used before its strand ends, while a child updates the reducer.
#include "checksum.h"
#include <cilk/cilk.h>

namespace {

void zero(void *view) { *(long *)view = 0; }
void add(void *left, void *right) { *(long *)left += *(long *)right; }
typedef long cilk_reducer(zero, add) Sum;

struct Point {
  long x, y;
};
void origin(void *view) { *(Point *)view = {0, 0}; }
void join(void *left, void *right) {
  ((Point *)left)->x += ((Point *)right)->x;
  ((Point *)left)->y += ((Point *)right)->y;
}

struct Many {
  Sum single;
  Sum several[3];
  long plain;
};

Sum total;
Sum table[4], triple[3];
Many many;
Point cilk_reducer(origin, join) point;

// Updates every reducer in many strands.
void busy(int n) {
  if (n == 0) {
    total += 1;
    table[1] += 2;
    many.single += 3;
    many.several[2] += 4;
    point.x += 5;
    return;
  }
  cilk_spawn busy(n - 1);
  busy(n - 1);
}

void chains() {
  cilk_spawn busy(5);
  long &first = total;
  auto &second = first;
  const long &seen = second;
  long before = seen;
  second += 7;
  auto &&third = table[1];
  third += 9 + (seen - before - 7);
  auto capture = [&view = first] { view += 1; };
  capture();
  long *const address = &total;
  *address += 2;
  long &part = point.y;
  part += 3;
}

struct Bound {
  Bound() : reference(total) {}
  long &reference;
  long &element = table[2];
};
struct Aggregate {
  long &reference;
};
void members() {
  cilk_spawn busy(4);
  Bound bound;
  bound.reference += 11;
  bound.element += 13;
  Aggregate aggregate{many.several[1]};
  aggregate.reference += 17;
}

void byReference(long &view = total);
void byKey(int n, Sum &reducer = total) {
  if (n == 0) {
    reducer += 1;
    return;
  }
  cilk_spawn byKey(n - 1, reducer);
  byKey(n - 1);
}
void byReference(long &view) { view += 19; }
template <class T> void deduced(T &view) { view += 23; }
template <long &R> void argument() { R += 29; }
void calls() {
  cilk_spawn busy(4);
  byReference();
  byKey(3);
  deduced(total);
  argument<total>();
}

void bindings() {
  cilk_spawn busy(4);
  auto &[single, several, plain] = many;
  single += 31;
  several[2] += 37;
  plain += 1;
}

auto &[outer0, outer1, outer2] = triple;

void bindArray(Sum (&array)[3]) {
  auto &[x, y, z] = array;
  cilk_for (int i = 0; i < 40; ++i) {
    x += i;
    y += 2;
    z += 1;
  }
}

void arrays() {
  auto &[first, second, third] = triple;
  cilk_spawn bindArray(triple);
  first += 3;
  second += 5;
  outer2 += 7;
  cilk_sync;
  outer0 += second;
  third += outer1;
}

void elements() {
  cilk_spawn busy(4);
  long sum = 0;
  for (auto &view : table)
    view += 41;
  for (Sum &reducer : table)
    byKey(2, reducer);
  cilk_sync;
  for (long value : many.several)
    sum += value;
  many.plain += sum;
}

/// A container that is a reducer, in a range-based `for`.
struct Bag {
  long values[4];
  long *begin() { return values; }
  long *end() { return values + 4; }
};
void noBag(void *view) { *static_cast<Bag *>(view) = Bag{}; }
void joinBags(void *left, void *right) {
  long *sums = static_cast<Bag *>(left)->values;
  for (long value : *static_cast<Bag *>(right))
    *sums++ += value;
}
typedef Bag cilk_reducer(noBag, joinBags) SharedBag;
SharedBag globalBag = {{1, 2}};

void addToBags(long n, SharedBag &bag) {
  for (long &value : bag)
    value += n;
  for (long &value : globalBag)
    value += 2 * n++;
  bag.values[1] += 43 * n;
}

void bags() {
  SharedBag local = {{3, 5, 7, 11}};
  cilk_spawn busy(4);
  cilk_spawn addToBags(1, local);
  addToBags(2, local);
  cilk_spawn addToBags(3, local);
  addToBags(4, local);
  cilk_sync;
  for (long value : local)
    many.plain = many.plain * 3 + value;
  for (long value : globalBag)
    many.plain = many.plain * 3 + value;
}

void iterations(int n) {
  Sum local = 0;
  cilk_for(int i = 0; i < n; ++i) {
    long &view = local;
    auto &same = view;
    same += i;
    auto &global = total;
    global += 1;
  }
  many.plain += local;
}

} // namespace

int main() {
  chains();
  members();
  calls();
  bindings();
  elements();
  arrays();
  bags();
  iterations(1000);
  Checksum sum = 0;
  const long values[] = {total, table[0], table[1], table[2], table[3], many.single, many.several[0],
                         many.several[1], many.several[2], many.plain, point.x, point.y, triple[0], triple[1],
                         triple[2]};
  for (long value : values)
    sum = fold(sum, value);
  report("references", sum);
  return 0;
}
