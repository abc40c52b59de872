// Tests that uses of pedigrees without their option are refused with a remedy, and that <cilk/cilk_stub.h> leaves the
// serial elision to every compiler.
// RUN: %clang -fplugin=%plugin -isystem %source_dir/include -fsyntax-only -Xclang -verify %s
// RUN: %clang -fplugin=%plugin -Xclang -plugin-arg-cilk2gpu -Xclang pedigrees -isystem %source_dir/include -fsyntax-only -DWITH -Xclang -verify=with %s
// RUN: %clang -isystem %source_dir/include -DSTUB -Werror -fsyntax-only %s
#ifdef STUB
#include <cilk/cilk_stub.h>
#elif defined WITH
#include <cilk/cilk.h>
#else
#include <cilk/cilk_api.h>
#endif
int f(int n) {
  int x = cilk_spawn f(n - 1);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
  cilk_sync;
#ifdef WITH
  _Static_assert(_Generic(__cilkrts_get_dprand(), __UINT64_TYPE__: 1, default: 0), "the type of OpenCilk");
#endif
#ifndef STUB
  x += __cilkrts_get_pedigree().rank; // expected-error {{'__cilkrts_get_pedigree' is unavailable: strands know no pedigrees here; compile all files of the program with -fcilk-pedigrees}}
  // expected-note@* {{has been explicitly marked unavailable here}}
  __cilkrts_init_dprng(); // expected-error {{'__cilkrts_init_dprng' is unavailable: strands know no pedigrees here}}
  // expected-note@* {{has been explicitly marked unavailable here}}
  x += __cilkrts_get_dprand(); // expected-error {{'__cilkrts_get_dprand' is unavailable: strands know no pedigrees here}}
  // expected-note@* {{has been explicitly marked unavailable here}}
  __cilkrts_bump_loop_rank(); // expected-error {{'__cilkrts_bump_loop_rank' is unavailable: it is not supported; use __cilkrts_bump_worker_rank}} with-error {{'__cilkrts_bump_loop_rank' is unavailable: it is not supported}}
  // expected-note@* {{has been explicitly marked unavailable here}} with-note@* {{has been explicitly marked unavailable here}}
  __cilkrts_get_pedigree_info(&x, 0); // expected-error {{'__cilkrts_get_pedigree_info' is unavailable: it is not supported; use __cilkrts_get_pedigree}} with-error {{'__cilkrts_get_pedigree_info' is unavailable: it is not supported}}
  // expected-note@* {{has been explicitly marked unavailable here}} with-note@* {{has been explicitly marked unavailable here}}
#endif
  return x;
}
