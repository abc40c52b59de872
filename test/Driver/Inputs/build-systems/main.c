#include <stdio.h>
#ifndef __cilk2gpu__
#error "this file is compiled by another compiler"
#endif
int fib(int n);
int triple_of(int n);
long sum_of(int count);
int main(void) { printf("%d %d %ld\n", fib(20), triple_of(100), sum_of(1000)); }
