// Tests coroutines in tasks on a GPU: the functions that resume and destroy a coroutine are called through pointers in its frame,
// which host and device share. The program runs a GPU's own code on this CPU.
// REQUIRES: fake-gpu
// DEFINE: %{run} = %python %source_dir/test/e2e/device_ir.py --build %build_dir --work %t
// RUN: %{run} --arch sm_90 -std=c++20 -O2 %s | FileCheck %s
// RUN: %{run} --arch gfx90a -std=c++20 -O0 %s | FileCheck %s
// CHECK: 328350 385 0
#include <coroutine>
#include <cstdio>

struct Squares {
  struct promise_type {
    long value = 0;
    Squares get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

__attribute__((noinline)) Squares squares(long n) {
  for (long i = 0; i <= n; ++i)
    co_yield i *i;
}

// Other code resumes and destroys the coroutine.
__attribute__((noinline)) long sum(Squares &numbers) {
  long result = 0;
  while (numbers.handle.resume(), !numbers.handle.done())
    result += numbers.handle.promise().value;
  return result;
}

static Squares started[2]; // started by the host

int main() {
  long sums[100], own[2];
  started[0] = squares(10);
  started[1] = squares(0);
  cilk_for (int i = 0; i < 100; ++i) {
    Squares numbers = squares(i);
    sums[i] = sum(numbers);
    numbers.handle.destroy();
  }
  cilk_for (int i = 0; i < 2; ++i)
    own[i] = sum(started[i]);
  std::printf("%ld %ld %ld\n", sums[99], own[0], own[1]);
  for (Squares &each : started)
    each.handle.destroy();
}
