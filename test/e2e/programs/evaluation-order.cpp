// Operands of spawns are evaluated in the order of the serial elision: callee, arguments, destination. The parent makes
// some of these objects for the child. Temporaries of a destination live as long as the child.
#include "checksum.h"
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

Checksum trace;
int note(int n) {
  trace = fold(trace, n);
  return n;
}

/// Points at itself, and destroys its value in its destructor.
class Own {
public:
  explicit Own(long number) : number(number), self(this) {}
  Own(const Own &other) : number(other.get()), self(this) {}
  ~Own() {
    number = -7;
    self = nullptr;
  }
  long get() const { return self == this ? number : -1000000; }
  long call(long n) const { return get() * 3 + n; }
  long none() const { return get(); }
  virtual long dynamic(long n) const { return get() * 5 + n; }

private:
  long number;
  Own *self;
};
struct Final final : Own {
  using Own::Own;
  long dynamic(long n) const override { return get() * 7 + n; }
};
struct Plain {
  long a, b, c, d;
};

long byValue(Own own) { return own.get(); }
long byReference(const Own &own) { return own.get(); }
long mixed(Own value, int n, const Own &reference, Plain plain, int m) {
  return value.get() + n * 10 + reference.get() * 100 + (plain.a + plain.d) * 1000 + m * 10000;
}
long backwards(int n, const std::string &text, int m) { return n + long(text.size()) * 10 + m * 100; }
int length(const std::string &text) { return int(text.size()); }
Own make(const Own &own, int n) { return Own(own.get() * n); }
Plain plain(const Own &own, int n) { return {own.get(), n, n + 1, n + 2}; }
std::pair<int, long> pair(int n) { return {n, n * 3L}; }
std::pair<int, long> both(const Own &own, int n) { return {n, own.get()}; }
std::tuple<int, std::string> named(int n) { return {n, std::string(n % 30, 'n')}; }

/// Refers to an element, until its destructor ends that.
struct Proxy {
  std::vector<long> *all;
  int at;
  Proxy &operator=(long n) {
    (*all)[at] = n;
    return *this;
  }
  ~Proxy() { at = -100000000; }
};
struct Elements {
  explicit Elements(int n) : all(n) {}
  Proxy operator[](int i) { return {&all, note(i)}; }
  std::vector<long> all;
};
/// The same, without a destructor.
struct Light {
  std::vector<long> *all;
  int at;
  const Light &operator=(long n) const {
    (*all)[at] = n;
    return *this;
  }
};
struct LightElements {
  explicit LightElements(int n) : all(n) {}
  Light operator[](int i) { return {&all, i}; }
  std::vector<long> all;
};
struct Lock {
  explicit Lock(long *to) : to(to) {}
  ~Lock() { to = nullptr; }
  long &operator*() { return *to; }
  long *to;
};
#pragma pack(push, 1)
struct Packed {
  char tag;
  long number;
};
#pragma pack(pop)

template <class T> Checksum sum(const std::vector<T> &all) {
  Checksum result = 0;
  for (const T &each : all)
    result = fold(result, each);
  return result;
}

void changes() {
  std::vector<long> a(120);
  int i = 1;
  a[i] = cilk_spawn byValue(Own(i++));
  a[i + 5] = cilk_spawn byReference(Own(i++));
  a[i + 10] = cilk_spawn length(std::string(i++, 'a'));
  a[i++ + 15] = cilk_spawn byReference(Own(i));
  a[i++ + 20] = cilk_spawn byValue(Own(i));
  a[i++ + 25] += cilk_spawn length(std::string(i, 'b'));
  a[i + 30] = cilk_spawn Own(++i).none();
  a[i + 40] = cilk_spawn Own(++i).call(i++);
  a[i + 60] = cilk_spawn Final(++i).dynamic(i++);
  a[note(i) + 80] = cilk_spawn (Own(++i).*(i % 2 ? &Own::call : &Own::dynamic))(i);
  cilk_sync;
  report("changes", fold(sum(a), i));
}

void arguments() {
  std::vector<long> a(20);
  Plain p = {1, 2, 3, 4};
  int i = 1;
  a[note(0)] = cilk_spawn mixed(Own(i++), note(i++), Own(i++), p, note(i++));
  a[note(i++) - 4] = cilk_spawn mixed(Own(note(i)), i++, Own(i), (p.d = 7, p), note(i));
  a[note(i++) - 4] = cilk_spawn mixed(Own(note(i)), i++, Own(i), {p.a++, i++, 3, p.a++}, note(i));
  a[note(i++)] = cilk_spawn backwards(note(i), std::string(i++, 'c'), note(i));
  a[note(i++)] = cilk_spawn backwards(note(i++), std::to_string(note(i)), note(i++));
  p.a = 100;
  cilk_sync;
  report("arguments", fold(sum(a), i));
}

