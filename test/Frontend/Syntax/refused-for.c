// Tests that a cilk_for is refused if its iterations cannot be counted before it starts, or if it would be left early.
// RUN: %clang -std=gnu23 -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
#include <alloca.h>
#include <setjmp.h>
int f(int);
typedef struct S S;
enum E { A };
enum B : bool { F };
struct Empty {};
int outer;

void variables(int n, void *v, S *s, struct Empty *e) {
  int i;
  cilk_for (i = 0; i < n; ++i) f(i);
  cilk_for (i = 0; i < n; ++i) f(++i); // expected-error {{the loop variable of a cilk_for cannot be changed in its body, but 'i' is}}
  cilk_for (outer = 0; outer < n; ++outer) f(i); // expected-error {{a cilk_for must declare its loop variable before the first ';', or assign to a local integer or pointer of the function, but this one does neither; write 'cilk_for (int i = first; i < last; ++i)'}}
  _Cilk_for (; outer < n; ++outer) f(i); // expected-error {{but this one does neither}}
  cilk_for (i = 0, n = 3; i < n; ++i) f(i); // expected-error {{but this one does neither}}
  cilk_for (int i = 0, j = 1; i < n; ++i) f(j);
  cilk_for (int i = 0, j = i + 1; i < j; ++i) f(j); // expected-error {{but this one declares other variables that refer to it}}
  cilk_for (int i = 0, j = n; i < j; ++i, --j) f(j); // expected-error {{the increment of a cilk_for must change its loop variable 'i'}}
  cilk_for (double x = 0; x < n; ++x) f(1); // expected-error {{the loop variable of a cilk_for must be an integer of at most 64 bits (no bool, and in C++ no enumeration), a pointer to objects of constant size, or an iterator of class type, but 'x' has type 'double' (not supported yet); count with an integer and use it in the body}}
  cilk_for (_Bool b = 0; b < n; ++b) f(1); // expected-error {{but 'b' has type 'bool'}}
  cilk_for (enum E e = A; e < n; ++e) f(1);
  cilk_for (enum B e = F; e < n; ++e) f(1); // expected-error {{but 'e' has type 'enum B'}}
  cilk_for (__int128 b = 0; b < n; ++b) f(1); // expected-error {{but 'b' has type '__int128'}}
  cilk_for (_BitInt(30) b = 0; b < n; ++b) f(1);
  cilk_for (_BitInt(65) b = 0; b < n; ++b) f(1); // expected-error {{but 'b' has type '_BitInt(65)'}}
  cilk_for (int(*p)[n] = v; p < (int(*)[n])v; ++p) f(1); // expected-error {{but 'p' has type 'int (*)[n]'}}
  cilk_for (void *p = v; p < v; ++p) f(1); // expected-error {{but 'p' has type 'void *'}}
  cilk_for (struct Empty *p = e; p < e; ++p) f(1); // expected-error {{but 'p' has type 'struct Empty *'}}
  cilk_for (int j; j < n; ++j) f(1); // expected-error {{the loop variable of a cilk_for must have an initial value, but 'j' has none; write the first value after its name}}
  cilk_for (int j = j; j < n; ++j) f(1); // expected-error {{but 'j' refers to itself}}
}
void conditions(int n, int *a, double d, __int128 big) {
  cilk_for (int j = 0; ; ++j) f(1); // expected-error {{the condition of a cilk_for must compare its loop variable 'j' with a bound by <, <=, >, >= or !=, but there is none; compute the bound before the loop and write the comparison}}
  cilk_for (int j = 0; j; ++j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; n; ++j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; outer < n; ++j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < n && n; ++j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j == n; ++j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < d; ++j) f(1); // expected-error {{but this bound is no integer of at most 64 bits and no pointer to the same type}}
  cilk_for (int j = 0; j < big; ++j) f(1); // expected-error {{but this bound is no integer}}
  cilk_for (int j = 0; j < n + j; ++j) f(1); // expected-error {{but this bound refers to the loop variable}}
}
void steps(int n, double d, __int128 big) {
  cilk_for (int j = 0; j < n;) f(1); // expected-error {{the increment of a cilk_for must change its loop variable 'j' by ++, --, += or -=, but there is none; write a for loop if the number of iterations is not known before the loop}}
  cilk_for (int j = 0; j < n; j *= 2) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < n; j = 1 - j) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < n; ++n) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < n; ++j, ++n) f(1); // expected-error {{but this is another expression}}
  cilk_for (int j = 0; j < n; j += j) f(1); // expected-error {{but this step refers to the loop variable}}
  cilk_for (int j = 0; j < n; j += d) f(1); // expected-error {{but this step is no integer of at most 64 bits}}
  cilk_for (int j = 0; j < n; j += big) f(1); // expected-error {{but this step is no integer}}
  cilk_for (int j = 0; n; j *= 2) f(1); // expected-error {{the condition of a cilk_for}} expected-error {{the increment of a cilk_for}}
  cilk_for (int j = cilk_spawn f(1); j < n; ++j) f(1); // expected-error {{part of a condition or loop header}}
  cilk_for (int j = 0; j < cilk_spawn f(1); ++j) f(1); // expected-error {{part of a condition or loop header}}
}
void ends(int n, unsigned u, int *a) {
  enum { Three = 3 };
  cilk_for (int j = 0; j < 10; j--) f(1); // expected-error {{a cilk_for must reach its bound, but 'j' goes away from it; write a step that reaches the bound, or a for loop}}
  cilk_for (int j = 0; j < 10; j += 0) f(1); // expected-error {{but 'j' has a step of 0}}
  cilk_for (int j = n; j != u; j -= Three - 3) f(1); // expected-error {{but 'j' has a step of 0}}
  cilk_for (int j = n; j >= 0; ++j) f(1); // expected-error {{but 'j' goes away from it}}
  cilk_for (unsigned j = u - 1; j < u; j--) f(1); // expected-error {{but 'j' goes away from it}}
  cilk_for (int *p = a; p > a - n; p += Three) f(1); // expected-error {{but 'p' goes away from it}}
  cilk_for (int j = 0; j != 10; j += Three) f(1); // expected-error {{but 'j' passes over it}}
  cilk_for (int j = 0; j != 10; --j) f(1); // expected-error {{but 'j' goes away from it}}
  cilk_for (unsigned char j = 0; j != 257; ++j) f(1); // expected-warning {{always true}} expected-error {{but 'j' wraps around before}}
  cilk_for (unsigned j = 0; j < 0xFFFFFFFFu; j += 0x80000000u) f(1); // expected-error {{a cilk_for must reach its bound, but 'j' wraps around before; write a step that reaches the bound, or a for loop}}
  cilk_for (short j = 32760; j < 32767; j += 2) f(1); // expected-error {{but 'j' wraps around before}}
  cilk_for (unsigned long j = 0xFFFFFFFFFFFFFFFA; j < 0xFFFFFFFFFFFFFFFE; j += 3) f(1); // expected-error {{but 'j' wraps around before}}
  cilk_for (long j = 0x7FFFFFFFFFFFFFFA; j <= 0x7FFFFFFFFFFFFFFF; ++j) f(1); // expected-error {{but 'j' wraps around before}}
  cilk_for (unsigned char j = 0; j <= 255; ++j) f(1); // expected-warning 0-1 {{}} expected-error {{but 'j' wraps around before}}
  cilk_for (unsigned j = 5; j > 3; j -= 7) f(1); // expected-error {{but 'j' wraps around before}}
  cilk_for (unsigned j = 5; j >= 0; --j) f(1); // expected-warning 0-1 {{}} expected-error {{but 'j' wraps around before}}
  cilk_for (short j = 0; j < 40000u; j += 1000) f(1); // expected-warning 0-1 {{}} expected-error {{but 'j' wraps around before}}
  cilk_for (short j = 32760; j < 32767; ++j) f(1);
  cilk_for (short j = 32760; j <= 32765; j += 2) f(1);
  cilk_for (unsigned j = 0; j < 0xFFFFFFFFu; ++j) f(1);
  cilk_for (unsigned j = 9; j > 0; --j) f(1);
  cilk_for (int j = 0; j < 3000000000u; j += 1000000000) f(1); // expected-warning 0-1 {{}}
  cilk_for (int j = 10; j < 10; j--) f(1); // never begins
  cilk_for (int j = 3; j > 3; j += 0) f(1);
  cilk_for (int j = 0; j >= 1; ++j) f(1);
  cilk_for (int j = n; j != 0; --j) f(1);
  cilk_for (int j = 0; j != 9; j += Three) f(1);
  cilk_for (int j = 9; j != 0; j -= Three) f(1);
  cilk_for (unsigned j = 9; j > 0; j += -1) f(1);
  cilk_for (int j = n; j <= Three; j += n) f(1);
  cilk_for (int j = -1; j < 4u; ++j) f(1); // expected-warning 0-1 {{}}
}
int jumps(int n) {
  cilk_for (int j = 0; j < n; ++j) { if (j == 3) break; } // expected-error {{a break cannot leave the body of a cilk_for: other iterations may be running; set a variable and test it after the loop}}
  cilk_for (int j = 0; j < n; ++j) {
    if (j == 3) return 1; // expected-error {{a return cannot leave the body of a cilk_for}}
    cilk_for (int k = 0; k < n; ++k) return 2; // expected-error {{a return cannot leave the body of a cilk_for}}
  }
  cilk_for (int j = 0; j < n; ++j) { if (j == 3) goto out; } // expected-error {{a goto cannot leave the body of a cilk_for}}
  cilk_for (int j = 0; j < n; ++j) { n = ({ break; 3; }); } // expected-error {{a break cannot leave the body of a cilk_for}}
  if (n == 4) goto inside; // expected-error {{a jump cannot enter the body of a cilk_for; move the label out of the loop}}
  cilk_for (int j = 0; j < n; ++j) { inside: f(j); }
  switch (n) { cilk_for (int j = 0; j < n; ++j) { case 4: f(j); } } // expected-error {{a jump cannot enter the body of a cilk_for}}
  cilk_for (int j = 0; j < n; ++j) { j++; } // expected-error {{the loop variable of a cilk_for cannot be changed in its body, but 'j' is; use a copy of it}}
  cilk_for (int j = 0; j < n; ++j) { f(j = 3); } // expected-error {{cannot be changed in its body, but 'j' is}}
  n = ({ cilk_for (int j = 0; j < n; ++j) f(j); 3; }); // expected-error {{a cilk_for cannot stand in a statement expression (not supported yet); write it as a statement of the function}}
out:
  return 0;
}
jmp_buf buffer;
int main(int argc, char **argv) { // main may do this, an iteration may not
  int outside[argc];
  outside[0] = setjmp(buffer);
  cilk_for (int i = 0; i < argc; ++i) {
    int board[argc];
    board[0] = setjmp(buffer); // expected-error {{cannot call a function that returns twice}}
    board[0] = *(int *)alloca(i);
    outside[i] = board[0];
  }
  return outside[0];
}
