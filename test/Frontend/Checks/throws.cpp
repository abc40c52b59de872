// Tests that Cilk functions may throw, and that their handlers may spawn and sync, unless code for GPUs is made.
// RUN: %clangxx -std=c++20 -fexceptions -fsyntax-only -fplugin=%plugin -Xclang -verify %s
// RUN: not %clangxx -std=c++20 -fexceptions -fsyntax-only -fplugin=%plugin -fplugin-arg-cilk2gpu-device %s 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++20 -fexceptions -fsyntax-only -fplugin=%plugin -fplugin-arg-cilk2gpu-strand-hooks -Xclang -verify %s
// expected-no-diagnostics
int f(int);

int throws(int n) {
  if (n < 0)
    throw n; // CHECK: [[@LINE]]:5: error: a function with spawn or sync cannot throw
  cilk_spawn f(n);
  return 0;
}

int handles(int n) {
  try { // CHECK: [[@LINE]]:3: error: the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope
    f(n);
  } catch (...) {
    cilk_spawn f(n);
    cilk_sync;
    cilk_for(int i = 0; i < n; ++i) f(i);
    throw;
  }
  return 0;
}

int functionTry(int n) try {
  cilk_spawn f(n);
  return 1;
} catch (...) {
  cilk_spawn f(n);
  return 0;
}
