#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *out = fopen(argv[argc - 1], "w");
  for (int i = 0; i < atoi(argv[1]); i++)
    fprintf(out, "%d\n", i + 1);
  return fclose(out);
}
