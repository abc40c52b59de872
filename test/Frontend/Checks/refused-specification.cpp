// Tests that dynamic exception specifications are refused, because no exception may leave a task. noexcept is not refused.
// RUN: %clangxx -std=c++14 -fexceptions -fsyntax-only -fplugin=%plugin -Xclang -verify -Wno-dynamic-exception-spec %s
int f(int);

int some(int n) throw(int) { // expected-error {{a dynamic exception specification of a function with spawn or sync needs -fcilk-exceptions, which GPUs do not allow; write noexcept, or nothing}}
  cilk_spawn f(n);
  return 0;
}
int none(int n) throw() { // expected-error {{a dynamic exception specification of a function with spawn or sync needs -fcilk-exceptions}}
  cilk_spawn f(n);
  return 0;
}
int never(int n) noexcept(true) {
  cilk_spawn f(n);
  return 0;
}
