// State that one ordinary function between tasks acquires and another releases, or that is used through a pointer:
// locks, thread-local variables, rounding modes. Also ordinary functions that are too large to inline into their
// callers.
#include "checksum.h"
#include <atomic>
#include <cfenv>
#include <mutex>
#include <pthread.h>
#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace {

long leaf(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn leaf(n - 1);
  long b = leaf(n - 2);
  cilk_sync;
  return a + b * 3;
}

// A reference to a variable of the thread, and a pointer that a library keeps for it.
struct Context {
  long depth;
};
thread_local Context context{0};
long byReference(int n);
long referring(int n) {
  Context &mine = context;
  long before = mine.depth;
  mine.depth = n;
  long result = byReference(n - 2);
  result += mine.depth * 3;
  mine.depth = before;
  return result;
}
long byReference(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn referring(n);
  long b = referring(n - 1);
  cilk_sync;
  return a + b;
}

pthread_key_t key;
Context *specific() {
  auto *mine = static_cast<Context *>(pthread_getspecific(key));
  if (!mine)
    pthread_setspecific(key, mine = new Context{0});
  return mine;
}
long byKey(int n);
long keyed(int n) {
  Context *mine = specific();
  long before = mine->depth;
  mine->depth = n;
  long result = byKey(n - 2) + mine->depth * 3;
  mine->depth = before;
  return result;
}
long byKey(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn keyed(n);
  long b = keyed(n - 1);
  cilk_sync;
  return a + b;
}

long reading(const Context *mine, int n) {
  long a = cilk_spawn leaf(n);
  long b = mine->depth;
  cilk_sync;
  return a + b * 7;
}
long beforeReading(int n) {
  Context *mine = specific();
  mine->depth = n * 5;
  return reading(mine, n);
}
long byArgument(int n) {
  long a = cilk_spawn beforeReading(n), b = cilk_spawn beforeReading(n - 1), c = cilk_spawn beforeReading(n + 1);
  long d = beforeReading(n + 2);
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7;
}

// A variable that one function sets and others use, in front of the task and behind it; it is passed by argument, and the task
// looks at it.
thread_local long number;
long finish(int n) { return leaf(n - 1) + number * 3; }
long begin(int n) {
  number = n;
  return finish(n);
}
long large(int n) { // too large to be inlined
  struct {
    unsigned char bytes[3000];
  } local;
  local.bytes[n] = (unsigned char)number;
  local.bytes[n + 1] = 3;
  return leaf(n) + local.bytes[n] * 3 + local.bytes[n + 1];
}
long beginLarge(int n) {
  number = n;
  long result = large(n);
  return result;
}
long passed(Context *mine, int n) { return leaf(n) + mine->depth; }
long passing(int n) {
  context.depth = n;
  return passed(&context, n);
}
long looking(int n) {
  long mine = number;
  long a = cilk_spawn leaf(n);
  cilk_sync;
  return a + mine * 7;
}
long beforeLooking(int n) {
  number = n * 5;
  return looking(n);
}
long variables(int n) {
  long a = cilk_spawn begin(n), b = cilk_spawn begin(n - 1), c = cilk_spawn begin(n - 2);
  long d = cilk_spawn beginLarge(n), e = cilk_spawn beginLarge(n - 1), f = cilk_spawn beginLarge(n + 1);
  long g = cilk_spawn passing(n), h = cilk_spawn passing(n - 1), i = cilk_spawn passing(n + 1);
  long j = cilk_spawn beforeLooking(n), k = cilk_spawn beforeLooking(n - 1), l = cilk_spawn beforeLooking(n + 1);
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29 + k * 31 + l * 37;
}

// Locks that a called function takes, or gives back.
std::mutex mutex;
long shared;
long release(int n) {
  long result = leaf(n);
  shared += result;
  mutex.unlock();
  return result;
}
long releasing(int n) {
  mutex.lock();
  return release(n);
}
long acquire(int n) {
  mutex.lock();
  return leaf(n);
}
long acquiring(int n) {
  long result = acquire(n);
  result += leaf(n - 1);
  shared += result;
  mutex.unlock();
  return result;
}

