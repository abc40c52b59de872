// cilk_for over random-access iterators: the library's, and pointers in classes; up and down, with any stride, with an end of a
// different type, compared by value. Loops also go over ranges, are nested, spawn in the body, and stand in templates.
#include "checksum.h"
#include <array>
#include <cilk/cilk.h>
#if __cplusplus >= 202002L
#include <compare>
#endif
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

namespace {
// Every third number, from a position on. It has only the operations that a cilk_for needs, and none of them is trivial.
struct Stride {
  long *data;
  int position;
  Stride(long *data, int position) : data(data), position(position) {}
  Stride(const Stride &other) : data(other.data), position(other.position) {}
  long &operator*() const { return data[position * 3]; }
  Stride &operator+=(short n) {
    position += n;
    return *this;
  }
  Stride &operator++() { return *this += 1; }
  Stride &operator-=(int n) { return *this += -n; }
};
[[maybe_unused]] short operator-(const Stride &a, const Stride &b) { return a.position - b.position; }
bool operator<(const Stride &a, const Stride &b) { return a.position < b.position; }
bool operator>(const Stride &a, const Stride &b) { return b < a; }
bool operator!=(const Stride &a, const Stride &b) { return a.position != b.position; }

// A range of numbers whose end has a type of its own.
struct Numbers {
  int from, to;
  struct End {
    int to;
  };
  struct Iterator {
    int at;
    int operator*() const { return at; }
    Iterator &operator++() { return ++at, *this; }
    Iterator &operator+=(int n) { return at += n, *this; }
    friend bool operator!=(Iterator a, End b) { return a.at != b.to; }
    [[maybe_unused]] friend int operator-(End b, Iterator a) { return b.to - a.at; }
  };
  Iterator begin() const { return {from}; }
  End end() const { return {to}; }
};

// A number, with distances of more bits.
struct Wide {
  long at;
  long operator*() const { return at; }
  Wide &operator++() { return ++at, *this; }
  Wide &operator+=(__int128 n) { return at += long(n), *this; }
  Wide &operator-=(__int128 n) { return at -= long(n), *this; }
  friend bool operator!=(const Wide &a, const Wide &b) { return a.at != b.at; }
  friend bool operator>(const Wide &a, const Wide &b) { return a.at > b.at; }
  [[maybe_unused]] friend __int128 operator-(const Wide &a, const Wide &b) { return __int128(a.at) - b.at; }
};

long square(long n) { return n * n; }

template <class Container> Checksum fill(Container &container) {
  cilk_for (auto i = container.begin(); i != container.end(); ++i)
    *i = (i - container.begin()) * 3 + 1;
  cilk_for (auto i = container.begin(); i < container.end(); i += 2)
    *i += 100;
  cilk_for (auto &value : container) {
    long result = cilk_spawn square(value);
    cilk_sync;
    value = result % 1000;
  }
  cilk_for (auto i = container.end(); i > container.begin() + 4; i -= 3)
    i[-1] += 7;
  return std::accumulate(container.begin(), container.end(), Checksum(), fold);
}
void both(std::vector<int> &vector, std::deque<long> &deque) {
  cilk_for (auto i = vector.rbegin(); i != vector.rend(); i++) // the end of another value each time
    *i ^= i - vector.rbegin();
  cilk_for (auto i = vector.cbegin(); vector.cend() != i; ++i) {
    if (*i % 3 == 0)
      continue;
    deque[i - vector.cbegin()] += *i;
  }
}

void others(long (&plain)[60], std::vector<std::vector<long>> &rows, std::string &text) {
#pragma cilk grainsize = 4
  cilk_for (long &value : plain)
    value = &value - plain;
  cilk_for (Stride i(plain, 0); i != Stride(plain, 20); ++i)
    *i *= 2;
  cilk_for (Stride i = Stride(plain, 19); i > Stride(plain, 3); i -= 4)
    *i += 1000;
  cilk_for (auto &row : rows)
    cilk_for (int j : Numbers{0, 11})
      row[j] = (&row - rows.data()) * 100 + j;
  cilk_for (char &c : text)
    c -= 32;
  cilk_for (Wide i{0}; i != Wide{60}; ++i)
    plain[*i] += *i;
  cilk_for (Wide i{59}; i > Wide{2}; i -= 3)
    plain[*i] *= 5;
}

// An address that is lost with the iterator: a child that reads it must be done before.
struct Owner {
  long place;
  explicit Owner(long place) : place(place) {}
  Owner(const Owner &other) : place(other.place) {}
  ~Owner() { place = -1000000; }
  Owner &operator+=(long n) { return place += n, *this; }
  Owner &operator++() { return *this += 1; }
  Owner operator++(int) {
    Owner before = *this;
    *this += 1;
    return before;
  }
};
bool operator!=(const Owner &a, const Owner &b) { return a.place != b.place; }
[[maybe_unused]] long operator-(const Owner &a, const Owner &b) { return a.place - b.place; }

// Its operators take the iterator by value, with copies and destructors.
struct ByValue : Owner {
  using Owner::Owner;
  ByValue(const ByValue &other) = default;
};
bool operator!=(ByValue a, ByValue b) { return a.place != b.place; }
#if __cplusplus >= 202002L
auto operator<=>(ByValue a, ByValue b) { return a.place <=> b.place; }
#else
bool operator<(ByValue a, ByValue b) { return a.place < b.place; }
bool operator>=(ByValue a, ByValue b) { return a.place >= b.place; }
#endif

void compared(long (&results)[60]) {
  const ByValue last(60);
  cilk_for (ByValue i(2); i < last; ++i)
    results[i.place] += 2;
  cilk_for (ByValue i(1); ByValue(58) >= i; i += 3)
    results[i.place] *= 3;
  cilk_for (ByValue i(0); i != last; ++i)
    results[i.place] -= i.place;
}

void place(const Owner &owner, long *results) { results[owner.place] += owner.place * 3; }
void lengthen(const std::string &name, long *results) { results[name.size()] += 7; }
std::vector<std::string> names(int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i)
    all.push_back(std::string(i, 'a' + i));
  return all;
}

