// Ordinary functions between tasks that hold state of the thread during the call, so they cannot be forwarders. The
// state is handlers of exceptions, locks, thread-local variables, and static variables that are initialised at first
// use.
#include "checksum.h"
#include "counted.h"
#include <atomic>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

long tree(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn tree(n - 1);
  long b = tree(n - 2);
  cilk_sync;
  return a * 3 + b;
}

// A task does not see a handler around a forwarder; a thrown object passes ordinary functions.
void check(int n) {
  if (n % 3 == 0)
    throw std::runtime_error("three");
}
long risky(int n) {
  long a = cilk_spawn tree(n);
  cilk_sync;
  check(n);
  return a;
}
long throughRisky(int n) {
  Counted held(n);
  return risky(n) + held.get();
}
long mayThrow(int n) {
  if (n % 4 == 1)
    throw n;
  return tree(n);
}
long handled(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    try {
      sum = sum * 3 + throughRisky(i) + mayThrow(i);
    } catch (const std::exception &error) {
      sum = sum * 5 + long(std::string(error.what()).size());
      sum += throughRisky(1);
    } catch (int number) {
      sum = sum * 7 + number;
    }
  }
  return sum;
}
long guarded(int n) {
  try {
    return throughRisky(n);
  } catch (const std::runtime_error &) {
    return -1;
  }
}
long handlers(int n) {
  long a = cilk_spawn handled(n);
  long b = cilk_spawn guarded(n);
  long c = handled(n - 1), d = guarded(n + 1);
  long e = mayThrow(4);
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7 + e;
}

// Held across the call: other tasks want it, too.
std::mutex mutex;
long shared;
long locked(int n) {
  std::lock_guard<std::mutex> lock(mutex);
  long before = shared;
  shared = before + tree(n);
  return shared - before;
}
thread_local long depth;
long deep(int n) {
  ++depth;
  long result = tree(n) + depth * 1000;
  --depth;
  return result;
}
std::atomic_flag busy = ATOMIC_FLAG_INIT;
long spinning(int n) {
  while (busy.test_and_set(std::memory_order_acquire))
    ;
  long result = tree(n);
  busy.clear(std::memory_order_release);
  return result;
}
long holders(int n) {
  std::vector<long> sums(40);
  cilk_for (int i = 0; i < 40; ++i) {
    long a = cilk_spawn locked(i % n);
    long b = spinning(i % n);
    cilk_sync;
    sums[i] = a + b * 3 + deep(i % n) * 5;
  }
  return std::accumulate(sums.begin(), sums.end(), 0l) + shared;
}

// Made at first use.
long remembers(int n) {
  static const std::vector<long> factors{2, 3, 5};
  static const int more[] = {1, 2, 3};
  return tree(n) * factors[n % 3] + more[n % 3];
}
long statics(int n) {
  long a = cilk_spawn remembers(n);
  long b = remembers(n - 1);
  cilk_sync;
  return a + b;
}

} // namespace

int main() {
  Checksum checksum = 0;
  for (int n = 0; n < 14; ++n) {
    checksum = fold(checksum, handlers(n));
    checksum = fold(checksum, statics(n + 1));
  }
  checksum = fold(checksum, holders(9));
  report("holding-forwarders", checksum);
  return Counted::alive != 0;
}
