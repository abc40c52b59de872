// Tests that a grainsize pragma is refused if it is no integer, or does not stand before a cilk_for. Other pragmas stay
// unchanged.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/values.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/loop.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/return.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/twice.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/global.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/macros.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify -Wunknown-pragmas %t/others.c

//--- values.c
int f(int);
void values(int n, __int128 big) {
#pragma cilk grainsize = // expected-error {{a grain size must be an integer of at most 64 bits; write '#pragma cilk grainsize = iterations'}}
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize = 3) // expected-error {{a grain size must be an integer}}
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize = 3.5 // expected-error {{requires expression of integer type}}
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize = unknown // expected-error {{undeclared identifier 'unknown'}}
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize = big // expected-error {{a grain size must be an integer}}
  cilk_for (int i = 0; i < n; ++i) f(i);
}
//--- loop.c
int f(int);
void loop(int n) {
#pragma cilk grainsize = 3 // expected-error {{a grainsize pragma must stand directly before a cilk_for; move it there, or remove it}}
  for (int i = 0; i < n; ++i) f(i);
  undeclared; // expected-error {{undeclared identifier}}
}
//--- return.c
int returns(int n) {
#pragma grainsize 3 // expected-error {{a grainsize pragma must stand directly before a cilk_for}}
  return n;
}
//--- twice.c
int f(int);
void twice(int n) {
#pragma cilk grainsize = 3 // expected-error {{a grainsize pragma must stand directly before a cilk_for}}
#pragma cilk grainsize = 4
  cilk_for (int i = 0; i < n; ++i) f(i);
}
//--- others.c
#pragma cilk other // expected-warning {{a pragma after '#pragma cilk' must be 'grainsize', 'doacross' or 'depend', but this one is 'other', which has no effect; correct its name, or remove it}}
#pragma something grainsize = 3 // expected-warning {{unknown pragma ignored}}
//--- global.c
#pragma cilk grainsize = 3 // expected-error {{a grainsize pragma must stand directly before a cilk_for}}
int outside;
//--- macros.c
#define LOOP cilk_for
#define NOLOOP for
#define GRAIN(n) (n * 2)
int f(int);
void macros(int n) {
#pragma cilk grainsize = GRAIN(2)
  // between
  LOOP (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize = GRAIN(2)
#ifdef LOOP
  _Cilk_for (int i = 0; i < n; ++i) f(i);
#endif
#pragma cilk grainsize = GRAIN(2) // expected-error {{a grainsize pragma must stand directly before a cilk_for}}
  NOLOOP (int i = 0; i < n; ++i) f(i);
  _Pragma("cilk grainsize = 3") // expected-error {{a grainsize pragma must stand directly before a cilk_for}}
  f(n);
}
