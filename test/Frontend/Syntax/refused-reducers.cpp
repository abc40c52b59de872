// Tests that reducers are refused in C++ where their views would be lost.
// RUN: %clang -fplugin=%plugin -std=c++17 -I%source_dir/include -fsyntax-only -Xclang -verify %s
#include <cilk/opadd_reducer.h>

template <class T> struct box { T value; };
box<cilk::opadd_reducer<int>> in_argument; // expected-error {{a reducer must be a variable, a member or an element of an array, but this is a template argument; name the type of the view}}

struct keeps {
  int &view;
  cilk::opadd_reducer<int> sum = 0;
  keeps() : view(sum) {}
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

cilk::opadd_reducer<int> global, elements[3];
struct members {
  cilk::opadd_reducer<int> sum;
  static inline int &view = global; // expected-error {{a view belongs to a strand, but 'view' has static storage, so all strands would share the view to which it is bound; use the reducer itself, or a local reference}}
} object;

int &outside = global; // expected-error {{but 'outside' is declared outside of functions, so all strands would share the view}}
int *const pointed = &object.sum; // expected-error {{but 'pointed' is declared outside of functions}}
thread_local int &of_thread = global; // expected-error {{but 'of_thread' has thread storage, so later strands of the thread would share the view}}
static int *listed[] = {nullptr, &global}; // expected-error {{but 'listed' is declared outside of functions}}
struct Holding {
  int number, *view;
};
Holding holding = {1, &global}; // expected-error {{but 'holding' is declared outside of functions}}
template <class T> T &in_template = global; // expected-error {{but 'in_template<int>' is declared outside of functions}}
int take(int (&array)[3]);

int g(bool is_first) {
  static int &kept = is_first ? global : elements[1]; // expected-error {{but 'kept' has static storage}}
  constexpr int &constant = global; // expected-error {{but 'constant' is constexpr, and strands find their views at run time: no strand would have the view}}
  static cilk::opadd_reducer<int> &reducer = global;
  int &view = global;
  auto uses = [&] { return view; }; // expected-error {{a lambda does not capture a reference to a global variable, but this reference is bound to a view; capture it as '[&view = view]', or use the reducer itself}}
  auto captures = [&view = view] { return view; };
  auto &array = elements; // expected-error {{a reference or pointer to an array of reducers must say so in its type, but its elements have the type 'int'; write the type of the reducer, or use the array itself}}
  cilk::opadd_reducer<int>(&named)[3] = elements;
  int members::*member = &members::sum; // expected-error {{a pointer to a member does not tell that the member is a reducer}}
  return kept + constant + reducer + uses() + captures() + named[1] + object.*member + in_template<int> +
         take(elements); // expected-error {{a reference or pointer to an array of reducers must say so in its type}}
}
