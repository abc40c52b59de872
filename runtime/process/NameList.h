// A list of names for a message, such as "gfx90a, sm_90".
#ifndef CILK2GPU_RUNTIME_PROCESS_NAMELIST_H
#define CILK2GPU_RUNTIME_PROCESS_NAMELIST_H

#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

/// The names as text. Each name is in the list once. The text has a fixed size; names that do not fit are cut off.
struct NameList {
  const char *separator = ", ";
  char text[400] = "";

  bool isEmpty() const { return !*text; }

  bool has(const char *name) const {
    size_t length = strlen(name);
    if (length == 0)
      return false;
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
      if ((at == text || at[-1] == separator[strlen(separator) - 1]) && (!at[length] || at[length] == ','))
        return true;
    return false;
  }

  void add(const char *name) {
    if (!*name || has(name))
      return;
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s", length ? separator : "", name);
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_NAMELIST_H
