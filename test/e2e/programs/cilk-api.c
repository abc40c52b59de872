// <cilk/cilk_api.h>. Workers' numbers are in range in every task, and sums of workers add up to the whole. The number of workers
// can be set before they start. Settings that do not exist are reported.
#include "checksum.h"
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

static long perWorker[1024];
static int outOfRange;

static void leaf(long n) {
  unsigned self = __cilkrts_get_worker_number();
  if (self >= __cilkrts_get_nworkers())
    __atomic_store_n(&outOfRange, 1, __ATOMIC_RELAXED);
  else
    perWorker[self] += n;
}

static void tree(long low, long high) {
  if (high - low == 1) {
    leaf(low);
    return;
  }
  cilk_spawn tree(low, (low + high) / 2);
  cilk_spawn tree((low + high) / 2, high);
  cilk_sync;
}

static int check(int expected, int result) {
#ifdef __cilk
  return result == expected;
#else
  return expected >= 0 && result == __CILKRTS_SET_PARAM_UNIMP; // the serial elision sets nothing
#endif
}

int main(void) {
  unsigned all = __cilkrts_get_nworkers();
  int good = all >= 1 && __cilkrts_get_total_workers() == all && __cilkrts_is_initialized();
  good &= check(__CILKRTS_SET_PARAM_INVALID, __cilkrts_set_param("workers", "1"));
  good &= check(__CILKRTS_SET_PARAM_INVALID, __cilkrts_set_param("nworkers", "few"));
  good &= check(__CILKRTS_SET_PARAM_INVALID, __cilkrts_set_param("nworkers", "1x"));
  good &= check(__CILKRTS_SET_PARAM_XRANGE, __cilkrts_set_param("nworkers", "99999999999999999999999"));
  good &= check(__CILKRTS_SET_PARAM_UNIMP, __cilkrts_set_param("stack size", "1000000"));
  good &= check(__CILKRTS_SET_PARAM_SUCCESS, __cilkrts_set_param("nworkers", "0x1"));
  good &= __cilkrts_get_nworkers() == 1;
  good &= check(__CILKRTS_SET_PARAM_SUCCESS, __cilkrts_set_param("nworkers", "0"));
  good &= __cilkrts_get_nworkers() == all && !__cilkrts_running_on_workers();
  tree(0, 200000);
  long total = 0;
  for (unsigned i = 0; i < all; ++i)
    total += perWorker[i];
  __cilkrts_end_cilk();
  report("cilk api", fold(fold(fold(0, (unsigned long)total), (unsigned)good), (unsigned)outOfRange));
  return !good;
}
