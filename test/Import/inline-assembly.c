// Tests inline assembly in tasks. Assembly that may write memory has effects, also if it is not volatile. Assembly that cannot
// write memory has none.
// RUN: cilk2gpu --target=x86_64-linux-gnu -O0 --emit=cilk %s | FileCheck %s
// RUN: cilk2gpu --target=x86_64-linux-gnu -O0 --emit=llvm %s -o - | FileCheck %s --check-prefix=LLVM
int leaf(int);

// CHECK-LABEL: llvm.func @tree(
// CHECK: llvm.inline_asm has_side_effects {{.*}}"addl $$5, $0"
// CHECK: llvm.inline_asm has_side_effects {{.*}}"incl ($0)"
// CHECK: llvm.inline_asm has_side_effects {{.*}}"movl $1, $0"
// CHECK: llvm.inline_asm asm_dialect {{.*}}"bswap $0"
// LLVM: call i32 asm "bswap $0", {{.*}} #[[FREE:[0-9]+]]
// LLVM: attributes #[[FREE]] = { nounwind memory(none)
int tree(int n, int *place) {
  int read;
  __asm__("addl $5, %0" : "+m"(*place));
  __asm__("incl (%0)" : : "r"(place) : "memory");
  __asm__("movl %1, %0" : "=r"(read) : "m"(*place));
  __asm__("bswap %0" : "+r"(n));
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x + read;
}
