#include <stdio.h>
#include <string.h>

struct item {
  char name[16];
  double weight;
};

static int compare(const struct item *a, const struct item *b) { return strcmp(a->name, b->name); }

int count(const struct item *items, int n, const struct item *key) {
  int found = 0;
  for (int i = 0; i < n; i++)
    found += compare(&items[i], key) == 0;
  return found;
}

int main(void) {
  struct item items[] = {{"spawn", 1.5}, {"sync", 2.5}, {"spawn", 3.5}};
  printf("%d\n", count(items, 3, &items[0]));
  return 0;
}
