// Atomic operations with unusual control flow and types. Nothing in this code may change.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

static jmp_buf target;
_Thread_local int depth;
atomic_long total;

long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long result = 0;
  while (n--)
    result += va_arg(list, long);
  va_end(list);
  return result;
}

int dispatch(int code) {
  static void *const labels[] = {&&add, &&leave, &&out};
  goto *labels[code % 3];
add:
  atomic_fetch_add_explicit(&total, depth, memory_order_relaxed);
  return 1;
leave:
  longjmp(target, 1);
out:
  return __extension__({ int two = 2; two; });
}

int main(void) {
  if (setjmp(target))
    return 0;
  return (int)sum(2, 1L, 2L) + dispatch(0) + dispatch(1);
}
