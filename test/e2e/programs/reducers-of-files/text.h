// A text to which the tasks of all files append, and a sum. text.c defines them.
#ifndef REDUCERS_OF_FILES_TEXT_H
#define REDUCERS_OF_FILES_TEXT_H

typedef struct {
  int length;
  char letters[8000];
} Text;

void text_identity(void *view);
void text_append(void *left, void *right);
void sum_identity(void *view);
void sum_add(void *left, void *right);

extern Text _Hyperobject(text_identity, text_append) text;
extern long _Hyperobject(sum_identity, sum_add) sum;

#endif
