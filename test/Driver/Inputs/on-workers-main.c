#include <stdio.h>

int fib(int n);
int countOnWorkers(int n);

int main(void) {
  printf("fib %d, on workers %d\n", fib(20), countOnWorkers(100));
  return 0;
}
