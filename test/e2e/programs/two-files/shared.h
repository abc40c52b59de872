// Cilk functions of two translation units that spawn each other's.
#ifndef SHARED_H
#define SHARED_H

struct Range {
  int low, high;
  long weight;
};

long ping(int n, struct Range range);
long pong(int n, const struct Range *range);
int plain_in_other_file(int n);
extern long shared_total;

#endif
