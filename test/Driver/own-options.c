// Tests the driver's own options: their translation, the checks of their values, and other words that must not count as
// options.

// RUN: %cilk2gpu -### -c -fserial-elision %s 2>&1 | FileCheck %s --check-prefix=ELISION
// ELISION: "-cc1"
// ELISION-NOT: "-fserial-elision"
// ELISION-SAME: "-plugin-arg-cilk2gpu" "serial-elision"
// RUN: %cilk2gpu -### -c -fcilk-dialect=mit %s 2>&1 | FileCheck %s --check-prefix=MIT
// MIT: "-plugin-arg-cilk2gpu" "dialect=mit"
// RUN: %cilk2gpu -Werror -fopencilk -fcilk-dialect=opencilk %s -o %t.out
// RUN: %cilk2gpu -fopencilk --version | FileCheck %s --check-prefix=VERSION
// VERSION: cilk2gpu version

// RUN: not %cilk2gpu -c -fcilk-dialect=tapir %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: cilk2gpu: error: invalid value 'tapir' in '-fcilk-dialect=tapir'; allowed are: mit, opencilk
// RUN: not %cilk2gpu -c -fcilk-dialect=opencilk x.cilk 2>&1 | FileCheck %s --check-prefix=CILKFILE
// CILKFILE: cilk2gpu: error: '-fcilk-dialect=opencilk' does not apply to 'x.cilk'

// RUN: %cilk2gpu -### -c -O2 -fcilk-count-instructions %s 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-NOT: "-vectorize-loops"
// COUNT: "-plugin-arg-cilk2gpu" "count"
// RUN: %cilk2gpu -### -c -fcilk-count-instructions -fno-cilk-count-instructions %s 2>&1 | FileCheck %s --check-prefix=NOCOUNT
// NOCOUNT-NOT: "count"

// The value of another option is not the driver's.
// RUN: %cilk2gpu -### -c %s -o -fserial-elision 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE-NOT: plugin-arg
// VALUE: "-o" "-fserial-elision"
// RUN: %cilk2gpu -### -c -Xclang -fserial-elision %s 2>&1 | FileCheck %s --check-prefix=XCLANG
// XCLANG-NOT: plugin-arg
// XCLANG: "-fserial-elision"

// .cilk files are C, whatever options stand around them; the user's -x has precedence.
// RUN: rm -rf %t && mkdir %t && cd %t && touch a.cilk b.cilk b.cpp c.cilk d.o
// RUN: %cilk2gpu -### -Werror a.cilk b.cpp c.cilk d.o 2>&1 | FileCheck %s --check-prefix=FILES
// FILES: "-x" "c" "a.cilk"
// FILES: "-x" "c++" "b.cpp"
// FILES: "-x" "c" "c.cilk"
// FILES: "d.o"
// RUN: %cilk2gpuxx -### -x c++ a.cilk -x none b.cilk 2>&1 | FileCheck %s --check-prefix=LANGUAGE
// LANGUAGE: "-x" "c++" "a.cilk"
// LANGUAGE: "-x" "c" "b.cilk"
// RUN: %cilk2gpu -c -Werror %S/Inputs/short.cilk -o %t.o 2>&1 | count 0

int main(void) { return 0; }
