// Tests constructs that are refused in C++ only.
// RUN: %clangxx -std=c++20 -fexceptions -fsyntax-only -ferror-limit=0 -fplugin=%plugin -fplugin-arg-cilk2gpu-no-exceptions -Xclang -verify %s
#include <initializer_list>
int f(int);
int takesPointer(const int *);
int takesReference(const int &);
struct Destructible { int v; Destructible(int); ~Destructible(); operator int() const; };
struct Copied { int v; Copied(int); Copied(const Copied &); };
struct Throwing { Throwing(int); int v; };
struct Functor { int operator()(int); int operator[](int); int member(int); static int fixed(int); virtual int vmember(int); };
struct Dynamic { virtual int operator()(int); };
struct Odd { int v; Odd &operator=(int); };
struct Virtual { virtual Virtual &operator=(const Virtual &); };
Virtual makeVirtual(int);
struct Converts { int v; virtual operator long() const; };
Converts makeConverts(int);
Odd operator+(Odd, int);
Destructible makeDestructible(int);
Copied makeCopied(int);
int takesDestructible(Destructible);
int takesCopied(Copied);
int takesBoth(Copied, int, Copied);
template <class T> const T &identity(const T &v) { return v; }
int &reference(int);
int table[8];
struct Holder { int field; const int *pointer; int array[2], *pointers[2]; int *self(); };
Holder holder(int);
int takesHolder(Holder);
namespace std { template <class T> T &&move(T &v) { return static_cast<T &&>(v); } }
struct Pair { int a, b; };
Pair pair(int);
struct Twins { int v; };
Twins twins(int);
template <int> int get(Twins t) { return t.v; }
namespace std {
template <class T> struct tuple_size;
template <> struct tuple_size<Twins> { static constexpr int value = 2; };
template <unsigned long, class T> struct tuple_element;
template <unsigned long I> struct tuple_element<I, Twins> { using type = int; };
} // namespace std

void callees(Functor &o, Dynamic &dynamic, int (Functor::*m)(int)) {
  auto lambda = [](int n) { return n; };
  cilk_spawn o.member(1);
  cilk_spawn Functor().member(1);
  cilk_spawn o.vmember(1);
  cilk_spawn o.Functor::vmember(1);
  cilk_spawn o.~Functor(); // expected-error {{the destructor '~Functor' cannot be spawned: its object must live until the child is done; spawn a function of your own that deletes the object}}
  cilk_spawn dynamic(1);
  cilk_spawn (o.*m)(1);
  cilk_spawn (Functor().*m)(1);
  cilk_spawn o.fixed(1);
  cilk_spawn Functor::fixed(1);
  cilk_spawn o(1);
  cilk_spawn o[1];
  cilk_spawn Functor()(1);
  cilk_spawn lambda(1);
  cilk_spawn [](int n) { return n; }(1);
  cilk_spawn { f(1); };
  cilk_spawn Pair{1, 2}; // expected-warning {{unused}}
}

