#include "notes.h"
#include <cilk/cilk.h>

void walk(int at, int depth) {
  note(2 * at);
  if (depth == 0)
    return;
  cilk_spawn walk(2 * at, depth - 1);
  walk(2 * at + 1, depth - 1);
  cilk_sync;
  note(2 * at + 1);
}

void twice(void (*function)(int), int at) {
  cilk_spawn function(at);
  function(at + 1);
}
