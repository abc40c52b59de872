// Runs tasks before and after a fork, then tasks of a library that it opens.
#include <cilk/cilk.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum(int n) {
  if (n < 2)
    return n;
  int low = cilk_spawn sum(n / 2);
  int high = cilk_spawn sum(n - n / 2);
  cilk_sync;
  return low + high;
}

int main(void) {
  sum(5);
  int status = 0;
  pid_t child = fork();
  if (!child)
    _exit(sum(10));
  waitpid(child, &status, 0);
  int after = sum(45);
  void *library = dlopen("./libfib.so", RTLD_NOW);
  int (*fib)(int) = (int (*)(int))dlsym(library, "fib");
  printf("%d in the child, %d later, %d in the library\n", WEXITSTATUS(status), after, fib(15));
  return 0;
}
