// Tests that reducers have the values of the elision under the race detector, without a report, also those that are
// declared while a child runs. Their views are constructed and destroyed once.
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 %s -o %t
// RUN: %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %cilk2gpuxx -fserial-elision -O1 %s -o %t.elision
// RUN: %t.elision | FileCheck %s
// CHECK: {{^}}15 abcde 31 0{{$}}
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
static void add(void *left, void *right) { *static_cast<int *>(left) += *static_cast<int *>(right); }
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

int main() {
  int early = test();
  printf("%d %d\n", early + calls + 5, alive.load());
}
