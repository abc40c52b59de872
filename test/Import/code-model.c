// Tests that a module's flags survive the lowering, whatever their type: code models, branch protection, profiles.
// RUN: %clang -O1 -mcmodel=large -fplugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O1 -mcmodel=medium -mlarge-data-threshold=10 -fcf-protection -fsplit-lto-unit -flto -g -fplugin=%plugin -c -o %t.o %s
// CHECK: !"Code Model", i32 4}
int f(int n);
int g(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
