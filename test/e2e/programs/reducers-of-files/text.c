// The reducers, and functions that use them for files without reducers.
#include "text.h"
#include "../checksum.h"
#include "functions.h"

void text_identity(void *view) { ((Text *)view)->length = 0; }

void text_append(void *left, void *right) {
  Text *to = left, *from = right;
  for (int i = 0; i < from->length; ++i)
    to->letters[to->length++] = from->letters[i];
}

void sum_identity(void *view) { *(long *)view = 0; }
void sum_add(void *left, void *right) { *(long *)left += *(long *)right; }

Text _Hyperobject(text_identity, text_append) text;
long _Hyperobject(sum_identity, sum_add) sum = 0;

void show(const char *name) {
  Checksum found = sum;
  for (int i = 0; i < text.length; ++i)
    found = fold(found, text.letters[i]);
  report(name, found);
  printf("%d letters: %.*s\n", text.length, text.length < 60 ? text.length : 60, text.letters);
  text.length = 0;
}
