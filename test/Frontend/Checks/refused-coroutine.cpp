// Tests that a coroutine cannot spawn.
// RUN: %clangxx -std=c++20 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
#include <coroutine>
int f(int);
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
Task coroutine(int n) {
  cilk_spawn f(n);
  cilk_sync;
  co_return; // expected-error@-3 {{a coroutine cannot contain spawn or sync; move them to a function that it calls}}
}
