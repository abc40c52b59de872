// Tests that callees that cannot be spawned are refused, in C.
// RUN: %clang -std=gnu17 -Wno-deprecated-non-prototype -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
#include <alloca.h>
int f(int);
int printf(const char *, ...);
double sin(double);
void variadic(int, ...);
int unprototyped();
_Noreturn void stop(int);
__attribute__((noreturn)) void (*stopper)(int);
struct S { int (*pointer)(int); };

void callees(int n, int (*p)(int), struct S *s, int (*variable)(int, ...), int (*untyped)()) {
  cilk_spawn n; // expected-warning {{unused}}
  n = cilk_spawn n; // expected-error {{a spawn must be a call of a function, but this is an expression of type 'int'; write 'cilk_spawn f(arguments)'}}
  n = cilk_spawn f; // expected-error {{incompatible pointer to integer conversion}} \
                    // expected-error {{a spawn must be a call of a function, but this is an expression of type 'int (int)'}}
  cilk_spawn printf("x");
  double d = cilk_spawn sin(1);
  cilk_spawn __builtin_trap(); // expected-error {{the builtin function '__builtin_trap' cannot be spawned; spawn a function of your own that calls it}}
  n = cilk_spawn __builtin_abs(n);
  s = cilk_spawn alloca(8); // expected-error {{the builtin function '__builtin_alloca' cannot be spawned}}
  cilk_spawn variadic(1, 2);
  cilk_spawn unprototyped(1); // expected-error {{'unprototyped' is spawned but declared without a prototype; declare its parameter types}}
  cilk_spawn unprototyped(); // expected-error {{'unprototyped' is spawned but declared without a prototype}}
  cilk_spawn stop(1); // expected-error {{a spawned call must return, but this function never returns; write the call without 'cilk_spawn', or spawn a function that may return}}
  cilk_spawn stopper(1); // expected-error {{a spawned call must return}}
  cilk_spawn __builtin_unreachable(); // expected-error {{the builtin function '__builtin_unreachable' cannot be spawned}}
  cilk_spawn { f(1); f(2); }
  cilk_spawn p(1);
  n = cilk_spawn (*p)(1);
  n = cilk_spawn s->pointer(1);
  n = cilk_spawn variable(1, 2); // expected-error {{a spawn through a pointer needs the parameters' types, but this pointer points to a variadic function; spawn a function of your own that calls the pointer}}
  n = cilk_spawn untyped(1); // expected-error {{but this pointer points to a function without a prototype}}
  cilk_spawn (n ? f : p)(1);
  cilk_spawn undeclared(n); // expected-error {{call to undeclared function}} \
                            // expected-error {{'undeclared' is spawned but declared without a prototype}}
  (void)d;
}
