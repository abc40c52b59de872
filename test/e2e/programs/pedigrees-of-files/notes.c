#include "notes.h"
#include <cilk/cilk_api.h>
#include <stdio.h>

static unsigned long long numbers[512], ranks[512], depths[512];

void note(int at) {
  __cilkrts_pedigree leaf = __cilkrts_get_pedigree();
  numbers[at] = __cilkrts_get_dprand();
  ranks[at] = leaf.rank;
  for (const __cilkrts_pedigree *place = &leaf; place; place = place->parent)
    ++depths[at];
}

void printNotes(void) {
  for (int at = 0; at < 512; ++at)
    if (depths[at])
      printf("%d: %llu at depth %llu, %llx\n", at, ranks[at], depths[at], numbers[at]);
}
