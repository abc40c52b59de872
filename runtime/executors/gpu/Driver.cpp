// Loads a driver's library. The reference to dlopen is weak, so that the linker gives no warning for a program that is
// linked statically. Such a program runs without GPUs, because its dlopen depends on the machine where it was linked;
// if it asks for a GPU, a message says so.
#include "executors/gpu/Driver.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

namespace cilk2gpu::device {

void *findSymbol(void *library, const char *symbol) { return dlsym(library, symbol); }

/// Returns whether the program is linked statically, that is, has no interpreter. The first object in the list is the
/// program.
static bool isStatic() {
  int (*look)(dl_phdr_info *, size_t, void *) = [](dl_phdr_info *program, size_t, void *) {
    for (int i = 0; i < program->dlpi_phnum; ++i)
      if (program->dlpi_phdr[i].p_type == PT_INTERP)
        return 1;
    return -1;
  };
  return dl_iterate_phdr(look, nullptr) != 1 || !dlopen || !dlsym || !dlerror;
}

static void *openLibrary(const char *path, Reason &why) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *error = library ? nullptr : dlerror();
  if (!library)
    why.set("%s cannot be loaded (%s)", path, error ? error : "unknown reason");
  return library;
}

/// Opens the first library of `names` that exists, and sets `used` to its name.
static void *openFirst(const char *const *names, const char *&used, Reason &why) {
  void *library = openLibrary(used = names[0], why);
  Reason ignored; // the message names only the first library
  for (uint32_t i = 1; !library && names[i]; ++i)
    library = openLibrary(used = names[i], ignored);
  return library;
}

void *loadLibrary(const char *const *names, Reason &why) {
  const char *used;
  if (!isStatic())
    return openFirst(names, used, why);
  why.set("the program is linked statically and cannot load it; link it without -static");
  return nullptr;
}

bool Driver::load(const char *path, Reason &why) const {
  if (isStatic()) {
    why.set("the program is linked statically and cannot load a driver; link it without -static");
    return false;
  }
  const char *used, *const given[] = {path, nullptr};
  void *library = openFirst(path ? given : libraries, used, why);
  if (!library) {
    size_t length = strlen(why.text);
    snprintf(why.text + length, sizeof why.text - length, "; install %s, or name the library in %s", product, variable);
    return false;
  }
  if (const char *missing = bind(library)) {
    why.set("%s has no function %s; install a newer version of %s", used, missing, product);
    return false;
  }
  return true;
}

} // namespace cilk2gpu::device
