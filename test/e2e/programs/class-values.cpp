// Objects with constructors and destructors as arguments of spawned functions, by value, and as their results. The parent copies
// or moves arguments, and the child destroys them. The child constructs results at their destinations.
#include "checksum.h"
#include <memory>
#include <string>
#include <vector>

namespace {

long constructed, destroyed, moved;

void count(long &counter) { __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED); }

/// Points at itself, so that a copy of its bytes is noticed.
class Own {
public:
  explicit Own(long number) : number(number), self(this) { count(constructed); }
  Own(const Own &other) : number(other.get()), self(this) { count(constructed); }
  Own(Own &&other) : number(other.get()), self(this) {
    other.number = -1;
    count(constructed);
    count(moved);
  }
  ~Own() {
    if (self != this)
      number = 0;
    self = nullptr;
    count(destroyed);
  }
  Own &operator=(const Own &) = delete;
  long get() const { return self == this ? number : 1000000; }
  void add(long more) { number += more; }
  long sum(Own other, int n) const { return get() * 3 + other.get() + n; }

private:
  long number;
  Own *self;
};

long take(Own own, int n) {
  own.add(n);
  return own.get();
}

Own make(long n) { return Own(n * 2); }

Own combine(Own left, std::string name, Own right) {
  left.add(right.get() + long(name.size()));
  return left;
}

std::string text(std::string so, int n) {
  if (n == 0)
    return so;
  std::string left = cilk_spawn text(so + "l", n - 1);
  std::string right = cilk_spawn text(std::string(n, 'r') + so, n - 1);
  so += "changed after the spawn";
  cilk_sync;
  return left + right;
}

long tree(Own own, int n) {
  if (n < 2)
    return own.get();
  Own other(own);
  long a = cilk_spawn tree(own, n - 1);
  long b = cilk_spawn tree(std::move(other), n - 2);
  own.add(1000);
  cilk_spawn take(own, n); // result unused
  cilk_spawn make(n);      // an object that nobody wants
  cilk_sync;
  return a * 3 + b + own.get() + other.get();
}

std::vector<int> range(std::unique_ptr<int> count, int first) {
  std::vector<int> all;
  for (int i = 0; i < *count; ++i)
    all.push_back(first + i);
  return all;
}

Checksum many(int n) {
  long results[50];
  Own shared(7);
  for (int i = 0; i < n; ++i)
    results[i] = cilk_spawn shared.sum(Own(i), i);
  cilk_sync;
  Checksum sum = 0;
  for (int i = 0; i < n; ++i)
    sum = fold(sum, results[i]);
  cilk_for (int i = 0; i < n; ++i) {
    Own local(i);
    long one = cilk_spawn take(local, i);
    Own two = cilk_spawn combine(local, std::string("a name that does not fit a short string"), Own(1));
    cilk_sync;
    results[i] = one * 5 + two.get();
  }
  for (int i = 0; i < n; ++i)
    sum = fold(sum, results[i]);
  return sum;
}

Own sumOf(const long &left, const Own &right) { return Own(left + right.get()); }

// Results of calls that take temporaries by reference: used, unused.
long owned(long n) {
  Own base(n);
  for (long i = 0; i < n; ++i) {
    cilk_spawn sumOf(i + 1, base);
    Own sum = cilk_spawn sumOf(i * 2, base);
    cilk_sync;
    n += sum.get() % 2;
  }
  return n;
}

long pointers(long (*function)(Own, int), long (Own::*method)(Own, int) const, int n) {
  Own own(n);
  long a = cilk_spawn function(own, 1);
  long b = cilk_spawn (own.*method)(Own(4), 2);
  auto lambda = [own](Own other, std::string name) { return own.get() + other.get() + long(name.size()); };
  double c = cilk_spawn lambda(own, "text that becomes a string");
  cilk_sync;
  return a + b * 3 + long(c) * 7;
}

} // namespace

int main() {
  Checksum sum = 0;
  for (char c : text("start", 5))
    sum = fold(sum, c);
  report("text", sum);
  report("tree", tree(Own(5), 9));
  std::vector<int> all = cilk_spawn range(std::make_unique<int>(9), 3);
  const Own mine = cilk_spawn combine(Own(1), "main's", make(3));
  cilk_sync;
  report("main", fold(all.back(), mine.get()));
  report("many", many(50));
  report("owned", owned(8));
  report("pointers", pointers(take, &Own::sum, 6));
  report("counts", fold(fold(constructed, destroyed), moved));
}
