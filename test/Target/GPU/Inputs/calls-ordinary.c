#include <cilk/cilk.h>
struct three {
  long a, b, c;
};
struct three ordinary(long x);
extern long (*const functions[2])(long);
long results[64];
int main(void) {
  cilk_for (long i = 0; i < 64; i++)
    results[i] = ordinary(i).b + functions[i & 1](i);
  return results[5] != 16;
}
