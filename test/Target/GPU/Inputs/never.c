// A member of an archive that no program needs. A GPU could not run its code.
#include <cilk/cilk.h>
#include <unistd.h>
long never(int n) {
  long x = cilk_spawn never(n - 1);
  cilk_sync;
  return x + fork();
}
