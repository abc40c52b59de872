// Tasks of a file with reducers.
#include "stock.h"
#include "tasks.h"

static Shelf<int> shelf;

static void walk(int n) {
  byReference(notes, n);
  byView(names, n);
  deliver(n);
  fill(shelf, n);
  if (n < 2)
    return;
  cilk_spawn walk(n - 1);
  byPointer(__builtin_addressof(notes), n);
  Shelf<long> local;
  cilk_for (int i = 0; i < 5; ++i) {
    byReference(Shelf<long>::labels, i);
    fill(local, i);
  }
  cilk_spawn tour(n % 4);
  walk(n - 2);
  cilk_sync;
  names += local.own == 20 ? '.' : '?';
}

void visit(int n) { walk(n); }
