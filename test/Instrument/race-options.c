// Tests the options of the race detector, suppressions, and the text of a report.
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: bash -c '%t 2>/dev/null; test $? -eq 66'
// RUN: bash -c 'CILKSAN_OPTIONS=exitcode=3 %t 2>/dev/null; test $? -eq 3'
// RUN: bash -c 'CILKSAN_OPTIONS=exitcode=0:locks=respect %t 2>/dev/null'
// RUN: env CILKSAN_OPTIONS=locks=ignore:exitcode=0 %t 2>&1 | FileCheck %s --check-prefix=DETERMINACY
// RUN: printf '# known\nrace:^ad*$\n' > %t.txt
// RUN: env CILKSAN_OPTIONS=suppressions=%t.txt %t 2>&1 | FileCheck %s --check-prefix=SUPPRESSED
// RUN: printf 'race:^dd$\n' > %t.other
// RUN: env CILKSAN_OPTIONS=exitcode=0:suppressions=%t.other %t 2>&1 | FileCheck %s
// RUN: printf 'thread:add\n' > %t.bad
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.bad %t 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.none %t 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not env CILKSAN_OPTIONS=locks=maybe %t 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not env CILKSAN_OPTIONS=exitcode=256 %t 2>&1 | FileCheck %s --check-prefix=STATUS
#include <cilk/cilk.h>
#include <stdio.h>

static int total;
static _Atomic int counter;

static void add(int n) {
  total += n;
  counter += n;
}

int main(void) {
  cilk_for (int i = 0; i < 3; ++i)
    counter += i;
  cilk_spawn add(1);
  total += 2;
  cilk_sync;
  printf("%d %d\n", total, counter);
}
// CHECK:      cilk2gpu: data race at address 0x{{[0-9a-f]+}}:
// CHECK-NEXT:   a write of total in main at {{.*}}race-options.c:32:9
// CHECK-NEXT:   may run in parallel with a write of total in add at {{.*}}race-options.c:24:9
// CHECK-NEXT:       in the child add, spawned in main at {{.*}}race-options.c:31:3
// CHECK:      3 4
// CHECK-NEXT: cilk2gpu: 1 data race{{$}}

// DETERMINACY: cilk2gpu: determinacy race at
// DETERMINACY:   in iteration 1 of the cilk_for in main at {{.*}}race-options.c:29:3
// DETERMINACY: cilk2gpu: 2 determinacy races

// SUPPRESSED:      3 4
// SUPPRESSED-NEXT: cilk2gpu: 1 race suppressed

// LINE: cilk2gpu: error: the file of suppressions '{{.*}}' has the line 'thread:add'; a line is race:PATTERN
// FILE: cilk2gpu: error: CILKSAN_OPTIONS: the file of suppressions '{{.*}}' cannot be read
// OPTION: cilk2gpu: error: CILKSAN_OPTIONS: locks=maybe is not valid; allowed: respect or ignore
// STATUS: cilk2gpu: error: CILKSAN_OPTIONS: exitcode=256 is not valid; allowed: 0 to 255

// RUN: not env CILKSAN_OPTIONS=speed=1 %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: cilk2gpu: error: CILKSAN_OPTIONS: 'speed=1' is no option; help=1 lists the options

// RUN: env CILKSAN_OPTIONS=help=1:exitcode=0 %t 2>&1 | FileCheck %s --check-prefix=HELP
// HELP:      Options in CILKSAN_OPTIONS, with ':' between them:
// HELP-NEXT: exitcode=VALUE: 0 to 255; exit status
// HELP:      data race

// Blanks around a pattern are no part of it. A pattern has a character. Only regular files have suppressions.
// RUN: printf '  race:\t^ad*$ \r\n \n' > %t.blanks
// RUN: env CILKSAN_OPTIONS=suppressions=%t.blanks %t 2>&1 | FileCheck %s --check-prefix=SUPPRESSED
// RUN: printf 'race: \n' > %t.empty
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.empty %t 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: cilk2gpu: error: the file of suppressions '{{.*}}' has the line 'race:'; a line is race:PATTERN
// RUN: rm -rf %t.folder %t.fifo && mkdir %t.folder && mkfifo %t.fifo
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.folder %t 2>&1 | FileCheck %s --check-prefix=REGULAR
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.fifo %t 2>&1 | FileCheck %s --check-prefix=REGULAR
// REGULAR: cilk2gpu: error: CILKSAN_OPTIONS: the file of suppressions '{{.*}}' is not a regular file

// RUN: not env CILKSAN_OPTION=exitcode=0 %t 2>&1 | FileCheck %s --check-prefix=VARIABLE
// VARIABLE: warning: the environment variable CILKSAN_OPTION is not known and has no effect; did you mean CILKSAN_OPTIONS?
