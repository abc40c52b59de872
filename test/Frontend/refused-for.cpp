// Tests which loops are refused in C++ only, and that an error in a template is reported once.
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
int f(int);
struct Iterator {
  int v;
  Iterator &operator++();
  bool operator!=(Iterator) const;
  int operator*();
};
struct Range { Iterator begin(), end(); };
struct Base { int b; };
struct Derived : Base { int d; };
enum class Scoped { A };

void loops(Range r, int *a, Derived *d, Base *b, int n) {
  cilk_for (int x : a) f(x); // expected-error {{invalid range expression}}
  cilk_for (int x : r) f(x); // expected-error {{a cilk_for over a range is not supported yet; write a cilk_for that counts with an integer}}
  cilk_for (auto i = r.begin(); i != r.end(); ++i) f(*i); // expected-error {{but 'i' has type 'Iterator' (not supported yet); count with an integer and use it in the body}}
  cilk_for (int &i = n; i < 4; ++i) f(i); // expected-error {{but 'i' has type 'int &'}}
  cilk_for (static int i = 0; i < 4; ++i) f(i); // expected-error {{but this one declares something else}}
  cilk_for (Derived *p = d; p != b; ++p) f(p->d); // expected-error {{this bound is no integer of at most 64 bits and no pointer to the same type}}
  cilk_for (int i = 0; bool more = i < n; ++i) f(more); // expected-error {{but this is another expression}}
  cilk_for (int i = 0; i < [&] { return i; }(); ++i) f(i); // expected-error {{this bound refers to the loop variable}}
}
struct Structor {
  Structor(int n) {
    cilk_for (int i = 0; i < n; ++i) f(i);
  } // expected-error@-2 {{a constructor or destructor cannot contain spawn or sync}}
};
template <class T> void pattern(T n) {
  cilk_for (T i = 0; i < n; i *= 2) // expected-error {{the increment of a cilk_for must change its loop variable 'i'}}
    f(i);
}
void instantiate() {
  pattern(3);
  pattern(3L);
}
template <class T> void neverInstantiated(T n) {
  cilk_for (T i = 0; i < n; i *= 2)
    f(i);
}
