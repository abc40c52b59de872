// Tests options that instrument code, or change how it is generated and linked, with spawns and loops. Some are in macros, where
// -fcoverage-mapping shows the plugin every token.
// DEFINE: %{run} = %cilk2gpu -Wall -Werror -O1 %s -o %t
// RUN: %{run} -fprofile-instr-generate -fcoverage-mapping && env LLVM_PROFILE_FILE=%t.profraw %t | FileCheck %s
// RUN: rm -rf %t.gcov && mkdir %t.gcov && cd %t.gcov
// RUN: %cilk2gpu -O1 --coverage %s -o coverage && ./coverage | FileCheck %s && ls | FileCheck %s --check-prefix=COVERAGE
// COVERAGE-DAG: .gcno
// COVERAGE-DAG: .gcda
// RUN: %{run} -fsanitize=address,undefined -fno-sanitize-recover=all -g && %t | FileCheck %s
// RUN: %{run} -fsanitize=thread -g && env CILK2GPU_WORKERS=1 %t | FileCheck %s
// RUN: %{run} -pg && env GMON_OUT_PREFIX=%t.gmon %t | FileCheck %s
// RUN: %{run} -ftrivial-auto-var-init=pattern -fstack-protector-all && %t | FileCheck %s
// RUN: %{run} -finstrument-functions -DHOOKS && %t | FileCheck %s
// RUN: %{run} -flto -fuse-ld=lld && %t | FileCheck %s
// RUN: %{run} -flto=thin -fuse-ld=lld && %t | FileCheck %s
// RUN: %{run} -Oz -ffast-math -march=native && %t | FileCheck %s
// RUN: %{run} -static && %t | FileCheck %s
// RUN: %{run} -mcmodel=large && %t | FileCheck %s
// RUN: %{run} -O2 -mcmodel=large && %t | FileCheck %s
// RUN: %{run} -O2 -mcmodel=large --offload-arch=gpu-host && env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: %{run} -O2 -flto -fuse-ld=lld --offload-arch=sm_90 && env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: %{run} -O2 -fprofile-instr-generate -fcoverage-mapping --offload-arch=gpu-host && env LLVM_PROFILE_FILE=%t.profraw CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: %{run} -O1 -fsanitize=address,undefined --offload-arch=gpu-host && env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: %cilk2gpu -O1 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %{run} -DPROGRAM %t.so && %t | FileCheck %s
// RUN: not %cilk2gpu -m32 -c -DLIBRARY %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: a program with spawn or sync needs a processor with 64-bit pointers, but the target is 'i386-{{.*}}'; choose another target, or remove -m32
#define TREE(name, spawn)                                                                                              \
  long name(int n) {                                                                                                   \
    if (n < 2)                                                                                                         \
      return n;                                                                                                        \
    long a = spawn name(n - 1), b = cilk_spawn name(n - 2);                                                            \
    cilk_sync;                                                                                                         \
    return a + b;                                                                                                      \
  }
#define UNUSED(name) cilk_spawn name(1)

#ifdef HOOKS
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *caller) {}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *caller) {}
#endif
long tree(int n);
#ifndef PROGRAM
TREE(tree, cilk_spawn)
#endif
#ifndef LIBRARY
int printf(const char *, ...);

int main(void) {
  long sum = 0, out[100];
  cilk_for (int i = 0; i < 100; ++i) {
    int scale[i + 1];
    scale[i] = i;
    out[i] = scale[i] * 2;
  }
  for (int i = 0; i < 100; ++i)
    sum += out[i];
  long found = cilk_spawn tree(15);
  cilk_sync;
  printf("%ld %ld\n", found, sum);
}
#endif
// CHECK: 610 9900
