// Functions of the files of this program.
#ifndef NOTES_H
#define NOTES_H

void note(int at);              // in notes.c, which spawns nothing
void printNotes(void);          // in notes.c
void walk(int at, int depth);   // in walk.c, which asks for no pedigree
void twice(void (*function)(int), int at); // in walk.c

#endif
