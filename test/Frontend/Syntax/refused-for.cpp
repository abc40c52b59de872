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
template <class T> struct Random {
  T *p;
  Random &operator++();
  Random &operator--();
  Random &operator+=(long);
  Random &operator-=(long);
  Random &operator*=(long);
  bool operator!=(Random) const;
  long operator-(Random) const;
  T &operator*() const;
};
template <class T> struct RandomRange { Random<T> begin(), end(); };
struct NoCopy : Random<int> {
  NoCopy(const NoCopy &) = delete;
  NoCopy(int);
  NoCopy &operator+=(long);
};
struct Apart {
  Apart &operator++();
  Apart &operator+=(long);
  bool operator!=(Apart) const;
  double operator-(Apart) const;
private:
  int v;
};
struct Private {
  Private &operator++();
  bool operator!=(Private) const;
  long operator-(Private) const;
private:
  Private &operator+=(long);
};
struct Unsigned {
  Unsigned &operator++();
  Unsigned &operator--();
  Unsigned &operator+=(unsigned);
  bool operator!=(Unsigned) const;
  bool operator<(Unsigned) const;
  bool operator>(Unsigned) const;
  unsigned operator-(Unsigned) const;
};
struct Wide : Random<int> { // as iterators over 64-bit integers
  Wide &operator+=(__int128);
  __int128 operator-(Wide) const;
  bool operator!=(Wide) const;
};
struct Base { int b; };
struct Derived : Base { int d; };
enum class Scoped { A };

void loops(Range r, int *a, Derived *d, Base *b, int n) {
  cilk_for (int x : a) f(x); // expected-error {{invalid range expression}}
  cilk_for (int x : r) f(x); // expected-error {{a cilk_for over iterators needs the operators 'last - first', whose result is an integer (signed if the loop goes down), and 'iterator += integer', but the range's iterator type 'Iterator' lacks them; count with an integer, or write a for loop}}
  cilk_for (auto i = r.begin(); i != r.end(); ++i) f(*i); // expected-error {{needs the operators 'last - first', whose result is an integer (signed if the loop goes down), and 'iterator += integer', but 'Iterator' lacks them}}
  cilk_for (int &i = n; i < 4; ++i) f(i); // expected-error {{but 'i' has type 'int &'}}
  cilk_for (static int i = 0; i < 4; ++i) f(i); // expected-error {{but this one declares something else}}
  cilk_for (Derived *p = d; p != b; ++p) f(p->d); // expected-error {{this bound is no integer of at most 64 bits and no pointer to the same type}}
  cilk_for (int i = 0; bool more = i < n; ++i) f(more); // expected-error {{but this is another expression}}
  cilk_for (int i = 0; i < [&] { return i; }(); ++i) f(i); // expected-error {{this bound refers to the loop variable}}
}
void distances(Unsigned u, Wide w) {
  cilk_for (Unsigned i = u; i != u; ++i) f(1);
  cilk_for (Unsigned i = u; i < u; ++i) f(1);
  cilk_for (Unsigned i = u; i > u; --i) f(1); // expected-error {{whose result is an integer (signed if the loop goes down), and 'iterator += integer', but 'Unsigned' lacks them}}
  cilk_for (Unsigned i = u; i != u; --i) f(1); // expected-error {{but 'Unsigned' lacks them}}
  cilk_for (Wide i = w; i != w; ++i) f(1);
}
void iterators(RandomRange<int> r, Random<int> e, Apart a, Private p, NoCopy &c, int n) {
  cilk_for (int &x : r) x = 1;
  cilk_for (Random<int> i = r.begin(); i != e; ++i) {
    f(*i);
    ++i; // expected-error {{the loop variable of a cilk_for cannot be changed in its body, but 'i' is; use a copy of it}}
  }
  cilk_for (Random<int> i = r.begin(); i != e; ++i)
    i -= 2; // expected-error {{cannot be changed in its body, but 'i' is}}
  cilk_for (Random<int> i = r.begin(); i != e; i *= 2) f(*i); // expected-error {{the increment of a cilk_for must change its loop variable 'i' by ++, --, += or -=, but this is another expression}}
  cilk_for (Random<int> i = r.begin(); i - e; ++i) f(*i); // expected-error {{must compare its loop variable 'i'}}
  cilk_for (Random<int> i = r.begin(); i != e; i += i - e) f(*i); // expected-error {{this step refers to the loop variable}}
  cilk_for (Apart i = a; i != a; ++i) f(1); // expected-error {{but 'Apart' lacks them}}
  cilk_for (Private i = p; i != p; ++i) f(1); // expected-error {{but 'Private' lacks them}}
  cilk_for (NoCopy i(3); i != c; ++i) f(*i); // expected-error {{but 'NoCopy' lacks them}}
  cilk_for (int &x : r) {
    if (x)
      break; // expected-error {{a break cannot leave the body of a cilk_for}}
    if (n)
      continue;
    return; // expected-error {{a return cannot leave the body of a cilk_for}}
  }
}
template <class T> void inTemplate(RandomRange<T> r, T s) {
  cilk_for (auto &x : r) x = s;
  cilk_for (auto i = r.begin(); i != r.end(); ++i) *i = s;
}
template void inTemplate(RandomRange<int>, int);
struct Structor {
  Structor(int n) {
    cilk_for (int i = 0; i < n; ++i) f(i);
  }
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
template <int Step> void steps(int n) {
  if (Step > 0)
    cilk_for (int i = 0; i < n; i += Step) f(i);
}
template void steps<0>(int);
void constants(int n, Random<int> first, RandomRange<int> range) {
  const int step = 2 - n % 2 * 0, none = 0;
  cilk_for (int i = 0; i < n; i += step) f(i);
  cilk_for (int i{0}; i < n; i += none) f(i); // expected-error {{but 'i' has a step of 0}}
  cilk_for (auto i = first; i != range.end(); --i) f(1);
}
