// See KeepLoaded.h. The reference to dlopen is weak, so that the linker gives no warning for a program that is linked
// statically, which has no shared libraries.
#include "process/KeepLoaded.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#pragma weak dlopen

namespace cilk2gpu::rt {
namespace {

struct Search {
  uintptr_t address;
  const char *name; ///< of the object that contains the address
};

int look(dl_phdr_info *object, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || search->address - (object->dlpi_addr + segment.p_vaddr) >= segment.p_memsz)
      continue;
    search->name = object->dlpi_name;
    return 1;
  }
  return 0;
}

} // namespace

void keepLoaded(const void *address) {
  Search search = {reinterpret_cast<uintptr_t>(address), nullptr};
  // The program itself has no name.
  if (dlopen && dl_iterate_phdr(look, &search) && search.name && *search.name)
    dlopen(search.name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

} // namespace cilk2gpu::rt
