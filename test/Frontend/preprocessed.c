// Tests that preprocessed text and -save-temps compile to the same module as the source.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -E %s -o %t/c.i
// RUN: %clang -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %t/c.i | FileCheck %s
// RUN: %clang -E -P %s -o %t/plain.i
// RUN: %clang -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %t/plain.i | FileCheck %s
// RUN: %clangxx -x c++ -E %s -o %t/cc.ii
// RUN: %clangxx -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %t/cc.ii | FileCheck %s
#define SPAWN cilk_spawn
#ifdef __cplusplus
extern "C"
#endif
int f(int n) {
  int x = SPAWN f(n);
  cilk_sync;
  return x;
}
// CHECK: define {{.*}} @f(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK: call void @__cilk2gpu_sync()
