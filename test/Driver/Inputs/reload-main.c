#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  for (int i = 0; i < 3; ++i) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int (*count)(void) = (int (*)(void))dlsym(library, "count");
    printf("%d ", count());
    dlclose(library);
  }
  printf("\n");
}
