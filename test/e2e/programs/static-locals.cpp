// Static local variables that are initialised at run time, in functions that spawn: the first lane initialises them,
// once, whatever lanes run beside it.
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<int> made{0};

static std::vector<long> table(int n) {
  ++made;
  std::vector<long> squares(n);
  for (int i = 0; i < n; ++i)
    squares[i] = long(i) * i;
  return squares;
}

static long sum(int low, int high) {
  static const std::vector<long> squares = table(1000);
  if (high - low == 1)
    return squares[low];
  int middle = (low + high) / 2;
  long left = cilk_spawn sum(low, middle);
  long right = sum(middle, high);
  cilk_sync;
  return left + right;
}

/// Has temporaries in the initialiser, and objects with destructors around it.
static long lengths(int n) {
  std::string own(n % 7, 'a');
  static const std::string prefix = std::string("pre") + std::to_string(made.load() * 0 + 42);
  if (n < 2)
    return long(own.size() + prefix.size());
  static int started = int(prefix.size()) * 2;
  long left = cilk_spawn lengths(n - 1);
  long right = cilk_spawn lengths(n - 2);
  cilk_sync;
  return left + right + long(own.size()) + started;
}

static int attempts = 0;

static int third() {
  if (++attempts < 3)
    throw std::runtime_error("not yet");
  return attempts;
}

/// The first two initialisations throw, and are handled here.
static int caught(int n) {
  try {
    static int value = third();
    int child = 0;
    if (n > 0)
      child = cilk_spawn caught(n - 1);
    cilk_sync;
    return value + child;
  } catch (const std::runtime_error &) {
    return 1000;
  }
}

static long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static int helps = 0;

static long helped(long n) {
  std::vector<long> parts(n, 1);
  long total = 0;
  for (long part : parts)
    total += fib(part + 5);
  if (++helps == 1)
    throw 11;
  if (helps == 2)
    throw std::runtime_error("not yet");
  return total;
}

/// The initialisation calls Cilk functions, through an ordinary function with objects of its own.
static long throughHelper(int n) {
  std::string own(40, 'x');
  try {
    static const long base = helped(7);
    long child = 0;
    if (n > 0)
      child = cilk_spawn throughHelper(n - 1);
    cilk_sync;
    return base + child;
  } catch (int error) {
    return -error * long(own.size());
  } catch (const std::exception &) {
    return -2;
  }
}

template <typename T> static T inLoop(int n) {
  std::vector<T> found(n);
  cilk_for (int i = 0; i < n; ++i) {
    static const T offset = T(table(3)[2]);
    found[i] = offset + T(i);
  }
  T total = 0;
  for (T each : found)
    total += each;
  return total;
}

int main() {
  for (int k = 0; k < 3; ++k)
    std::printf("%ld\n", sum(0, 1000));
  std::printf("%ld\n", lengths(15));
  for (int k = 0; k < 4; ++k)
    std::printf("%d\n", caught(k));
  for (int k = 0; k < 4; ++k)
    std::printf("%ld\n", throughHelper(k));
  std::printf("%d %ld\n", inLoop<int>(1000), inLoop<long>(1000));
  std::printf("%d\n", made.load());
}
