// Tests that reducers are refused in C++ where their views would be lost.
// RUN: %clang -fplugin=%plugin -std=c++17 -I%source_dir/include -fsyntax-only -Xclang -verify %s
#include <cilk/opadd_reducer.h>

template <class T> struct box { T value; };
box<cilk::opadd_reducer<int>> in_argument; // expected-error {{a reducer must be a variable, a member or an element of an array, but this is a template argument; name the type of the view}}

struct keeps {
  int &view;
  cilk::opadd_reducer<int> sum = 0;
  keeps() : view(sum) {} // expected-error {{a reference member must be initialized}}
};

int f(int plain) {
  cilk::opadd_reducer<int> sum = 0;
  auto copy = [sum] { return sum; }; // expected-error {{but this is a copy in a lambda; capture it by reference}}
  auto pointer = __builtin_addressof(sum); // expected-error {{a pointer to a reducer must have a type that is written down, but the type of 'pointer' is deduced; write the type in place of 'auto'}}
  auto *view = &sum;
  auto &reference = sum;
  cilk::opadd_reducer<int> &other = plain; // expected-error {{a reference to a reducer must be bound to a reducer, but this is an object of the type 'int'}}
  return copy() + *view + reference + *pointer + other;
}
