// noexcept Cilk functions, exceptions that are thrown and caught between spawns and syncs, and in main around them.
#include "checksum.h"
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int fib(int n) noexcept {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}

int risky(int n) {
  if (n % 3 == 0)
    throw std::runtime_error("divisible by three");
  if (n % 5 == 0)
    throw n;
  return n;
}

int handled(int n) {
  if (n < 2)
    return n;
  int extra;
  std::vector<int> held(n, n);
  int a = cilk_spawn handled(n - 1);
  try {
    std::string text(100, 'x');
    extra = risky(n) + int(text.size());
  } catch (const std::exception &error) {
    extra = -n;
  } catch (int number) {
    extra = number;
  }
  int b = cilk_spawn handled(n - 2);
  try {
    try {
      extra += risky(n + 1);
    } catch (int) {
      extra += risky(n + 2);
    }
  } catch (...) {
    return extra + held[0];
  }
  for (int i = 0; i < 4; ++i)
    try {
      if (i == n % 4)
        throw std::string("thrown here");
      extra += risky(i + 1);
    } catch (const std::string &text) {
      extra += int(text.size());
      if (n % 7 == 0)
        break;
    } catch (...) {
      continue;
    }
  cilk_sync;
  return a + b + extra;
}

void loops(std::vector<int> &out) {
  cilk_for (int i = 0; i < int(out.size()); ++i) {
    std::string text(i % 40, 'q');
    try {
      out[i] += risky(i);
    } catch (const std::exception &) {
      out[i] -= int(text.size());
    } catch (...) {
      if (i % 2)
        continue;
      out[i] = 3;
    }
    out[i] += 1;
  }
}

} // namespace

int main() {
  report("noexcept", fib(15));
  report("handled", handled(14));
  std::vector<int> out(100);
  try {
    loops(out);
    std::vector<int> mine(7);
    mine[3] = cilk_spawn fib(8);
    risky(9);
    cilk_sync;
  } catch (const std::exception &error) {
    report(error.what(), 1);
  }
  Checksum sum = 0;
  for (int each : out)
    sum = fold(sum, each);
  report("loops", sum);
  int last = 0;
  try {
    last = cilk_spawn fib(9);
  } catch (...) {
  }
  report("last", last);
}
