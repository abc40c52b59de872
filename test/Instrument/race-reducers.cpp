// Tests that the race detector gives strands that may run in parallel views of their own, and joins them in serial order.
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 %s -o %t
// RUN: %t 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <cstdio>
#include <new>
#include <string>

extern "C" void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));

static std::string text;
static void identity(void *view) { new (view) std::string; }
static void reduce(void *left, void *right) {
  auto *more = static_cast<std::string *>(right);
  *static_cast<std::string *>(left) += *more;
  more->~basic_string();
}
static std::string &view() {
  return *static_cast<std::string *>(__hyper_lookup(&text, sizeof text, identity, reduce));
}

/// Multiplies: a new view has to be one, and not zero.
static long product = 1;
static void one(void *view) { *static_cast<long *>(view) = 1; }
static void multiply(void *left, void *right) { *static_cast<long *>(left) *= *static_cast<long *>(right); }
static long &factor() { return *static_cast<long *>(__hyper_lookup(&product, sizeof product, one, multiply)); }

static void tree(int low, int high) {
  if (high - low == 1) {
    view() += char('a' + low % 26);
    return;
  }
  int middle = (low + high) / 2;
  cilk_spawn tree(low, middle);
  view() += '(';
  tree(middle, high);
  cilk_sync;
  view() += ')';
}

int main() {
  tree(0, 9);
  cilk_for (int i = 0; i < 30; ++i)
    view() += char('A' + i % 26);
  std::printf("%s\n", text.c_str());
  cilk_for (int i = 1; i <= 12; ++i)
    factor() *= i;
  std::printf("%ld\n", product);
}
// CHECK-NOT: race
// CHECK: a(b)(c(d))(e(f)(g(h(i))))ABCDEFGHIJKLMNOPQRSTUVWXYZABCD
// CHECK-NEXT: 479001600
// CHECK-NOT: race
