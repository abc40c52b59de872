// Tests that two workers share two long tasks: two children, a child and the code behind its spawn, two iterations, two
// iterations of a doacross wave, two ordered tasks. The tasks sleep, so that the test needs no second CPU.
// RUN: %cilk2gpuxx -std=c++17 -O2 %s -o %t
// RUN: env CILK2GPU_WORKERS=2 %t children
// RUN: env CILK2GPU_WORKERS=2 %t continuation
// RUN: env CILK2GPU_WORKERS=2 %t loop
// RUN: env CILK2GPU_WORKERS=2 %t iterations
// RUN: env CILK2GPU_WORKERS=2 %t doacross
// RUN: env CILK2GPU_WORKERS=2 %t ordered
// RUN: env CILK2GPU_WORKERS=1 not %t children
#include <cilk/cilk.h>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <unistd.h>

static std::mutex lock;
static std::set<std::thread::id> threads;

static void note() {
  std::scoped_lock guard(lock);
  threads.insert(std::this_thread::get_id());
}

__attribute__((noinline)) static void nap() {
  usleep(300'000);
  note();
}

static void children() {
  cilk_spawn nap();
  cilk_spawn nap();
  cilk_sync;
}

static void continuation() {
  cilk_spawn nap();
  nap();
  cilk_sync;
}

// The code behind the spawn is a loop, not a call.
static void loop(volatile unsigned long *counter) {
  cilk_spawn nap();
  for (unsigned long i = 0; i < 1'000'000'000; i += 1 + *counter)
    *counter = i % 1'000'003;
  note();
  cilk_sync;
}

static void iterations() {
  cilk_for (int i = 0; i < 2; ++i)
    nap();
}

static void doacross() {
#pragma cilk doacross(i-1,j) (i,j-1) tile(1,1)
  cilk_for (int i = 0; i < 2; ++i)
    cilk_for (int j = 0; j < 2; ++j)
      nap();
}

static void ordered() {
  int a = 0, b = 0;
#pragma cilk depend(inout: a)
  cilk_spawn nap();
#pragma cilk depend(inout: b)
  cilk_spawn nap();
  cilk_sync;
}

int main(int, char **argv) {
  std::string_view which = argv[1];
  volatile unsigned long counter = 0;
  if (which == "children")
    children();
  else if (which == "continuation")
    continuation();
  else if (which == "loop")
    loop(&counter);
  else if (which == "iterations")
    iterations();
  else if (which == "doacross")
    doacross();
  else
    ordered();
  return threads.size() == 2 ? 0 : 1;
}
