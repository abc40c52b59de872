// Tests reducers that a task of another file uses. The files may have reducers of their own or not. Tasks that a file
// spawns run in the graph of the file that defines them. Programs without reducers do not run the code for views. A
// doacross nest has no place in the serial order, so a program that uses a reducer there ends with a message.
// RUN: %cilk2gpu -O2 -DWALK -c %s -o %t.o
// RUN: %cilk2gpu -O2 %s %t.o -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 CILK2GPU_WORKERS=3 %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 CILK2GPU_STATS=- %t 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: %cilk2gpu -O2 -DWALK -DQUIET -c %s -o %t.quiet.o
// RUN: %cilk2gpu -O2 %s %t.quiet.o -o %t.quiet
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 CILK2GPU_STATS=- %t.quiet 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %cilk2gpu -O2 -DNEST %s %t.o -o %t.nest
// RUN: not %t.nest 2>&1 | FileCheck %s --check-prefix=NEST
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
#ifdef QUIET
Text text;
void put(char letter) { __atomic_fetch_add(&text.length, letter != 0, __ATOMIC_RELAXED); }
#else
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
#endif

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

#ifdef NEST
static void nest(int n) {
#pragma cilk doacross(i - 1, j)
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j)
      put('0' + i);
}
#endif

int main(void) {
#ifdef NEST
  // NEST: error: a reducer was used in a task whose place in the serial order is not known{{.*}}doacross nest
  nest(3);
#endif
  cilk_spawn both(3);
  put('.');
  cilk_sync;
  // CHECK: 321cd21c.
  // STATS: both.strand.k0 {{ *}}1
  // STATS: walk.strand.k0 {{ *}}5
  // QUIET-NOT: .strand.k0 {{ *[1-9]}}
  // QUIET: both.k0 {{ *}}1
  printf("%.*s\n", text.length, text.text);
}
#endif
