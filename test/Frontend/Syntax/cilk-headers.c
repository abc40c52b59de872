// Tests that uses of pedigrees are refused with a remedy, and that <cilk/cilk_stub.h> leaves the serial elision to every
// compiler.
// RUN: %clang -fplugin=%plugin -isystem %source_dir/include -fsyntax-only -Xclang -verify %s
// RUN: %clang -isystem %source_dir/include -DSTUB -Werror -fsyntax-only %s
#ifdef STUB
#include <cilk/cilk_stub.h>
#else
#include <cilk/cilk_api.h>
#endif
int f(int n) {
  int x = cilk_spawn f(n - 1);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
  cilk_sync;
#ifndef STUB
  x += __cilkrts_get_pedigree().rank; // expected-error {{'__cilkrts_get_pedigree' is unavailable: pedigrees are not supported; number the tasks with an argument of your own}}
  // expected-note@* {{has been explicitly marked unavailable here}}
  __cilkrts_init_dprng(1); // expected-error {{'__cilkrts_init_dprng' is unavailable: pedigrees are not supported}}
  // expected-note@* {{has been explicitly marked unavailable here}}
  x += __cilkrts_dprand(); // expected-error {{'__cilkrts_dprand' is unavailable: pedigrees are not supported}}
  // expected-note@* {{has been explicitly marked unavailable here}}
#endif
  return x;
}
