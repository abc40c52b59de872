// Tests when and where the runtime is put on the link line.

// RUN: rm -rf %t && mkdir %t && cd %t && touch a.o b.o libb.a header.h -- -a.c
// RUN: %cilk2gpu -### %s a.o -lm libb.a -o program 2>&1 | FileCheck %s --check-prefixes=LINK
// RUN: %cilk2gpu -### -shared %s a.o -lm libb.a -o program 2>&1 | FileCheck %s --check-prefixes=LINK
// RUN: %cilk2gpu -### -flto -fuse-ld=lld %s a.o -lm libb.a -o program 2>&1 | FileCheck %s --check-prefixes=LINK
// RUN: %cilk2gpu -### a.o -lm libb.a -o program 2>&1 | FileCheck %s --check-prefixes=LINK
// RUN: %cilk2gpu -### -x none a.o -lm libb.a -x c 2>&1 | FileCheck %s --check-prefixes=LINK
// RUN: %cilk2gpuxx -### %s a.o -lm libb.a 2>&1 | FileCheck %s --check-prefixes=LINK
// LINK: "a.o" "-lm" "libb.a" "{{[^"]*}}/libcilk2gpu_rt.a"
// LINK-SAME: "-lc"

// RUN: %cilk2gpu -### -x c - 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: "-x" "c" "-"
// STDIN: "{{[^"]*}}/libcilk2gpu_rt.a"

// RUN: %cilk2gpu -### -c %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -S %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -E %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -M %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -x c-header %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### header.h 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -r a.o b.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -nostdlib %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -nodefaultlibs %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo 'int main(void) { return 0; }' > plain.c
// RUN: %cilk2gpu -### -fuse-ld=lld --target=s390x-linux-gnu plain.c 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -### -m32 plain.c 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: libcilk2gpu_rt.a

// Files after -- are files, and the library still follows them.
// RUN: %cilk2gpu -### -o program -- a.o libb.a 2>&1 | FileCheck %s --check-prefix=DASHES
// DASHES: "a.o" "libb.a" "{{[^"]*}}/libcilk2gpu_rt.a"
// RUN: not %cilk2gpu -### -- -a.o 2>&1 | FileCheck %s --check-prefix=DASHFILE
// DASHFILE: cilk2gpu: error: an input after '--' must not begin with '-', but '-a.o' does; write './-a.o'
// RUN: %cilk2gpu -### -c -- -a.c 2>&1 | FileCheck %s --check-prefix=DASHCOMPILE
// DASHCOMPILE: "-a.c"

// A program that uses nothing of the library does not depend on it.
// RUN: %cilk2gpu %s -o %t.1
// RUN: %clang %s -o %t.2
// RUN: llvm-readelf -d %t.1 | grep NEEDED > %t.3
// RUN: llvm-readelf -d %t.2 | grep NEEDED > %t.4
// RUN: diff %t.3 %t.4

int main(void) { return 0; }
