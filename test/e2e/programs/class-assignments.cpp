// Results assigned by their class's own operator=: copied, moved and converted by the child, and destroyed there.
#include "checksum.h"
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

long alive, copies, moves;

void add(long &counter, long more) { __atomic_fetch_add(&counter, more, __ATOMIC_RELAXED); }

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
    add(copies, 1);
    return *this;
  }
  Own &operator=(Own &&other) {
    number = other.get();
    other.number = -1;
    add(moves, 1);
    return *this;
  }
  Own &operator=(int plain) {
    number = plain * 100;
    return *this;
  }
  long get() const { return self == this ? number : 1000000; }

private:
  long number;
  Own *self;
};

struct Record {
  std::string name;
  std::vector<int> values;
  Own own{3};
};

struct Base {
  virtual ~Base() = default;
  virtual long value() const { return 1; }
};
struct Derived : Base {
  explicit Derived(long held) : held(held) {}
  long value() const override { return held; }
  long held;
};

Own make(int n) { return Own(n * 2); }
int plain(int n) { return n + 1; }
const char *letters(int n) { return n % 2 ? "odd" : "even"; }
const Own &shared(const Own &own) { return own; }
const Own &last() {
  static const Own own(17);
  return own;
}
std::unique_ptr<Derived> derive(int n) { return std::make_unique<Derived>(n * 7); }

std::string text(std::string so, int n) {
  if (n == 0)
    return so;
  std::string left = "unused but long enough to be on the heap", right;
  left = cilk_spawn text(so + "l", n - 1);
  right = cilk_spawn text(std::string(n, 'r') + so, n - 1);
  so += "changed after the spawn";
  cilk_sync;
  return left + right;
}

Record record(int n) {
  Record made{"record", {}, Own(n)};
  made.values.resize(n % 5, n);
  made.name += std::to_string(n);
  return made;
}

struct Maker {
  explicit Maker(int base) : base(base) {}
  int base;
  Own member(int n) const { return Own(base + n); }
  virtual Own dynamic(Own own) const { return Own(own.get() * base); }
  virtual ~Maker() = default;
};

long tree(int n) {
  if (n < 2)
    return n;
  Own a(1), b(2), c(3), d(4), e(5);
  Maker maker{n};
  Own (*pointer)(int) = n % 2 ? make : make;
  a = cilk_spawn make(n);
  b = cilk_spawn plain(n);
  c = cilk_spawn shared(e.get() > 1000000 ? d : e);
  d = cilk_spawn maker.member(3);
  Record records[3];
  for (int i = 0; i < 3; ++i)
    records[i] = cilk_spawn record(n + i);
  std::unique_ptr<Base> base = std::make_unique<Base>();
  base = cilk_spawn derive(n);
  std::optional<int> maybe;
  maybe = cilk_spawn plain(n);
  std::string name = "a name";
  name = cilk_spawn letters(n);
  std::optional<int> sure = cilk_spawn plain(n);
  std::shared_ptr<Base> held = cilk_spawn derive(n);
  std::string other = cilk_spawn letters(n);
  const std::optional<std::string> perhaps = cilk_spawn text("?", n % 3);
  Own copied = cilk_spawn shared(Own(n).get() ? last() : last());
  std::map<int, Own> map;
  map.emplace(1, Own(1));
  map.at(1) = cilk_spawn pointer(n);
  std::atomic<int> atomic = 0;
  atomic = cilk_spawn plain(n);
  std::atomic<long> added = n;
  added += cilk_spawn plain(n);
  added += cilk_spawn plain(n + 1);
  added -= cilk_spawn plain(3);
  std::string line = "line ";
  line += cilk_spawn letters(n);
  Own virtually(9);
  const Maker &reference = maker;
  virtually = cilk_spawn reference.dynamic(Own(n));
  long x = cilk_spawn tree(n - 1);
  long y = tree(n - 2);
  cilk_sync;
  long sum = added.load() * 5 + long(line.size()) + a.get() + b.get() * 3 + c.get() * 5 + d.get() * 7 + base->value() + *maybe + *sure + long(name.size()) +
             atomic + held->value() + long(other.size() + perhaps->size()) + copied.get();
  for (Record &each : records)
    sum += long(each.name.size() * 11 + each.values.size()) + each.own.get();
  return (sum + map.at(1).get() + virtually.get()) % 1000003 + x * 3 + y;
}

} // namespace

int main() {
  report("tree", tree(11));
  report("text", text("so", 8).size());
  std::vector<std::string> all(40);
  cilk_for(int i = 0; i < 40; ++i) all[i] = cilk_spawn text(std::string(i, 'x'), i % 3);
  Checksum sum = 0;
  for (const std::string &each : all)
    for (char letter : each)
      sum = fold(sum, letter);
  report("for", sum);
  Own last(1);
  last = cilk_spawn make(21);
  cilk_sync;
  report("main", last.get());
  report("alive", alive);
  report("copies", copies);
  report("moves", moves);
}
