#include <stdio.h>
#ifdef __clang__
#error "cilk2gpu must not compile this file"
#endif
int fib(int n);
int triple_of(int n);
int main(void) { printf("%d %d\n", fib(20), triple_of(100)); }
