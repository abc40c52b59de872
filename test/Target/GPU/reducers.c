// Tests that reducers that need views are refused on GPUs with the reason, and run with -foffload-fallback and on gpu-host.
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a %s -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a -foffload-fallback %s -o %t 2>/dev/null
// RUN: env CILK2GPU_DEVICE=native %t | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_WIDTH=1 %t | FileCheck %s
#include <stddef.h>
#include <stdio.h>

void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));

typedef struct {
  unsigned char length, text[63];
} Text;

static void empty(void *view) { ((Text *)view)->length = 0; }
static void append(void *left, void *right) {
  Text *to = left, *from = right;
  for (int i = 0; i < from->length; ++i)
    to->text[to->length++] = from->text[i];
}

static Text text;

static void put(char letter) {
  Text *view = __hyper_lookup(&text, sizeof text, empty, append);
  view->text[view->length++] = letter;
}

// REFUSED: reducers.c:[[#]]:{{.*}} error: a task on a GPU uses a reducer in another way than to update it by '+', '-'
// REFUSED-SAME: so it needs a view, and views are in the host's memory; run the program with CILK2GPU_DEVICE=gpu-host
static void walk(int n) {
  put('0' + n);
  if (n < 2)
    return;
  cilk_spawn walk(n - 1);
  put('a' + n);
  cilk_spawn walk(n - 2);
}

int main(void) {
  cilk_spawn walk(4);
  put('.');
  cilk_sync;
  // CHECK: 4321c0d1e21c0.
  printf("%.*s\n", text.length, text.text);
}
