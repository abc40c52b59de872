// Tests that the IR of a program with Cilk has source locations without -g, and that none reach the object file.
// RUN: %clang -fplugin=%plugin -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fplugin=%plugin -O1 -c -o %t.o %s
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=OBJECT --implicit-check-not=debug
// OBJECT: .text
// The IR drops them once the lowering has reported its errors, unless an option asks for them.
// RUN: cilk2gpu -O1 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=LOWERED --implicit-check-not='!dbg'
// RUN: cilk2gpu -O1 -gline-tables-only -S -emit-llvm -o - %s | FileCheck %s --check-prefix=ASKED
// RUN: cilk2gpu -O2 -Rpass=inline -S -emit-llvm -o - %s 2>/dev/null | FileCheck %s --check-prefix=ASKED
// LOWERED: define {{.*}}@f.k0(
// ASKED: define {{.*}}@f.k0({{.*}} !dbg
int f(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
// CHECK: call void @__cilk2gpu_spawn_begin({{.*}}, !dbg [[SPAWN:![0-9]+]]
// CHECK: call void @__cilk2gpu_sync(){{.*}}, !dbg [[SYNC:![0-9]+]]
// CHECK: [[SPAWN]] = !DILocation(line: 13, column: 11
// CHECK: [[SYNC]] = !DILocation(line: 14, column: 3
