// Tests that many conditional syncs share one sync, and that few syncs, and syncs behind one another, stay apart.
// RUN: %cilk2gpu -O0 --emit=cilk "-DIF(c)=if(c)" %s -o %t.many && grep -c cilk.sync %t.many | FileCheck %s --check-prefix=MANY
// RUN: %cilk2gpu -O0 --emit=cilk "-DIF(c)=" %s -o %t.plain && grep -c cilk.sync %t.plain | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O0 --emit=cilk "-DIF(c)=if(c)" -DFEW %s -o %t.few && grep -c cilk.sync %t.few | FileCheck %s --check-prefix=FEW
// MANY: {{^1$}}
// PLAIN: {{^20$}}
// FEW: {{^4$}}
long g(long);
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define ONE(k)                                                                                                                   \
  IF(s % (k + 2)) {                                                                                                              \
    long v = cilk_spawn g(s);                                                                                                    \
    cilk_sync;                                                                                                                   \
    s ^= v;                                                                                                                      \
  }
long f(long s) {
  FOUR(0)
#ifndef FEW
  FOUR(4)
  FOUR(8) FOUR(12) FOUR(16)
#endif
  return s;
}
