#include <stdio.h>
#ifdef __clang__
#error "cilk2gpu must not compile this file"
#endif
int fib(int n);
int triple_of(int n);
long sum_of(int count);
int main(void) { printf("%d %d %ld\n", fib(20), triple_of(100), sum_of(1000)); }
