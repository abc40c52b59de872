// No program needs this member of an archive: a GPU cannot do what it does.
#include <cilk/cilk.h>
#include <unistd.h>
long never(int n) {
  long x = cilk_spawn never(n - 1);
  cilk_sync;
  return x + fork();
}
