// Tests the names that programs ask for, in a compilation, in a preprocessing step of its own, and in the intermediate
// files of -save-temps. The serial elision has none of them but its own.
// RUN: %cilk2gpu -Werror -DSIDE=1 -fsyntax-only %s
// RUN: %cilk2gpuxx -Werror -DSIDE=1 -x c++ -fsyntax-only %s
// RUN: %cilk2gpu -Werror -DSIDE=2 -fserial-elision -fsyntax-only %s
// RUN: %cilk2gpu -Werror -DSIDE=1 -E %s | FileCheck %s --check-prefix=TEXT
// RUN: %cilk2gpu -Werror -DSIDE=2 -fserial-elision -E %s | FileCheck %s --check-prefix=TEXT
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -Werror -DSIDE=1 -save-temps -c %s -o %t/a.o
// RUN: FileCheck %s --check-prefix=TEXT < %t/predefined-names.i
// RUN: %cilk2gpu -Werror -DSIDE=1 -MD -MF %t/a.d -c %s -o %t/a.o
// RUN: %cilk2gpu -Werror -DSIDE=1 -M %s | FileCheck %s --check-prefix=DEPENDENCIES
// RUN: %clang -DSIDE=3 -fsyntax-only %s
// RUN: %cilk2gpu -E -dM -x c /dev/null | FileCheck %s --check-prefix=ALL
// ALL-DAG: #define __cilk 300
// ALL-DAG: #define __cilk2gpu__ 1
// ALL-DAG: #define __cilk2gpu_depend__ 1
#if SIDE == 1
#if __cilk != 300 || __cilk2gpu__ != 1 || __cilk2gpu_depend__ != 1 || defined(__cilk2gpu_elision__)
#error "a name is missing"
#endif
#elif defined(__cilk) || defined(__cilk2gpu__) || defined(__cilk2gpu_depend__)
#error "a name is defined that should not be"
#elif (SIDE == 2) != defined(__cilk2gpu_elision__)
#error "the elision's name is wrong"
#endif
// DEPENDENCIES: predefined-names.c
// TEXT: int reached;
int reached;
