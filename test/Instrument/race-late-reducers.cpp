// Tests that reducers have the values of the elision under the race detector, without a report, also those that are
// declared while a child runs. Their views are constructed and destroyed once.
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 %s -o %t
// RUN: %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %cilk2gpuxx -fserial-elision -O1 %s -o %t.elision
// RUN: %t.elision | FileCheck %s
// CHECK: {{^}}15 abcde 31 0 123 0{{$}}
// CHECK-NOT: {{.}}
#include <atomic>
#include <new>
#include <stdio.h>
#include <string>

static std::atomic<int> alive;

struct Text {
  std::string letters;
  Text *self;
  Text() : self(this) { ++alive; }
  Text(const Text &) = delete;
  ~Text() { alive -= self == this; }
  static void identity(void *view) { ::new (view) Text; }
  static void reduce(void *left, void *right) {
    static_cast<Text *>(left)->letters += static_cast<Text *>(right)->letters;
    static_cast<Text *>(right)->~Text();
  }
};
static void zero(void *view) { *static_cast<int *>(view) = 0; }
static std::atomic<int> twice; // views that were reduced into themselves
static void add(void *left, void *right) {
  twice += left == right;
  *static_cast<int *>(left) += *static_cast<int *>(right);
}
typedef int cilk_reducer(zero, add) sum_reducer;
typedef Text cilk_reducer(Text::identity, Text::reduce) text_reducer;

static sum_reducer calls;

static void put(sum_reducer &sum, text_reducer &text, int n) {
  ++calls;
  sum += n;
  text.letters += char('a' + n - 1);
}

static void nothing() { calls += 10; }

static int test() {
  cilk_spawn nothing();
  sum_reducer early = 0;
  cilk_spawn nothing();
  sum_reducer sum = 0; // declared behind two children
  text_reducer text;
  for (int n = 1; n < 5; ++n)
    cilk_spawn put(sum, text, n);
  ++early;
  put(sum, text, 5);
  cilk_sync;
  printf("%d %s ", (int)sum, text.letters.c_str());
  return early;
}

// Reducers whose blocks end before the sync, one after the other at one address. Later, other variables are there.
static int blocks() {
  int total = 0;
  for (int n = 1; n < 4; ++n) {
    sum_reducer sum = n;
    total = total * 10 + sum;
    cilk_spawn nothing();
  }
  int copies[4] = {total, total, total, total};
  cilk_sync;
  return copies[0] + copies[1] - copies[2] + copies[3] - total;
}

int main() {
  int early = test();
  printf("%d %d ", early + calls + 5, alive.load());
  int total = blocks();
  printf("%d %d\n", total, twice.load());
}
