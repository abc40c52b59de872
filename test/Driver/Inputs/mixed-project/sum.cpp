#include <cilk/cilk.h>
#include <vector>

template <typename T> static T sum(const T *values, int count) {
  if (count == 1)
    return *values;
  T left = cilk_spawn sum(values, count / 2);
  T right = sum(values + count / 2, count - count / 2);
  cilk_sync;
  return left + right;
}

extern "C" long sum_of(int count) {
  std::vector<long> values(count, 2);
  return sum(values.data(), count);
}
