// Temporaries that are not trivially copyable, bound to reference parameters or called. The parent makes them, the child uses and
// destroys them. Also arguments with temporaries that end before the child runs.
#include "checksum.h"
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

long destroyed, wrong;

/// Points at itself, and destroys its value in its destructor.
class Own {
public:
  explicit Own(long number) : number(number), self(this) {}
  Own(const Own &other) : number(other.get()), self(this) {}
  ~Own() {
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
    number = -7;
    self = nullptr;
  }
  long get() const {
    if (self != this)
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    return number;
  }
  long call(long n) const { return get() * 3 + n; }
  virtual long dynamic(long n) const { return get() * 5 + n; }
  long operator()(int n) const { return get() + n; }

private:
  long number;
  Own *self;
};

struct Derived : Own {
  explicit Derived(long number) : Own(number), more(number * 2) {}
  long dynamic(long n) const override { return get() * 11 + n + more.get(); }
  Own more;
};

long byReference(const Own &own, int n) { return own.get() * 7 + n; }
long virtually(const Own &own, int n) { return own.dynamic(n); }
long byMove(Own &&own, const int &number) { return own.get() + number; }
long length(const std::string &text, const std::vector<int> &all) {
  return long(text.size()) * 100 + long(all.size()) + (all.empty() ? 0 : all.back());
}
long mixed(Own value, const Own &reference, const std::string &text) {
  return value.get() + reference.get() * 2 + long(text.size());
}

/// Holds an address, and is not trivially copyable.
class Reference {
public:
  explicit Reference(const int &number) : number(number) {}
  Reference(const Reference &other) : number(other.number) {}
  ~Reference() { __atomic_fetch_add(&destroyed, number, __ATOMIC_RELAXED); }
  const int &number;
};
struct Holder {
  int field, array[5];
  const int *self() const { return array; }
};
const int &identity(const int &number) { return number; }
Holder holder(int n) { return {n, {n, n + 1, n + 2, n + 3, n + 4}}; }
long reference(const int &number, int n) { return number * 3L + n; }
long held(Reference number, int n) { return number.number * 5L + n; }
long pointed(const int *numbers) { return numbers[0] * 3L + numbers[4]; }
long letters(const char *text) { return long(std::string(text).size()); }
long viewed(std::string_view text) { return long(text.size()) + (text.empty() ? 0 : text[0]); }

/// Arguments with addresses of objects that end with the whole expression.
long indirect(int n) {
  std::vector<long> all(n * 7);
  long (Own::*member)(long) const = n % 2 ? &Own::call : &Own::dynamic;
  for (int i = 0; i < n; ++i) {
    all[i * 7] = cilk_spawn reference(identity(i + 1), i);
    all[i * 7 + 1] = cilk_spawn held(Reference(identity(i * 2 + 1)), i);
    all[i * 7 + 2] = cilk_spawn pointed(holder(i).array);
    all[i * 7 + 3] = cilk_spawn pointed(i % 3 ? holder(i * 2).self() : holder(i).array);
    all[i * 7 + 4] = cilk_spawn letters(std::string(i, 'a').c_str());
    all[i * 7 + 5] = cilk_spawn viewed(std::string_view(std::string(i, 'b')));
    all[i * 7 + 6] = cilk_spawn(Derived(i).*member)(i);
  }
  cilk_sync;
  long sum = 0;
  for (long each : all)
    sum = sum * 3 % 1000000007 + each;
  return sum;
}

/// Owns the memory of its members, and destroys its contents in its destructor.
struct Owner {
  explicit Owner(int n) : size(n % 7 + 5), data(new int[size]), last(data[size - 1]), view{data, size} {
    for (int i = 0; i < size; ++i)
      data[i] = n + i * i;
  }
  ~Owner() {
    for (int i = 0; i < size; ++i)
      data[i] = -7;
    delete[] data;
    data = nullptr;
    view.data = nullptr;
  }
  struct View {
    const int *data;
    int size;
  };
  int size;
  int *data;
  int &last;
  View view;
};
struct Outer {
  explicit Outer(int n) : inner(n) {}
  Owner inner;
};
Owner owner(int n) { return Owner(n); }
long seen(Owner::View view) { return view.data[0] * 3L + view.data[view.size - 1]; }

/// Arguments that members of temporaries lead to.
long owned(int n) {
  std::vector<long> all(n * 8);
  for (int i = 0; i < n; ++i) {
    all[i * 8] = cilk_spawn pointed(Owner(i).data);
    all[i * 8 + 1] = cilk_spawn pointed(owner(i * 2).data);
    all[i * 8 + 2] = cilk_spawn reference(owner(i).last, i);
    all[i * 8 + 3] = cilk_spawn reference(Owner(i * 3).data[2], i);
    all[i * 8 + 4] = cilk_spawn reference(*owner(i).data, i);
    all[i * 8 + 5] = cilk_spawn pointed(i % 3 ? Outer(i).inner.data : owner(i).data);
    all[i * 8 + 6] = cilk_spawn seen(Outer(i * 5).inner.view);
    all[i * 8 + 7] = cilk_spawn [data = owner(i).data, i] { return pointed(data) + i; }();
  }
  cilk_sync;
  long sum = 0;
  for (long each : all)
    sum = sum * 3 % 1000000007 + each;
  return sum;
}

long tree(const std::string &path, int n) {
  if (n < 2)
    return long(path.size()) + n;
  long a = cilk_spawn tree(path + "l", n - 1);
  long b = cilk_spawn tree(n % 2 ? path + "odd" : std::string("even"), n - 2);
  long c = cilk_spawn byReference(Own(n), n);
  long d = cilk_spawn virtually(Derived(n), n);
  long e = cilk_spawn byMove(Own(n + 1), n * 2);
  long f = cilk_spawn length(std::string(n, 'x') + path, {n, 2, n * 3});
  long g = cilk_spawn mixed(Own(n), Own(n * 2), "converted");
  long h = cilk_spawn Own(n).call(4);
  long i = cilk_spawn Derived(n).dynamic(5);
  long j = cilk_spawn Own(n)(6);
  long k = cilk_spawn[path, own = Own(n)](const Own &other) { return long(path.size()) + own.get() + other.get(); }
  (Own(n * n));
  long (*pointer)(const Own &, int) = n % 2 ? byReference : virtually;
  long l = cilk_spawn pointer(Derived(n), int(Own(n).call(1) + long(std::string(n, 'y').size())));
  std::function<long(const std::string &)> function = [n](const std::string &text) { return n + long(text.size()); };
  long m = cilk_spawn function(path + "function");
  cilk_sync;
  return (a * 3 + b * 5 + c + d + e + f + g + h + i + j + k + l + m) % 1000000007;
}

} // namespace

int main() {
  report("tree", tree("root", 10));
  report("indirect", indirect(30));
  report("owned", owned(30));
  std::vector<long> sums(50);
  for (int i = 0; i < 50; ++i)
    sums[i] = cilk_spawn byReference(Own(i), i);
  cilk_sync;
  Checksum sum = 0;
  for (long each : sums)
    sum = fold(sum, each);
  report("loop", sum);
  cilk_for(int i = 0; i < 50; ++i) sums[i] = cilk_spawn length(std::string(i, 'z'), std::vector<int>(i % 7, i));
  for (long each : sums)
    sum = fold(sum, each);
  report("for", sum);
  report("destroyed", destroyed);
  report("wrong", wrong);
}
