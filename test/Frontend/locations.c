// Tests that source locations are in the IR without -g where a program uses Cilk, and that none reach the object file.
// RUN: %clang -fplugin=%plugin -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fplugin=%plugin -O1 -Xclang -disable-llvm-passes -c -o %t.o %s
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=OBJECT --implicit-check-not=debug
// OBJECT: .text
int f(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
// CHECK: call void @__cilk2gpu_spawn_begin({{.*}}, !dbg [[SPAWN:![0-9]+]]
// CHECK: call void @__cilk2gpu_sync(){{.*}}, !dbg [[SYNC:![0-9]+]]
// CHECK: [[SPAWN]] = !DILocation(line: 7, column: 11
// CHECK: [[SYNC]] = !DILocation(line: 8, column: 3