void arguments(int n, Odd &odd, Copied &copied, Virtual &virtually) {
  cilk_spawn takesReference(n + 1);
  cilk_spawn takesReference(identity(n + 1));
  cilk_spawn f(identity(n + 1));
  cilk_spawn takesReference(holder(n).field);
  cilk_spawn takesPointer(holder(n).array);
  cilk_spawn takesPointer(holder(n).pointer);
  cilk_spawn takesPointer(holder(n).pointers[1]);
  cilk_spawn takesPointer(holder(n).self());
  cilk_spawn takesPointer(&table[holder(n).field & 7]);
  cilk_spawn takesPointer(table + identity(n + 1));
  cilk_spawn takesPointer(n ? table : &identity(2));
  cilk_spawn takesReference(table[identity(n)]);
  cilk_spawn takesReference(n > 2 ? n : 2);
  cilk_spawn takesHolder(holder(n));
  cilk_spawn takesHolder({n, table, {}, {}});
  cilk_spawn takesHolder({n, &identity(n + 1), {}, {}});
  cilk_spawn std::move(n); // expected-error {{the builtin function 'move<int>' cannot be spawned}} expected-warning {{ignoring return value}}
  cilk_spawn takesReference(identity(n));
  cilk_spawn takesCopied(copied);
  cilk_spawn makeCopied(n);
  Copied c = cilk_spawn makeCopied(n);
  copied = cilk_spawn makeCopied(n);
  virtually = cilk_spawn makeVirtual(n); // expected-error {{a spawned result cannot be assigned by a virtual operator=, but the operator= of 'Virtual' is virtual (not supported yet); initialize a variable with the spawn, and assign after the sync}}
  odd = cilk_spawn f(n);
  long l = cilk_spawn makeConverts(n); // expected-error {{a spawned result cannot be converted by a virtual function, but 'operator long' is virtual (not supported yet); initialize a variable of the result's own type with the spawn, and convert it after the sync}}
  // Changes in between are seen as in the serial elision.
  int i = 0, *out = table;
  table[i++] = cilk_spawn takesCopied(Copied(i));
  Copied many[2] = {1, 2};
  table[many[0].v++] = cilk_spawn takesCopied(many[0]);
  table[0] = cilk_spawn takesBoth(Copied(i), i++, copied); // expected-warning {{unsequenced modification}}
  table[1] = cilk_spawn takesBoth(Copied(i++), 2, copied);
  table[i++] = cilk_spawn takesBoth(copied, 3, Copied(n));
  *out++ = cilk_spawn takesCopied(copied);
  int &r = cilk_spawn reference(n); // expected-error {{part of a reference's initializer}}
  auto &&[p, q] = cilk_spawn pair(n); // expected-error {{part of a reference's initializer}}
  auto [s, t] = cilk_spawn twins(n); // expected-error {{part of structured bindings with a get function of the program's own, which may read it}}
  if (int x = cilk_spawn f(n)) // expected-error {{part of}}
    n = x;
  for (int x : {cilk_spawn f(1), 2}) // expected-error {{part of a condition or loop header}}
    n = x;
}
int staticVariable() {
  static int s = cilk_spawn f(1); // expected-error {{part of a static variable's initializer}}
  return s;
}
int outside = cilk_spawn f(1); // expected-error {{part of a static variable's initializer}}

int byValue(int n, Destructible d) {
  cilk_spawn takesDestructible(d);
  cilk_sync;
  return 0;
}
int handles(int n) {
  try { // expected-error {{the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope for GPUs, or with -fno-cilk-exceptions; set a variable in the handler, and move the keywords behind the try statement}}
    f(n);
  } catch (...) {
    cilk_sync;
  }
  return 0;
}
int handlesDeeper(int n) {
  try { // expected-error {{the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope}}
    cilk_spawn f(n);
  } catch (...) {
    try {
      cilk_spawn f(n);
    } catch (int) {
    }
  }
  return 0;
}
int functionTry(int n) try { // expected-error {{the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope}}
  cilk_spawn f(n);
  return 1;
} catch (...) {
  cilk_spawn f(n);
  return 0;
}
int throws(int n) {
  if (n < 0)
    throw n; // expected-error {{a function with spawn or sync cannot throw for GPUs, or with -fno-cilk-exceptions, because the exception would leave a task; return an error value, or catch the exception in the same function}}
  cilk_spawn f(n);
  return 0;
}
int rethrows(int n) {
  try {
    throw n;
  } catch (int) {
    throw; // expected-error {{a function with spawn or sync cannot throw}}
  }
  cilk_spawn f(n);
  return 0;
}
int catches(int n) {
  try {
    if (n < 0)
      throw n;
  } catch (...) {
    return 1;
  }
  cilk_spawn f(n);
  return 0;
}
int news(int n) {
  Throwing *t = new Throwing(n);
  cilk_spawn f(n);
  cilk_sync;
  return t->v;
}
int guarded(int n) noexcept {
  cilk_spawn f(n);
  return 0;
}
int main() {
  try {
    cilk_spawn f(1);
    throw 1;
  } catch (int) {
    cilk_spawn f(2);
  }
  cilk_for (int i = 0; i < 3; ++i) {
    try { // expected-error {{the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope}}
      f(i);
    } catch (...) {
      cilk_spawn f(i);
    }
  }
}
struct Structors {
  Structors() : field(cilk_spawn f(1)) {} // expected-error {{part of a larger expression}}
  ~Structors() { cilk_spawn field; } // expected-warning {{unused}}
  int field = 1;
};
template <class T> T wrong(T n) {
  return -cilk_spawn f(n); // expected-error {{part of a return statement}}
}
int useWrong() { return wrong(1) + wrong(2L); }
void lambdaBody(int n) {
  auto l = [&] {
    int board[3] = {};
    return cilk_spawn f(board[n]) * 2; // expected-error {{part of a return statement}}
  };
  l();
}
