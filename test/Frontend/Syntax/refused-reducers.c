// Tests that malformed reducers are refused where they are declared or used, and headers that are not there.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -fplugin=%plugin -std=c11 -pedantic -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note \
// RUN:   %t/declarations.c
// RUN: %clang -fplugin=%plugin -std=c11 -pedantic -fsyntax-only -Xclang -verify %t/uses.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -I%source_dir/include -Xclang -verify %t/header.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -I%t/own -Xclang -verify %t/own.c

//--- declarations.c
void zero(void *v);
void add(void *l, void *r);
void one(long *v);
long cilk_reducer plain; // expected-error {{a reducer names the functions that make and merge its views, but no '(' follows this 'cilk_reducer'; write 'cilk_reducer(identity, reduce)'}} expected-error {{}}
long cilk_reducer(zero) few; // expected-error {{too few arguments to function call, expected 2, have 1}}
long cilk_reducer(add, zero) swapped; // expected-error {{incompatible function pointer types passing 'void (void *, void *)' to parameter of type 'void (*)(void *)'}} expected-error {{incompatible function pointer types passing 'void (void *)'}}
long cilk_reducer(one, add) typed; // expected-error {{incompatible function pointer types passing 'void (long *)'}}
const long cilk_reducer(zero, add) constant = 3; // expected-error {{the view of a reducer must be an object that can be made at run time, but its type 'const long' is const or volatile; remove the qualifier}}
struct later cilk_reducer(zero, add) incomplete; // expected-error {{its type 'struct later' is incomplete; include the definition of the type}} expected-error {{tentative definition}}
struct inner { long cilk_reducer(zero, add) sum; };
struct inner cilk_reducer(zero, add) nested; // expected-error {{a type that contains a reducer; remove one of both}}
union either { int i; long cilk_reducer(zero, add) sum; }; // expected-error {{a union with a reducer; use a struct}}
_Thread_local long cilk_reducer(zero, add) local; // expected-error {{a thread-local variable; remove 'thread_local'}}
extern long other; // expected-note {{declared before here}}
extern long cilk_reducer(zero, add) other; // expected-error {{all declarations of a variable must agree whether it is a reducer, but this declaration of 'other' is a reducer; remove 'cilk_reducer(...)'}}
void parameter(long cilk_reducer(zero, add) sum); // expected-error {{a reducer must be a variable, a member or an element of an array, but this is a parameter; pass a reference or a pointer to the reducer}}
void record(struct inner sum); // expected-error {{but this is a parameter}}
long cilk_reducer(zero, add) listed_sum; static long *listed[] = {&listed_sum}; // expected-error {{but 'listed' is declared outside of functions, so all strands would share the view}}
long cilk_reducer(zero, add) result(void); // expected-error {{but this is the result of a function}}
//--- uses.c
void zero(void *v);
void add(void *l, void *r);
typedef long cilk_reducer(zero, add) sum;
long cilk_reducer(0, add) null;
long get(int n);
void by_view(long *view);
void by_reducer(sum *reducer);
long f(sum *p, int n) {
  sum x = 0, y = 0;
  by_view(&x);
  by_view(__builtin_addressof(x)); // expected-error {{a pointer to a reducer does not point to a view, but it becomes a pointer to 'long' here; write '&*' before it for the view of this strand, or convert it explicitly}}
  by_view((long *)__builtin_addressof(x));
  by_view(p); // expected-error {{a pointer to a reducer does not point to a view}}
  by_view(&*p);
  by_reducer(&x); // expected-error {{a pointer to a reducer must hold the reducer's own address, but '&' gives the address of a view; write '__builtin_addressof(...)'}}
  by_reducer(__builtin_addressof(x));
  sum *q = &y; // expected-error {{must hold the reducer's own address}}
  q = &x; // expected-error {{must hold the reducer's own address}}
  x += cilk_spawn get(n); // expected-error {{a spawn's result cannot go to a reducer, because the parent's view may change before the child ends; assign it to a variable, sync, and update the reducer, or update the reducer in the child}}
  cilk_sync;
  null += 1; // expected-error@4 {{a reducer needs a function that makes a view, but this is a null pointer; name a function of type 'void (void *)'}}
  return x + *q;
}
//--- header.c
#include <cilk/cilk.h>
#include <cilk/reducer_unknown.h> // expected-error {{cilk2gpu has no header 'cilk/reducer_unknown.h'; remove the #include, and uses of its declarations}}
//--- own.c
// expected-no-diagnostics
#include <cilk/own.h>
int f(int n) { return OWN + n; }
//--- own/cilk/own.h
#define OWN 3
