// Tests that machine code without the passes that make tasks is refused, once in a file; LLVM IR is not.
// RUN: not %cilk2gpu -Xclang -disable-llvm-passes -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc
// RUN: %cilk2gpu -Xclang -disable-llvm-passes -fserial-elision -c %s -o %t.o
// CHECK: refused-lowering.c:[[@LINE+3]]:6: error: 'tree' spawns or syncs, but -disable-llvm-passes leaves out the pass that makes tasks; leave the flag out, or stop at LLVM IR with -emit-llvm
// CHECK-NOT: error:
void leaf(int n);
void tree(int n) { cilk_spawn leaf(n); }
void other(int n) { cilk_spawn leaf(n); }
