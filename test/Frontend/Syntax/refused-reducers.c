// Tests that reducers are refused where they are declared, and headers of other Cilks where they are included.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -fplugin=%plugin -fsyntax-only -Xclang -verify %t/hyperobject.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -Xclang -verify %t/reducer.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -I%source_dir/include -Xclang -verify %t/header.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -Xclang -verify %t/tool.c
// RUN: %clang -fplugin=%plugin -fsyntax-only -I%t/own -Xclang -verify %t/own.c

//--- hyperobject.c
void zero(void *v);
void add(void *l, void *r);
long f(int n) {
  long _Hyperobject(zero, add) sum = 0; // expected-error {{a reducer ('_Hyperobject') is not supported yet; give each spawned call a result of its own and combine them after the sync, or use an atomic}}
  return sum;
}
//--- reducer.c
void zero(void *v);
void add(void *l, void *r);
long cilk_reducer(zero, add) sum; // expected-error {{a reducer ('cilk_reducer') is not supported}}
//--- header.c
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h> // expected-error {{cilk2gpu has <cilk/cilk.h> and <cilk/cilk_api.h> only, but this includes 'cilk/reducer_opadd.h'; remove the #include, and use results of spawned calls, or atomics, in place of reducers}}
//--- tool.c
#include <cilk/cilkscale.h> // expected-error {{this includes 'cilk/cilkscale.h'; remove the #include, and uses of its declarations}}
//--- own.c
// expected-no-diagnostics
#include <cilk/own.h>
int f(int n) { return OWN + n; }
//--- own/cilk/own.h
#define OWN 3
