#include <cilk/cilk_api.h>

static void count(int *result) { __atomic_fetch_add(result, __cilkrts_running_on_workers(), __ATOMIC_RELAXED); }

int countOnWorkers(int n) {
  int result = 0;
  for (int i = 0; i < n; ++i)
    cilk_spawn count(&result);
  cilk_sync;
  return result;
}