// A count is a lock if someone looks at its old value.
std::atomic<int> count{0};
long counted(int n) {
  while (count.fetch_add(1, std::memory_order_acquire))
    count.fetch_sub(1, std::memory_order_relaxed);
  long result = leaf(n);
  shared += result;
  count.fetch_sub(1, std::memory_order_release);
  return result;
}
// The counts of shared_ptr are no locks if nobody looks, or only behind the task.
long referenced(int n, std::atomic<int> &references) {
  references.fetch_add(1, std::memory_order_relaxed);
  long result = leaf(n);
  return references.fetch_sub(1, std::memory_order_acq_rel) < 1 ? -1 : result;
}
long locks(int n) {
  std::atomic<int> references{1};
  long a = cilk_spawn releasing(n), b = cilk_spawn releasing(n - 1), c = cilk_spawn releasing(n + 1);
  long d = cilk_spawn acquiring(n), e = cilk_spawn acquiring(n - 1), f = cilk_spawn acquiring(n + 1);
  cilk_sync;
  long g = cilk_spawn counted(n), h = cilk_spawn counted(n - 1), i = cilk_spawn counted(n + 1);
  long j = referenced(n, references), k = referenced(n - 1, references);
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29 + k * 31;
}

// Rounding, and the treatment of subnormal numbers.
int third(volatile double *in) {
  volatile double third = in[0] / in[1];
  return (third > 0x1.5555555555555p-2) * 100;
}
long up(int n, volatile double *in) {
  int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  long result = leaf(n) + third(in);
  std::fesetround(before);
  return result;
}
long nearest(int n, volatile double *in) { return leaf(n) + third(in) * 1000; }
#if defined(__SSE__)
int isZero(volatile float *in) {
  volatile float quarter = *in * 0.25f;
  return quarter == 0;
}
long flushing(int n, volatile float *in) {
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8000);
  long result = leaf(n) + isZero(in);
  _mm_setcsr(before);
  return result;
}
long rounding(int n, volatile double *in) {
  int before = __builtin_flt_rounds();
  __builtin_set_flt_rounds(2);
  long result = leaf(n) + third(in);
  __builtin_set_flt_rounds(before);
  return result;
}
long modes(int n, volatile double *in, volatile float *least) {
  long a = cilk_spawn flushing(n, least), b = cilk_spawn flushing(n - 1, least), c = cilk_spawn rounding(n, in);
  long d = cilk_spawn rounding(n - 1, in), e = cilk_spawn nearest(n, in), f = leaf(n) + isZero(least) * 10000;
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13;
}
#else
long modes(int, volatile double *, volatile float *) { return 0; }
#endif
long arithmetic(int n) {
  volatile double in[2] = {1, 3};
  volatile float least = 1.17549435e-38f;
  long a = cilk_spawn up(n, in), b = cilk_spawn up(n - 1, in), c = cilk_spawn nearest(n, in);
  cilk_sync;
  return a + b * 3 + c * 5 + modes(n, in, &least);
}

// Each calls the function before twice.
template <int N> long twice(int n) {
  if (n < N % 7)
    return N;
  long a = twice<N - 1>(n - 1);
  return n & 1 ? a : a + twice<N - 1>(n - 2);
}
template <> long twice<0>(int n) { return leaf(n) + 1; }
long often(int n) {
  long a = cilk_spawn twice<11>(n);
  long b = twice<11>(n - 1);
  cilk_sync;
  return a + b * 3;
}

} // namespace

int main() {
  pthread_key_create(&key, nullptr);
  Checksum checksum = 0;
  for (int n = 2; n < 12; ++n) {
    checksum = fold(checksum, byReference(n));
    checksum = fold(checksum, byKey(n));
    checksum = fold(checksum, byArgument(n));
    checksum = fold(checksum, variables(n));
    checksum = fold(checksum, locks(n));
    checksum = fold(checksum, arithmetic(n));
  }
  checksum = fold(checksum, often(16));
  checksum = fold(checksum, shared);
  report("holding-chains", checksum);
}
