#include <stdio.h>

int fib(int n);

int main(void) {
  printf("fib %d\n", fib(20));
  return 0;
}
