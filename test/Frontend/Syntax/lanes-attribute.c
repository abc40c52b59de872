// Tests the positions where the attribute `lanes` may stand, and the values of its argument.
// RUN: %clang -std=gnu23 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -x c++ -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
[[cilk2gpu::lanes("simd")]] int a(int);
[[cilk2gpu::lanes("scalar")]] int b(int n) { return n; }
__attribute__((cilk2gpu_lanes("simd"))) int c(int n);
[[cilk2gpu::lanes("simd")]] int c(int n) { return n; }

[[cilk2gpu::lanes("fast")]] int d(int);    // expected-error {{attribute 'lanes' takes "simd" or "scalar", not "fast"}}
[[cilk2gpu::lanes(4)]] int e(int);         // expected-error {{attribute 'lanes' takes "simd" or "scalar"}}
[[cilk2gpu::lanes]] int f(int);            // expected-error {{attribute takes one argument}}
[[cilk2gpu::lanes("simd", "scalar")]] int g(int); // expected-error {{attribute takes one argument}}
[[cilk2gpu::lanes("simd")]] int h;         // expected-error {{attribute 'lanes' is for functions, but stands on another declaration}}
[[cilk2gpu::lanes("simd")]] [[cilk2gpu::lanes("scalar")]] int i(int); // expected-error {{is here with two arguments}}
[[lanes("simd")]] int j(int);              // expected-warning {{unknown attribute 'lanes' ignored}}
