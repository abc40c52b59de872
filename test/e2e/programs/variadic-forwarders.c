// Ordinary functions between tasks that cannot become forwarders: variadic functions, and functions that setjmp returns to.
#include "checksum.h"
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdarg.h>

static long search(int n, long *notes);

static long variadic(int count, ...) {
  va_list list;
  long sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i) {
    int n = va_arg(list, int);
    long notes[3] = {0, 0, 0};
    sum = sum * 3 + search(n, notes) + notes[0];
  }
  va_end(list);
  return sum;
}

static jmp_buf back;
static long jumping(int n) {
  volatile long tries = 0;
  if (setjmp(back) == 0)
    tries = 1;
  long notes[3] = {0, 0, 0};
  long sum = search(n, notes);
  if (tries++ < 2 && sum % 2)
    longjmp(back, 1);
  return sum + notes[1];
}

static long search(int n, long *notes) {
  if (n < 1)
    return notes[2] + 1;
  long own[3] = {0, 0, n};
  long a = cilk_spawn search(n - 1, own), c[3] = {n, n, n};
  long b = variadic(2, n - 2, n - 3);
  cilk_sync;
  notes[0] += a + own[0];
  return a + b * 3 + (n % 3 ? 0 : search(n - 2, c));
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 10; ++n) {
    long notes[12] = {n, 1, 2};
    sum = fold(sum, (unsigned long)search(n, notes));
    sum = fold(sum, (unsigned long)notes[0]);
    sum = fold(sum, (unsigned long)jumping(n));
  }
  report("variadic-forwarders", sum);
  return 0;
}
