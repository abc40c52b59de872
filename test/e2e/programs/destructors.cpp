// Locals with destructors in functions that spawn, in scopes that children do not outlive. They are destroyed once, in the
// elision's order, after the implicit sync of their function or iteration.
#include "checksum.h"
#include <memory>
#include <string>
#include <vector>

namespace {

long constructed, destroyed;

/// Counts its objects. Its destructor writes down its number at that time.
class Noted {
public:
  Noted(long number, Checksum &log) : number(number), log(log) { __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED); }
  Noted(const Noted &other) : number(other.number), log(other.log) { __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED); }
  ~Noted() {
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
    log = fold(log, number);
  }
  void add(long more) { number += more; }
  long get() const { return number; }

private:
  long number;
  Checksum &log;
};

void fill(std::vector<int> &values, int first, int step) {
  for (std::size_t k = first; k < values.size(); k += step)
    values[k] = int(k) * 3 + step;
}

void add(Noted &noted, long more) { noted.add(more); }

int containers(int n) {
  if (n < 2)
    return n;
  std::vector<int> values(n, 1);
  std::string name = "a string that is long enough to live on the heap " + std::to_string(n);
  auto own = std::make_unique<int>(n);
  cilk_spawn fill(values, 0, 2);
  cilk_spawn fill(values, 1, 2);
  int x = cilk_spawn containers(n - 1);
  int y = containers(n - 2);
  cilk_sync;
  for (int value : values)
    x += value;
  return x + y + int(name.size()) + *own;
}

/// Children change locals that are destroyed at the implicit sync; every kind of return.
long implicit(int n, Checksum &log) {
  Noted first(1, log), second(2, log);
  if (n == 0)
    return first.get();
  cilk_spawn add(second, n);
  Checksum inner = 0;
  Noted third(3, inner);
  cilk_spawn add(third, 2 * n);
  if (n % 3 == 1) {
    Noted fourth(4, log);
    cilk_spawn add(fourth, 7);
    return implicit(n - 1, log) + 1;
  }
  for (int i = 0; i < 4; ++i) {
    Noted each(10 + i, log);
    if (i == 1)
      continue;
    if (n > 6 && i == 2)
      break;
  }
  cilk_spawn add(first, 5);
  return implicit(n - 1, log);
}

void nothing(int n, Checksum &log) {
  Noted own(n, log);
  if (n == 0)
    return;
  cilk_spawn add(own, 3);
  Checksum below = 0;
  cilk_spawn nothing(n - 1, below);
  if (n == 2)
    return;
  cilk_sync;
  log = fold(log, below);
}

std::string digits(int n);
void digitsInto(std::string *to, int n) { *to = digits(n); }

std::string digits(int n) {
  if (n < 2)
    return std::to_string(n);
  std::string left, right;
  cilk_spawn digitsInto(&left, n - 1);
  right = digits(n - 2);
  cilk_sync;
  return left + right;
}

struct Pair {
  std::string a;
  std::vector<int> b;
};

Pair named(int n) {
  Pair result{std::to_string(n), std::vector<int>(n, n)};
  if (n % 2)
    cilk_spawn fill(result.b, 0, 1);
  cilk_sync;
  return result;
}

long scopes(int n, Checksum &log) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    cilk_scope {
      Noted inside(i, log);
      cilk_spawn add(inside, 100);
      if (i % 3 == 0)
        continue;
      if (i == 7)
        break;
      sum += i;
    }
  }
  return sum;
}

long loops(int n) {
  std::vector<long> out(n);
  cilk_for (int i = 0; i < n; ++i) {
    std::string text(i % 40, 'q');
    if (i % 5 == 0)
      continue;
    std::vector<int> values(4, i);
    cilk_spawn fill(values, 0, 1);
    if (i % 7 == 3)
      continue;
    cilk_sync;
    out[i] = long(text.size()) + values[2];
  }
  cilk_for (int i = 0; i < n; ++i) {
    std::string text(i % 40, 'q');
    if (i % 4 == 0)
      continue;
    out[i] += long(text.size());
  }
  long sum = 0;
  for (long each : out)
    sum = sum * 7 + each;
  return sum;
}

void release(Checksum **log) { **log = fold(**log, 77); }

int attribute(int n, Checksum *log) {
  __attribute__((cleanup(release))) Checksum *own = log;
  if (n == 0)
    return 1;
  Checksum below = *own;
  int x = cilk_spawn attribute(n - 1, &below);
  cilk_sync;
  *own = fold(*own, below);
  return x + 1;
}

} // namespace

int main() {
  std::vector<int> mine(10);
  report("containers", containers(12));
  for (int n : {0, 3, 9}) {
    Checksum log = 0;
    long result = implicit(n, log);
    report("implicit", fold(log, result));
    nothing(n, log);
    report("nothing", log);
    report("scopes", fold(log, scopes(n, log)));
    report("attribute", fold(attribute(n, &log), log));
  }
  Checksum text = 0;
  for (char c : digits(10))
    text = fold(text, c);
  report("digits", text);
  Pair pair = named(9);
  report("named", fold(pair.a.size(), pair.b[4]));
  report("loops", loops(100));
  Checksum counts = fold(constructed, destroyed);
  report(constructed == destroyed ? "balanced" : "unbalanced", counts);
  cilk_spawn fill(mine, 0, 1);
}
