// Pedigrees in a program of several files: the first one reads pedigrees, the second one spawns, and this one does both.
// Link: -fcilk-pedigrees
#include "notes.h"
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

static void both(int at) {
  cilk_spawn note(at);
  twice(note, at + 10);
  cilk_sync;
  note(at + 20);
}

int main(void) {
  note(0);
  walk(1, 4);
  note(1);
  cilk_for (int i = 0; i < 4; ++i)
    twice(note, 100 + 4 * i);
  cilk_for (int i = 0; i < 3; ++i)
    both(200 + i * 30);
  cilk_spawn walk(20, 2);
  cilk_spawn twice(both, 300);
  cilk_sync;
  unsigned long long last = __cilkrts_get_dprand();
  note(2 + (int)(last & 1));
  printNotes();
  return 0;
}
