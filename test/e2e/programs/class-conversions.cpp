// Results that their class converts, by conversion functions of any kind, and by constructors that only a direct initialization
// calls. The child converts them, and destroys the originals.
#include "checksum.h"
#include <cilk/cilk.h>
#include <vector>

namespace {

long alive, converted;

void add(long &counter, long more) { __atomic_fetch_add(&counter, more, __ATOMIC_RELAXED); }

struct Money {
  long cents;
  operator long() const { return cents; }
};

/// Points at itself, so that a copy of its bytes is noticed.
class Own {
public:
  explicit Own(long number) : number(number), self(this) { add(alive, 1); }
  Own(const Own &other) : number(other.get()), self(this) { add(alive, 1); }
  ~Own() {
    self = nullptr;
    add(alive, -1);
  }
  Own &operator=(const Own &other) {
    number = other.get();
    return *this;
  }
  long get() const { return self == this ? number : 1000000; }

private:
  long number;
  Own *self;
};

struct Plain {
  int value;
};
struct Slice : Plain {
  int more;
};

/// Converts itself to scalars, to a reference, to a simple struct and to an object with a destructor.
struct Source : Own {
  using Own::Own;
  operator int() const { return add(converted, 1), int(get() * 3); }
  explicit operator bool() const { return add(converted, 1), get() % 2; }
  operator Plain() const { return add(converted, 1), Plain{int(get() * 5)}; }
  operator std::vector<char>() && { return add(converted, 1), std::vector<char>(size_t(get() % 40)); }
};
struct Refers : Own {
  using Own::Own;
  Slice slice{};
  operator const Slice &() {
    slice.value = int(get() * 7);
    slice.more = 9;
    return slice;
  }
};
struct ToOwn {
  int n;
  operator Own() const { return Own(n + 1); }
};

struct Amount {
  explicit Amount(double value, int scale = 2) : value(value * scale) {}
  double value;
};
struct Kept {
  explicit Kept(const Source &source) : value(source.get()) {}
  long value;
};

Money price(int n) { return {n * 100L}; }
int length(int n) { return n + 3; }
Source source(int n) { return Source(n); }
Refers refers(int n) { return Refers(n); }
ToOwn toOwn(int n) { return {n}; }
Source &shared(Source &source) { return source; }
auto adder(int) {
  return [](int n) { return n + 4; };
}

long walk(int n) {
  if (n < 2)
    return n + 1;
  Source mine(n);
  long a = cilk_spawn price(n), b, c = 1000;
  b = cilk_spawn price(n + 1);
  c += cilk_spawn price(n + 2);
  double d = static_cast<int>(cilk_spawn price(n + 3));
  short e[2] = {};
  e[n % 2] = cilk_spawn source(n);
  const int f = cilk_spawn shared(mine);
  bool g(cilk_spawn source(n));
  Plain h = cilk_spawn source(n), i;
  i = cilk_spawn source(n + 1);
  std::vector<char> j = cilk_spawn source(n), k;
  k = cilk_spawn source(n + 1);
  Slice l = cilk_spawn refers(n);
  Plain m = cilk_spawn refers(n + 1);
  Own o = cilk_spawn toOwn(n), p(0);
  p = cilk_spawn toOwn(n + 1);
  Amount q(cilk_spawn price(n)), r(cilk_spawn length(n));
  auto s = Kept(cilk_spawn source(n));
  std::vector<int> t(cilk_spawn length(n));
  int (*u)(int) = cilk_spawn adder(n);
  long x = cilk_spawn walk(n - 1);
  long y = walk(n - 2);
  cilk_sync;
  long sum = a + b * 3 + c * 5 + long(d) * 7 + e[0] * 11 + e[1] * 13 + f * 17 + g * 19 + h.value * 23 + i.value * 29 +
             long(j.size()) * 31 + long(k.size()) * 37 + l.value * 41 + l.more * 43 + m.value * 47 + o.get() * 53 +
             p.get() * 59 + long(q.value) * 61 + long(r.value) * 67 + s.value * 71 + long(t.size()) * 73 + u(n);
  return sum % 1000003 + x * 3 + y;
}

} // namespace

int main() {
  report("walk", walk(11));
  long sums[40];
  cilk_for (int i = 0; i < 40; ++i)
    sums[i] = cilk_spawn source(i);
  Checksum sum = 0;
  for (long each : sums)
    sum = fold(sum, each);
  report("for", sum);
  long last = cilk_spawn price(3);
  std::vector<char> text = cilk_spawn source(7);
  cilk_sync;
  report("main", last + text.size());
  report("alive", alive);
  report("converted", converted);
}
