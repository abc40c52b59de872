// Tests that Clang's options reach Clang unchanged and in order, and that only options that a compilation needs are added.

// RUN: %cilk2gpu -### -c -O2 -g -DA=1 -Ione -Itwo -std=c11 %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: "-cc1"
// COMPILE-SAME: "-O2" "-emit-obj"
// COMPILE-SAME: "-isystem" "{{[^"]*}}/include/cilk2gpu-rt"
// COMPILE-SAME: "-D" "A=1" "-I" "one" "-I" "two"
// COMPILE-SAME: "-std=c11"
// COMPILE-SAME: "-load" "{{[^"]*}}Cilk2GPU.so"
// COMPILE-SAME: "-fpass-plugin={{[^"]*}}Cilk2GPU.so"
// COMPILE-SAME: "-o" "{{[^"]*}}.o"
// COMPILE-NOT: cilk2gpu_rt

// Without an input the command line is Clang's alone.
// RUN: not %cilk2gpu -O2 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: clang: error: no input files
// RUN: not %cilk2gpu -c -o 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: clang: error: argument to '-o' is missing
// RUN: %cilk2gpu -dumpmachine > %t.1
// RUN: %clang -dumpmachine > %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -print-search-dirs > %t.1
// RUN: %clang -print-search-dirs > %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -print-resource-dir > %t.1
// RUN: %clang -print-resource-dir > %t.2
// RUN: diff %t.1 %t.2
// RUN: not %cilk2gpu -fno-such-option -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: clang: error: unknown argument: '-fno-such-option'

// Outputs other than objects are Clang's, too, except for the names that predefined-names.c tests.
// RUN: %cilk2gpu -E -dM -x c /dev/null | grep -v __cilk > %t.1
// RUN: %clang -E -dM -x c /dev/null > %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -E %s > %t.1
// RUN: %clang -E %s > %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -M %s > %t.1
// RUN: %clang -M %s > %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -c -MD -MF %t.1 -MT x %s -o %t.o
// RUN: %clang -c -MD -MF %t.2 -MT x %s -o %t.o
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -S -O1 %s -o %t.1
// RUN: %clang -S -O1 %s -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -S -emit-llvm -O1 %s -o %t.1
// RUN: %clang -S -emit-llvm -O1 %s -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %cilk2gpu -S -emit-llvm -x c - -o - < %s | FileCheck %s --check-prefix=STDIN
// STDIN: define{{.*}} @twice

// For sources that Clang itself compiles for GPUs, --offload-arch is Clang's own option.
// RUN: cp %s %t.hip && cp %s %t.cu
// RUN: %cilk2gpu --offload-arch=gfx1100 -nogpulib -nogpuinc -S --cuda-device-only %t.hip -o - | FileCheck %s --check-prefix=HIP
// RUN: %cilk2gpu -x hip --offload-arch=gfx1100 -nogpulib -nogpuinc -S --cuda-device-only %s -o - | FileCheck %s --check-prefix=HIP
// RUN: %cilk2gpu --cuda-gpu-arch=sm_61 -nocudalib -nocudainc -S --cuda-device-only %t.cu -o - | FileCheck %s --check-prefix=CUDA
// HIP: .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
// CUDA: .target sm_61

// No added option is reported as unused.
// RUN: %cilk2gpu -Werror -Weverything -fsyntax-only %s
// RUN: %cilk2gpu -Werror -E %s -o %t.i
// RUN: %cilk2gpu -Werror -S %s -o %t.s
// RUN: %cilk2gpu -Werror -c %t.s -o %t.o
// RUN: %cilk2gpu -Werror -shared -fPIC %s -o %t.so
// RUN: %cilk2gpu -Werror -shared %t.o -o %t.so
// RUN: not %cilk2gpu -Werror -c %s -lm -o %t.o 2>&1 | FileCheck %s --check-prefix=UNUSED
// UNUSED: clang: error: -lm: 'linker' input unused

int twice(int x);
int twice(int x) { return 2 * x; }