// Variables that the loop declares have destructors: iterators, elements, the range. Increments name the variable
// twice.
template <class Range> void apart(Range &range) {
  cilk_for (auto i = range.begin(), last = range.end(); i < last; i = i + 3)
    *i += 7;
  cilk_for (auto i = range.rbegin(); i < range.rend(); i = 2 + i)
    *i ^= 5;
  if (range.size() > 2)
    cilk_for (auto i = range.end() - 1; i > range.begin(); i = i - 2)
      *i -= 1;
}

void destroyed(long (&results)[60]) {
  cilk_for (Owner i(0); i != Owner(60); ++i)
    cilk_spawn place(i, results);
  cilk_for (Owner i(1); i != Owner(59); i++) {
    cilk_spawn place(i, results);
    if (i.place % 3)
      continue;
    cilk_sync;
    results[i.place] += 5;
  }
  cilk_for (std::string name : names(50))
    cilk_spawn lengthen(name, results);
}
} // namespace

int main() {
  Checksum sum = 0;
  for (int n : {0, 1, 2, 7, 64, 500}) {
    std::vector<int> vector(n);
    std::deque<long> deque(n);
    sum = fold(fold(sum, fill(vector)), fill(deque));
    apart(vector);
    apart(deque);
    both(vector, deque);
    sum = std::accumulate(deque.begin(), deque.end(), sum, fold);
  }
  std::array<long, 61> array{};
  fill(array);
  long plain[60] = {};
  std::vector<std::vector<long>> rows(9, std::vector<long>(11));
  std::string text = "iterators";
  others(plain, rows, text);
  destroyed(plain);
  compared(plain);
  for (long value : plain)
    sum = fold(sum, value);
  for (auto &row : rows)
    sum = std::accumulate(row.begin(), row.end(), sum, fold);
  report(text.c_str(), std::accumulate(array.begin(), array.end(), sum, fold));
  return 0;
}
