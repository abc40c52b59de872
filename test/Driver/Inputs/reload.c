static int calls;
static void add(int *number) { __atomic_fetch_add(number, 1, __ATOMIC_RELAXED); }

int count(void) {
  cilk_spawn add(&calls);
  cilk_sync;
  return calls;
}
