// Cilk functions in a header: files with and without reducers compile them.
#ifndef REDUCERS_OF_HEADERS_TASKS_H
#define REDUCERS_OF_HEADERS_TASKS_H

#include <cilk/cilk.h>

void deliver(int n);
void visit(int n);
void report();

inline int tour(int n) {
  deliver(n);
  if (n < 2)
    return n;
  int left = cilk_spawn tour(n - 1);
  int right = tour(n - 2);
  cilk_sync;
  deliver(n + 10);
  return left + right;
}

template <typename Body> void halve(int low, int high, Body body) {
  if (high - low < 2)
    return body(low);
  int middle = (low + high) / 2;
  cilk_spawn halve(low, middle, body);
  halve(middle, high, body);
}

#endif