struct Named {
  static long fixed(long n) { return n * 2; }
  static long byReference(const long &n) { return n * 7; }
  static long byOwn(const Own &own) { return own.get() * 11; }
  long member(long n) { return number * 5 + n; }
  long number;
};
long function(long n) { return n * 3; }
template <long (Named::*Member)(long)> void called(std::vector<long> &a, Named *all, int &i) {
  a[i] = cilk_spawn (all[i++].*Member)(i);
  a[i] = cilk_spawn ((all + note(i++))->*Member)(note(i));
}
void names() {
  std::vector<long> a(40);
  Named all[20];
  for (int k = 0; k < 20; ++k)
    all[k].number = k * k;
  int i = 1;
  called<&Named::member>(a, all, i);
  a[i] = cilk_spawn all[note(i++)].fixed(note(i));
  a[i + 1] = cilk_spawn (&all[note(i++)])->byReference(note(i) + 1L);
  a[i + 2] = cilk_spawn all[note(i++)].byOwn(Own(note(i++)));
  a[i + 3] = cilk_spawn (note(i++), function)(note(i));
  a[i + 4] = cilk_spawn (i++, byReference)(Own(i++));
  a[i + 5] = cilk_spawn (i++, *function)(i);
  cilk_sync;
  report("names", fold(sum(a), i));
}

void results() {
  std::vector<Own> owns(6, Own(1));
  std::vector<Plain> plains(6);
  Packed packed[8] = {};
  std::vector<int> numbers(6);
  std::vector<long> longs(6);
  int i = 0;
  owns[i++] = cilk_spawn make(Own(i), i);
  owns[i] = cilk_spawn make(Own(++i), note(i));
  plains[i++] = cilk_spawn plain(Own(i), i);
  plains[i] = cilk_spawn plain(Own(++i), note(i));
  packed[i++].number = cilk_spawn byReference(Own(i));
  std::tie(numbers[0], longs[0]) = cilk_spawn both(Own(i), ++i);
  std::tie(numbers[i - 4], longs[i - 4]) = cilk_spawn both(Own(i++), i);
  cilk_sync;
  Checksum result = i;
  for (const Own &own : owns)
    result = fold(result, own.get());
  for (const Plain &each : plains)
    result = fold(result, each.a + each.b * 3 + each.d);
  for (const Packed &each : packed)
    result = fold(result, each.number);
  report("results", fold(fold(result, sum(numbers)), sum(longs)));
}

void destinations(int n) {
  std::vector<int> a(n), c(n);
  std::vector<long> b(n);
  std::vector<std::string> texts(n);
  Elements elements(n);
  LightElements lights(n);
  std::vector<long> locked(n);
  for (int i = 0; i < n; ++i) {
    std::tie(a[i], b[i]) = cilk_spawn pair(i);
    std::tie(c[i], texts[i]) = cilk_spawn named(i);
    elements[i] = cilk_spawn length(i % 2 ? "odd" : "even");
    lights[i] = cilk_spawn byReference(Own(i));
    *Lock(&locked[i]) = cilk_spawn byValue(Own(i * 2));
  }
  cilk_sync;
  Checksum result = fold(sum(a), sum(b));
  for (const std::string &text : texts)
    result = fold(result, text.size());
  report("destinations", fold(fold(fold(fold(result, sum(c)), sum(elements.all)), sum(lights.all)), sum(locked)));
}

long tree(int n) {
  if (n < 2)
    return n;
  long a[3] = {};
  int i = 0;
  a[i++] = cilk_spawn tree(n - 1);
  std::vector<long> b(2);
  std::tie(b[0], a[1]) = cilk_spawn pair(n);
  a[i++ + 1] = cilk_spawn byReference(Own(i + n));
  cilk_sync;
  return (a[0] * 3 + b[0] * 5 + a[1] * 7 + a[2]) % 1000003;
}

} // namespace

int main() {
  changes();
  arguments();
  names();
  results();
  report("evaluated", trace);
  destinations(60);
  report("tree", tree(20));
}
