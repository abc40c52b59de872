// Tests headers of other Cilks: <cilksan.h> without the race detector, <cilkscale.h> without cilk-scale, and
// <cilk/cilk_undocumented.h>.
#include <cilk/cilk.h>
#include <cilk/cilk_undocumented.h>
#include <cilkscale.h>
#include <cilksan.h>
#include <cstdio>

static int lock, shared[4];

static void add(int n) {
  Cilksan_fake_lock_guard<int> guard(&lock);
  __atomic_add_fetch(&shared[n % 4], n, __ATOMIC_RELAXED);
}

int main() {
  wsp_t start = wsp_getworkspan();
  __cilksan_disable_checking();
  for (int i = 0; i < 100; ++i)
    cilk_spawn add(i);
  cilk_sync;
  __cilksan_enable_checking();
  std::printf("%d %d %d %d %d %d\n", shared[0], shared[1], shared[2], shared[3], __cilksan_is_checking_enabled(),
              int(__cilkrts_get_stack_size()));
  __cilkrts_dump_stats();
  wsp_t region = wsp_getworkspan() - start;
  wsp_dump(region, "all");
  std::printf("%d\n", region.work >= region.span);
}
