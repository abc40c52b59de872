// Tests that doacross pragmas are refused if their text, sinks, sizes or loops are not as the pragma needs them.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/text.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/place.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/nest.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/sinks.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/body.c
// RUN: %clangxx -x c++ -std=c++20 -fsyntax-only -fplugin=%plugin -Xclang -verify %t/classes.cpp
// RUN: %clangxx -x c++ -std=c++20 -fsyntax-only -fplugin=%plugin -Xclang -verify %t/templates.cpp
// RUN: %clang -fsyntax-only -Wall -Wextra -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision -Xclang -verify %t/elision.c
// RUN: %clang -fsyntax-only -Xclang -verify -Wall -Dcilk_for=for %t/others.c

//--- text.c
int a[9];
void text(int n) {
#pragma cilk doacross // expected-error {{a doacross pragma must list sinks, and may list sizes of tiles, but there is no sink here; write '#pragma cilk doacross(i-1,j) (i,j-1) tile(8,64)', where each coordinate is a loop variable, plus or minus a constant}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross() // expected-error {{but this is no coordinate}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i*2) // expected-error {{but this is no coordinate}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(1+i) // expected-error {{but this is no coordinate}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1 // expected-error {{but a parenthesis is not closed}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1) tile // expected-error {{but there is no size here}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1) tile() // expected-error {{but there is no size here}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1) tiles(3) // expected-error {{but this is neither}}
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
}
//--- place.c
int a[9];
void place(int n) {
#pragma cilk doacross(i-1) // expected-error {{a doacross pragma must stand directly before a cilk_for; move it there, or remove it}}
  for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1) // expected-error {{a doacross pragma must stand directly before a cilk_for}}
#pragma cilk doacross(i-2)
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
#pragma cilk doacross(i-1) // expected-error {{a doacross pragma must stand directly before a cilk_for}}
#pragma cilk grainsize = 3
  cilk_for (int i = 0; i < n; ++i) a[i] = 1;
}
#pragma cilk doacross(i-1) // expected-error {{a doacross pragma must stand directly before a cilk_for}}
int end;
//--- nest.c
int a[9][9];
void nest(int n, int s) {
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i][j] = 1; // expected-error {{a doacross pragma whose sinks have 2 coordinates needs 2 perfectly nested cilk_for loops, but this statement, in place of loop 2, is no cilk_for; write cilk_for, or leave the coordinate out of all sinks}}
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; ++i) { // expected-error {{but other statements stand beside loop 2; move them into the body of the last loop}}
    int k = 1;
    cilk_for (int j = 0; j < n; ++j) a[i][j] = k;
  }
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; ++i) {} // expected-error {{but this statement, in place of loop 2, is no cilk_for}}
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; ++i)
#pragma cilk grainsize = 4 // expected-error {{but this pragma stands before loop 2; remove it}}
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; i += 1)
    cilk_for (int j = i; j < n; ++j) a[i][j] = 1; // expected-error {{the loops of a doacross nest must have bounds and steps that do not change in it, but those of 'j' depend on 'i'; let the loop go over the largest range, and test in the body}}
#pragma cilk doacross(i-1, j)
  cilk_for (int i = 0; i < n; i += 1)
    cilk_for (int j = 0; j < n - i; ++j) a[i][j] = 1; // expected-error {{but those of 'j' depend on 'i'}}
#pragma cilk doacross(i, j, k-1)
  cilk_for (int i = 1; i < n; i += 1)
    cilk_for (int j = 1; j < n; ++j)
      cilk_for (int k = 0; k < n; k += j) a[i][j] = 1; // expected-error {{but those of 'k' depend on 'j'}}
