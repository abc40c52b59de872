// Spellings of a loop whose iterations are independent: each changes one element of an array that is in the cache.
#include "Spelling.h"

using Array = std::vector<Number>;

namespace plain {
void run(Array &array) {
  Number *v = array.data();
  long n = long(array.size());
  cilk_for (long i = 0; i < n; ++i)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace plain

namespace integer {
void run(Array &array) {
  Number *v = array.data();
  int n = int(array.size());
  cilk_for (int i = 0; i < n; i++)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace integer

namespace unsignedly {
void run(Array &array) {
  Number *v = array.data();
  unsigned n = unsigned(array.size());
  cilk_for (unsigned i = 0; i < n; ++i)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace unsignedly

namespace size { // size_t, and size() in the condition
void run(Array &array) {
  cilk_for (size_t i = 0; i < array.size(); ++i)
    array[i] = array[i] - (array[i] >> 1) + Number(i);
}
} // namespace size

namespace differs { // i != n
void run(Array &array) {
  Number *v = array.data();
  size_t n = array.size();
  cilk_for (size_t i = 0; i != n; ++i)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace differs

namespace inclusive { // i <= last
void run(Array &array) {
  Number *v = array.data();
  long last = long(array.size()) - 1;
  cilk_for (long i = 0; i <= last; i += 1)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace inclusive

namespace down { // from the end
void run(Array &array) {
  Number *v = array.data();
  cilk_for (long i = long(array.size()) - 1; i >= 0; --i)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace down

namespace increment { // v[i] += ...
void run(Array &array) {
  Number *v = array.data();
  long n = long(array.size());
  cilk_for (long i = 0; i < n; ++i)
    v[i] += Number(i) - (v[i] >> 1);
}
} // namespace increment

namespace pointer { // the variable is a pointer
void run(Array &array) {
  Number *begin = array.data(), *end = begin + array.size();
  cilk_for (Number *at = begin; at < end; ++at)
    *at = *at - (*at >> 1) + Number(at - begin);
}
} // namespace pointer

namespace iterator {
void run(Array &array) {
  auto begin = array.begin();
  cilk_for (auto at = array.begin(); at != array.end(); ++at)
    *at = *at - (*at >> 1) + Number(at - begin);
}
} // namespace iterator

namespace reference {
void run(Array &array) {
  Number *v = array.data();
  long n = long(array.size());
  cilk_for (long i = 0; i < n; ++i) {
    Number &element = v[i];
    Number old = element;
    element = old - (old >> 1) + Number(i);
  }
}
} // namespace reference

namespace helper {
static void change(Number *v, long i) { v[i] = v[i] - (v[i] >> 1) + Number(i); }
void run(Array &array) {
  Number *v = array.data();
  long n = long(array.size());
  cilk_for (long i = 0; i < n; ++i)
    change(v, i);
}
} // namespace helper

namespace lambda { // parallel_for
template <typename Index, typename Body> void parallelFor(Index first, Index last, Body body) {
  cilk_for (Index i = first; i < last; ++i)
    body(i);
}
void run(Array &array) {
  Number *v = array.data();
  parallelFor(0L, long(array.size()), [&](long i) { v[i] = v[i] - (v[i] >> 1) + Number(i); });
}
} // namespace lambda

namespace member {
struct Changer {
  Number *v;
  long n;
  void run() {
    cilk_for (long i = 0; i < n; ++i)
      v[i] = v[i] - (v[i] >> 1) + Number(i);
  }
};
void run(Array &array) { Changer{array.data(), long(array.size())}.run(); }
} // namespace member

namespace global {
static Number *v;
static long n;
void run(Array &array) {
  v = array.data();
  n = long(array.size());
  cilk_for (long i = 0; i < n; ++i)
    v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace global

namespace nested { // rows of 64 elements
void run(Array &array) {
  Number *v = array.data();
  long rows = long(array.size()) / 64;
  cilk_for (long row = 0; row < rows; ++row)
    for (long i = row * 64; i < (row + 1) * 64; ++i)
      v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace nested

namespace conditional { // a bound in the body
void run(Array &array) {
  Number *v = array.data();
  long n = long(array.size());
  cilk_for (long i = 0; i < n + 5; ++i)
    if (i < n)
      v[i] = v[i] - (v[i] >> 1) + Number(i);
}
} // namespace conditional

int main(int argc, char **argv) {
  Array numbers(size_t(1) << sizeOf(argc, argv, 12));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = Number(i);
  for (int i = 0; i < 1000000; ++i)
    FORM::run(numbers);
  Number total = 0;
  for (Number each : numbers)
    total ^= each;
  return show(total);
}
