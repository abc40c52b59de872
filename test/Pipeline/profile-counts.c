// Tests that profiles and coverage count the iterations of a cilk_for's body, as in the serial elision.
// RUN: rm -rf %t && mkdir %t
// RUN: %cilk2gpu -O2 -fprofile-instr-generate -fcoverage-mapping %s -o %t/run
// RUN: env LLVM_PROFILE_FILE=%t/raw CILK2GPU_WORKERS=1 %t/run
// RUN: llvm-profdata merge %t/raw -o %t/data
// RUN: llvm-cov show %t/run -instr-profile=%t/data | FileCheck %s
// RUN: llvm-cov show %t/run -instr-profile=%t/data -show-branches=count | FileCheck %s --check-prefix=BRANCH
// RUN: %cilk2gpu -O2 -Werror -Wno-profile-instr-unprofiled -fprofile-instr-use=%t/data -c %s -o %t/used.o
int v[60];
int leaf(int x) { return x > 5 ? x : 1; } // CHECK: 19|{{.*}}int leaf
int fill(int n) {
  long s = 0;
  cilk_for (int i = 0; i < n; i++) {
    if (i % 3 == 0)   // CHECK: 57|{{.*}}if (i % 3
      v[i] = leaf(i); // CHECK-NEXT: 19|
    else
      v[i] = 1; // CHECK: 38|{{.*}}v[i] = 1;
    if (i == 7)
      continue;
    ++v[i]; // CHECK: 56|{{.*}}++v[i];
  }
  for (int i = 0; i < n; i++) // CHECK: 58|
    s += v[i];                // CHECK-NEXT: 57|
  return s;                   // CHECK-NEXT: 1|
}
// BRANCH: cilk_for (
// BRANCH: Branch ({{.*}}): [True: 57, Fold
// BRANCH: if (i % 3
// BRANCH: Branch ({{.*}}): [True: 19, False: 38]
int main(void) { return fill(57) == 3; }
