// Tests that a location that is read under many locks takes bounded time for an access, and that its last race is found.
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t && not timeout 30 %t 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdlib.h>

enum { kLocks = 50000 };
static int shared;

static int readUnder(pthread_mutex_t *mutex) {
  pthread_mutex_lock(mutex);
  int result = shared;
  pthread_mutex_unlock(mutex);
  return result;
}

int main(void) {
  pthread_mutex_t *mutexes = calloc(kLocks, sizeof *mutexes);
  int *results = calloc(kLocks, sizeof *results);
  cilk_for (int i = 0; i < kLocks; ++i)
    results[i] = readUnder(mutexes + i);
  results[0] = cilk_spawn readUnder(mutexes);
  ++shared;
  cilk_sync;
  return results[0] + results[kLocks - 1] > 1;
}
// CHECK:      a write of shared in main
// CHECK-NEXT: may run in parallel with a read of shared with a lock held in readUnder
// CHECK:      1 data race{{$}}
