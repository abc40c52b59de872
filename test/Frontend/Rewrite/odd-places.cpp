// Tests keywords in positions that only C++ has, each used or instantiated: a message or correct code, and no crash.
// RUN: %clangxx -std=c++20 -fexceptions -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
// RUN: %clangxx -std=c++20 -DNO_ERRORS -Wno-unused-value -c -fplugin=%plugin %s -o %t.o
#include <initializer_list>
constexpr int f(int n) { return n; }
int plain(int);

#ifndef NO_ERRORS
int global = cilk_spawn plain(1); // expected-error {{part of a static variable's initializer}}
consteval int immediate(int n) { // expected-error {{a consteval function cannot contain spawn or sync: it runs in the compiler; write an ordinary function, or remove the keywords}}
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
int caseLabel(int n) {
  switch (n) {
  case cilk_spawn f(1): // expected-error {{part of a condition or loop header}}
    return 1;
  }
  return 0;
}
int unevaluated() { return noexcept(cilk_spawn plain(1)); } // expected-error {{part of a return statement}}
int constantCondition(int n) {
  if constexpr (cilk_spawn f(1)) // expected-error {{part of a condition or loop header}}
    n++;
  return n;
}
int range() {
  for (int y : {cilk_spawn f(1), 2}) // expected-error {{part of a condition or loop header}}
    return y;
  return 0;
}
int fold(auto... n) { return (... + (cilk_spawn plain(n))); } // expected-error {{part of a return statement}}
int useFold() { return fold(1, 2); }
int deletes(int *p) {
  cilk_spawn delete p;
  return 1;
}
struct Op { Op operator,(int); };
int operators(Op o) {
  o, cilk_spawn plain(1); // expected-error {{part of a larger expression}}
  return 0;
}
int literal() {
  cilk_spawn 3; // expected-warning {{unused}}
  return cilk_spawn; // expected-error {{expected expression}}
}
template <class T> T broken(T n) {
  T x = cilk_spawn n.nothing(); // expected-error {{member reference base type 'int' is not a structure or union}}
  cilk_sync;
  return x;
}
int useBroken() { return broken(1); } // expected-note {{in instantiation}}
#endif

template <class T> T never(T n) {
  T x = cilk_spawn n.nothing();
  cilk_sync;
  return x;
}
constexpr int folded(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
int useFolded(int n) { return folded(n); }
struct Member {
  int field = [] {
    int x = cilk_spawn plain(2);
    cilk_sync;
    return x;
  }();
  int method(int a = [] {
    int x = cilk_spawn plain(3);
    cilk_sync;
    return x;
  }()) {
    return a;
  }
};
int useMember() {
  Member m;
  return m.field + m.method();
}
auto generic = [](auto n) {
  int x = cilk_spawn plain(n);
  cilk_sync;
  return x;
};
int useGeneric() { return generic(1) + generic(2L); }
int bindings() {
  int a[2] = {};
  auto &[x, y] = a;
  x = cilk_spawn plain(1);
  cilk_sync;
  return x + y;
}
int attributes() {
  [[maybe_unused]] int x = cilk_spawn plain(1);
  [[likely]] cilk_spawn plain(1);
  cilk_sync;
  return 1;
}
int parentheses() {
  int x;
  (x) = (cilk_spawn plain(1));
  cilk_sync;
  return x;
}
