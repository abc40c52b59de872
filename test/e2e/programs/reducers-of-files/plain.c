// A file without keywords: its functions belong to the strands of the tasks that call them.
#include "functions.h"
#include "text.h"

void put(int letter) {
  text.letters[text.length++] = (char)letter;
  sum += letter;
}