#pragma cilk doacross(i-1, j) // expected-error {{a loop that carries a dependence must have a constant step, but the step of 'i' is not constant; write a number, or count the iterations from 0 in steps of 1}}
  cilk_for (int i = 0; i < n; i += s)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
}
//--- sinks.c
int a[9][9];
void sinks(int n, int s) {
#pragma cilk doacross(i-1, j) (i) // expected-error {{each sink of a doacross pragma must have the same number of coordinates, one for each loop, but this sink has 1 and the first has 2; write a coordinate for each loop}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(j-1, i) // expected-error {{a sink of a doacross pragma must name the loop variables in the order of the loops, but coordinate 1 names 'j', and the variable of loop 1 is 'i'; write 'i', or 'i' plus or minus a constant}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-s, j) // expected-error {{the distance in a sink must be an integer constant, but this is none; write a number, or a constant expression}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-1.5, j) // expected-error {{requires expression of integer type}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-unknown, j) // expected-error {{undeclared identifier 'unknown'}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i, j) // expected-error {{a sink of a doacross pragma must be an earlier iteration, but this one is the iteration itself; write a sink whose first distance goes against the direction of its loop}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i, j+1) // expected-error {{a sink of a doacross pragma must be an earlier iteration, but this one is a later iteration}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-1) // expected-error {{but this one is a later iteration}}
  cilk_for (int i = n; i > 0; --i) a[i][0] = 1;
#pragma cilk doacross(i-1) // expected-warning {{a sink of a doacross pragma should be an iteration, but the variable 'i' never has this value: its step is 2; no iteration waits for the sink}}
  cilk_for (int i = 0; i < n; i += 2) a[i][0] = 1;
#pragma cilk doacross(i-1, j) tile(4, 0) // expected-error {{the size of a tile must be an integer constant above 0, but this is not above 0; write a number, or a constant expression}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-1, j) tile(s) // expected-error {{the size of a tile must be an integer constant above 0, but this is none}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
#pragma cilk doacross(i-1, j) tile(4, 4, 4) // expected-error {{a doacross pragma may give a size of tiles for each of its 2 loops, but there are 3 sizes; remove the others}}
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) a[i][j] = 1;
}
//--- body.c
int a[9];
int f(int);
int body(int n) {
#pragma cilk doacross(i-1) // expected-note 4 {{the doacross pragma is here}}
  cilk_for (int i = 0; i < n; i += 1) {
    cilk_spawn f(i);     // expected-error {{the body of a doacross nest cannot contain a spawn: an iteration ends when its body ends; call the function without the keyword, or spawn in a function that the body calls}}
    cilk_sync;           // expected-error {{cannot contain a sync: an iteration ends when its body ends; remove it}}
    cilk_scope { f(1); } // expected-error {{cannot contain a cilk_scope: an iteration ends when its body ends; move it to a function that the body calls}}
    cilk_for (int j = 0; j < n; ++j) // expected-error {{cannot contain a cilk_for: an iteration ends when its body ends; write for, or give each sink a coordinate for this loop}}
      a[i] = 1;
    if (a[i])
      break; // expected-error {{a break cannot leave the body of a cilk_for}}
    if (f(i))
      return 1; // expected-error {{a return cannot leave the body of a cilk_for}}
    ++i; // expected-error {{the loop variable of a cilk_for cannot be changed in its body}}
  }
  return 0;
}
//--- classes.cpp
template <class T> struct Iterator {
  T *at;
  friend long operator-(Iterator a, Iterator b) { return a.at - b.at; }
  Iterator &operator+=(long n) { at += n; return *this; }
  Iterator &operator++() { ++at; return *this; }
  T &operator*() const { return *at; }
  bool operator!=(Iterator other) const { return at != other.at; }
};
void classes(int *first, int *last, int (&array)[7]) {
#pragma cilk doacross(i-1)
  cilk_for (Iterator<int> i{first}; i != Iterator<int>{last}; ++i) // expected-error {{the loop variable of a doacross nest must be an integer or a pointer, but 'i' has the class type 'Iterator<int>' (not supported yet); count with an integer}}
    *i = 1;
#pragma cilk doacross(x-1) // expected-error {{a doacross pragma whose sinks have 1 coordinate needs 1 perfectly nested cilk_for loop, but loop 1 goes over a range; write 'cilk_for (int i = first; i < last; ++i)'}}
  cilk_for (int &x : array)
    x = 1;
}
//--- templates.cpp
template <int D> void sinks(int *a, int n) {
#pragma cilk doacross(i-D) // expected-error {{a sink of a doacross pragma must be an earlier iteration, but this one is the iteration itself}}
  cilk_for (int i = 0; i < n; ++i)
    a[i] = 1;
}
void all(int *a) {
  sinks<1>(a, 3);
  sinks<0>(a, 3);
}
//--- elision.c
// expected-no-diagnostics
#ifdef __cilk2gpu_depend__
#error "the pragma has no effect here"
#endif
int a[9];
void elision(int n) {
#pragma cilk doacross(i-1)
  cilk_for (int i = 1; i < n; ++i) a[i] = a[i - 1];
#pragma cilk doacross nothing of this is read
  cilk_for (int i = 1; i < n; ++i) a[i] = a[i - 1];
}
//--- others.c
int a[9];
void others(int n) {
#pragma cilk doacross(i-1) // expected-warning {{unknown pragma ignored}}
  cilk_for (int i = 1; i < n; ++i) a[i] = a[i - 1];
}
