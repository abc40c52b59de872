#ifndef REDUCERS_OF_FILES_FUNCTIONS_H
#define REDUCERS_OF_FILES_FUNCTIONS_H

void put(int letter);
void show(const char *name);
int walk(int n);
void ordered(int n);
void each(int n, void (*use)(int));

#endif
