// Tests reducers that a task of another file uses. A file without reducers does not know the order of its tasks, so the
// program ends with a message. A file with a reducer does.
// RUN: %cilk2gpu -O2 -DWALK -c %s -o %t.o
// RUN: %cilk2gpu -O2 %s %t.o -o %t
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=UNTRACKED
// RUN: %cilk2gpu -O2 -DTRACKED %s %t.o -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 CILK2GPU_WORKERS=3 %t | FileCheck %s
#include <stddef.h>
#include <stdio.h>

void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));

typedef struct {
  unsigned char length, text[63];
} Text;

extern Text text;
void put(char letter);
void walk(int n);

#ifdef WALK
static void empty(void *view) { ((Text *)view)->length = 0; }
static void append(void *left, void *right) {
  Text *to = left, *from = right;
  for (int i = 0; i < from->length; ++i)
    to->text[to->length++] = from->text[i];
}

Text text;

void put(char letter) {
  Text *view = __hyper_lookup(&text, sizeof text, empty, append);
  view->text[view->length++] = letter;
}

void walk(int n) {
  put('0' + n);
  if (n < 2)
    return;
  cilk_spawn walk(n - 1);
  put('a' + n);
}
#else
#ifdef TRACKED
static int own;
static void zero(void *view) { *(int *)view = 0; }
static void add(void *left, void *right) { *(int *)left += *(int *)right; }
static int count(void) { return ++*(int *)__hyper_lookup(&own, sizeof own, zero, add); }
#else
static int count(void) { return 0; }
#endif

static void both(int n) {
  cilk_spawn walk(n);
  count();
  cilk_spawn walk(n - 1);
}

int main(void) {
  // UNTRACKED: error: a reducer was used in a task whose place in the serial order is not known
  cilk_spawn both(3);
  put('.');
  cilk_sync;
  // CHECK: 321cd21c.
  printf("%.*s\n", text.length, text.text);
}
#endif
