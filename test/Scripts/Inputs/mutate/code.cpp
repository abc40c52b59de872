// Code with one mutant of each kind that a test can tell apart.
#include <cstdio>

static int calls;

void call() { ++calls; }

bool less(int a, int b) { return a < b; }

int main() {
  int sum = 7;
  call();
  if (less(2, 2))
    sum = sum + 100;
  if (sum == 7)
    std::puts("seven");
  std::printf("%d %d\n", sum, calls);
}
