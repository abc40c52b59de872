// Tests what has no pedigree: iterations of a doacross nest, ordered spawns, and tasks on GPUs. The serial elision refuses the
// first two as well, so that it has the pedigrees of the program. A program whose files do not all have pedigrees ends at its
// start. OpenCilk's library for pedigrees stands for the option.
// RUN: not %cilk2gpu -O1 -fcilk-pedigrees -DNEST -c %s -o %t 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not %cilk2gpu -O1 -fcilk-pedigrees -fserial-elision -DNEST -c %s -o %t 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not %cilk2gpu -O1 -fcilk-pedigrees -DORDER -c %s -o %t 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %cilk2gpu -O1 -fcilk-pedigrees --offload-arch=gpu-host -c %s -o %t 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: %cilk2gpu -O1 -fcilk-pedigrees -DREADER -c %s -o %t.reader.o
// RUN: %cilk2gpu -O1 -c %s -o %t.o
// RUN: %cilk2gpu %t.o %t.reader.o -o %t
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: %cilk2gpu -O1 -lopencilk-pedigrees -c %s -o %t.o
// RUN: %cilk2gpu %t.o %t.reader.o -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RUN: %cilk2gpu -O1 -fcilk-pedigrees -fno-cilk-pedigrees -c %s -o %t.o
// RUN: not %cilk2gpu -O1 -DREADER -c %s -o %t 2>&1 | FileCheck %s --check-prefix=OPTION
#include <cilk/cilk_api.h>
#include <stdio.h>

void note(int n);

#ifdef READER
void note(int n) {
  // OPTION: [[#@LINE+1]]:{{[0-9]+}}: error: '__cilkrts_get_pedigree' is unavailable
  printf("%d: %llu below %llu\n", n, (unsigned long long)__cilkrts_get_pedigree().rank,
         (unsigned long long)__cilkrts_get_pedigree().parent->rank);
}
#elif defined NEST
int cells[8][8];
void nest(void) {
// NEST: pedigrees-refused.c:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}the iterations of a doacross nest run in tiles and have no pedigrees; leave '#pragma cilk doacross' out, or -fcilk-pedigrees
#pragma cilk doacross(i-1,j)
  cilk_for (int i = 1; i < 8; ++i)
    cilk_for (int j = 0; j < 8; ++j)
      cells[i][j] = cells[i - 1][j] + 1;
}
#elif defined ORDER
void order(int *x) {
// ORDER: error: {{.*}}an ordered spawn has no pedigree; leave '#pragma cilk depend' out, or -fcilk-pedigrees
#pragma cilk depend(out: x[0])
  cilk_spawn note(*x);
  cilk_sync;
}
#else
// GPU: '-fcilk-pedigrees' and '--offload-arch' do not go together: tasks on GPUs have no pedigrees
// MIXED: {{.*}}pedigrees-refused.c was compiled with -fcilk-pedigrees and {{.*}}pedigrees-refused.c without it; compile all files of the program with it
// RESULT: {{^}}5: 0 below 1{{$}}
static void task(int n) {
  cilk_spawn printf("");
  cilk_spawn note(n);
  cilk_sync;
}
int main(void) {
  task(5);
  return 0;
}
#endif
