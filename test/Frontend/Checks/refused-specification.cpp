// Tests that dynamic exception specifications are refused, because no exception may leave a task. noexcept is not refused.
// RUN: %clangxx -std=c++14 -fexceptions -fsyntax-only -fplugin=%plugin -Xclang -verify -Wno-dynamic-exception-spec %s
int f(int);

int some(int n) throw(int) { // expected-error {{a function with spawn or sync cannot have a dynamic exception specification for GPUs, or with -fno-cilk-exceptions; write noexcept, or nothing}}
  cilk_spawn f(n);
  return 0;
}
int none(int n) throw() { // expected-error {{a function with spawn or sync cannot have a dynamic exception specification}}
  cilk_spawn f(n);
  return 0;
}
int never(int n) noexcept(true) {
  cilk_spawn f(n);
  return 0;
}
