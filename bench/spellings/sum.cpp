// Spellings of a sum of an array, by halves. Parts of up to 32 elements are added in a loop.
#include "Spelling.h"

constexpr long kPart = 32;
using Array = std::vector<Number>;

namespace plain { // first and last index
static Number sum(const Number *v, long low, long high) {
  if (high - low <= kPart) {
    Number total = 0;
    for (long i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  long middle = low + (high - low) / 2;
  Number a = cilk_spawn sum(v, low, middle);
  Number b = cilk_spawn sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), 0, long(v.size())); }
} // namespace plain

namespace called {
static Number sum(const Number *v, long low, long high) {
  if (high - low <= kPart) {
    Number total = 0;
    for (long i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  long middle = (low + high) / 2;
  Number a = cilk_spawn sum(v, low, middle);
  Number b = sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), 0, long(v.size())); }
} // namespace called

namespace length { // start and length
static Number sum(const Number *v, long count) {
  if (count <= kPart) {
    Number total = 0;
    for (long i = 0; i < count; ++i)
      total += v[i];
    return total;
  }
  Number a = cilk_spawn sum(v, count / 2);
  Number b = cilk_spawn sum(v + count / 2, count - count / 2);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), long(v.size())); }
} // namespace length

namespace integer { // 32-bit indices
static Number sum(const Number *v, int low, int high) {
  if (high - low <= int(kPart)) {
    Number total = 0;
    for (int i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  int middle = low + (high - low) / 2;
  Number a = cilk_spawn sum(v, low, middle);
  Number b = cilk_spawn sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), 0, int(v.size())); }
} // namespace integer

namespace unsignedly { // size_t
static Number sum(const Number *v, size_t low, size_t high) {
  if (high - low <= size_t(kPart)) {
    Number total = 0;
    for (size_t i = low; i != high; i++)
      total += v[i];
    return total;
  }
  size_t middle = low + ((high - low) >> 1);
  Number a = cilk_spawn sum(v, low, middle);
  Number b = cilk_spawn sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), 0, v.size()); }
} // namespace unsignedly

namespace pointers { // first and last pointer
static Number sum(const Number *begin, const Number *end) {
  if (end - begin <= kPart) {
    Number total = 0;
    while (begin != end)
      total += *begin++;
    return total;
  }
  const Number *middle = begin + (end - begin) / 2;
  Number a = cilk_spawn sum(begin, middle);
  Number b = cilk_spawn sum(middle, end);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), v.data() + v.size()); }
} // namespace pointers

namespace iterators { // and std::accumulate
template <typename Iterator> Number sum(Iterator begin, Iterator end) {
  if (end - begin <= kPart)
    return std::accumulate(begin, end, Number(0));
  Iterator middle = begin + (end - begin) / 2;
  Number a = cilk_spawn sum(begin, middle);
  Number b = cilk_spawn sum(middle, end);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.begin(), v.end()); }
} // namespace iterators

namespace vector { // the vector itself, by reference
static Number sum(const Array &v, size_t low, size_t high) {
  if (high - low <= size_t(kPart)) {
    Number total = 0;
    for (size_t i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  size_t middle = (low + high) / 2;
  Number a = cilk_spawn sum(v, low, middle);
  Number b = cilk_spawn sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v, 0, v.size()); }
} // namespace vector

namespace range { // a struct as argument
struct Range {
  const Number *v;
  long low, high;
};
static Number sum(Range r) {
  if (r.high - r.low <= kPart) {
    Number total = 0;
    for (long i = r.low; i < r.high; ++i)
      total += r.v[i];
    return total;
  }
  long middle = r.low + (r.high - r.low) / 2;
  Number a = cilk_spawn sum(Range{r.v, r.low, middle});
  Number b = cilk_spawn sum(Range{r.v, middle, r.high});
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum({v.data(), 0, long(v.size())}); }
} // namespace range

namespace increment { // total += cilk_spawn
static Number sum(const Number *v, long low, long high) {
  Number total = 0;
  if (high - low <= kPart) {
    for (long i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  long middle = low + (high - low) / 2;
  total += cilk_spawn sum(v, low, middle);
  total += cilk_spawn sum(v, middle, high);
  cilk_sync;
  return total;
}
Number of(const Array &v) { return sum(v.data(), 0, long(v.size())); }
} // namespace increment

namespace pointer { // results through pointers
static void sum(const Number *v, long low, long high, Number *result) {
  if (high - low <= kPart) {
    Number total = 0;
    for (long i = low; i < high; ++i)
      total += v[i];
    *result = total;
    return;
  }
  long middle = low + (high - low) / 2;
  Number a, b;
  cilk_spawn sum(v, low, middle, &a);
  cilk_spawn sum(v, middle, high, &b);
  cilk_sync;
  *result = a + b;
}
Number of(const Array &v) {
  Number result;
  sum(v.data(), 0, long(v.size()), &result);
  return result;
}
} // namespace pointer

namespace member {
struct Sum {
  const Number *v;
  Number of(long low, long high) const {
    if (high - low <= kPart) {
      Number total = 0;
      for (long i = low; i < high; ++i)
        total += v[i];
      return total;
    }
    long middle = low + (high - low) / 2;
    Number a = cilk_spawn of(low, middle);
    Number b = cilk_spawn of(middle, high);
    cilk_sync;
    return a + b;
  }
};
Number of(const Array &v) { return Sum{v.data()}.of(0, long(v.size())); }
} // namespace member

namespace separate { // the base case in a function
static Number part(const Number *v, long low, long high) {
  Number total = 0;
  for (long i = low; i < high; ++i)
    total += v[i];
  return total;
}
static Number sum(const Number *v, long low, long high) {
  if (high - low <= kPart)
    return part(v, low, high);
  long middle = low + (high - low) / 2;
  Number a = cilk_spawn sum(v, low, middle);
  Number b = cilk_spawn sum(v, middle, high);
  cilk_sync;
  return a + b;
}
Number of(const Array &v) { return sum(v.data(), 0, long(v.size())); }
} // namespace separate

namespace quarters { // four children
static Number sum(const Number *v, long low, long high) {
  if (high - low <= kPart) {
    Number total = 0;
    for (long i = low; i < high; ++i)
      total += v[i];
    return total;
  }
  long step = (high - low) / 4;
  Number r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = cilk_spawn sum(v, low + i * step, i == 3 ? high : low + (i + 1) * step);
  cilk_sync;
  return r[0] + r[1] + r[2] + r[3];
}
Number of(const Array &v) { return sum(v.data(), 0, long(v.size())); }
} // namespace quarters

int main(int argc, char **argv) {
  Array numbers(size_t(1) << sizeOf(argc, argv, 17));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = Number(i * 7 % 13);
  Number total = 0;
  for (int i = 0; i < 20000; ++i) {
    numbers[size_t(i) % numbers.size()] ^= 1; // no sum is like the one before
    total ^= FORM::of(numbers);
  }
  return show(total);
}
