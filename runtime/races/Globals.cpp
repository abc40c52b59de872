// Global variables from the symbol tables of the program's files (see MemoryObjects.h). A file without such a table, or
// one that cannot be read, adds nothing.
#include "MemoryObjects.h"
#include "process/FileBytes.h"

#include <elf.h>
#include <link.h>

namespace cilk2gpu::races {

using rt::FileBytes;

static void addSymbols(MemoryObjects &objects, const FileBytes &file, const ElfW(Shdr) & table, uintptr_t base) {
  size_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto *symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
  for (size_t i = 0; symbols && i < count; ++i)
    if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size && symbols[i].st_shndx != SHN_UNDEF)
      objects.add(base + symbols[i].st_value, symbols[i].st_size);
}

static int addFile(dl_phdr_info *info, size_t, void *objects) {
  FileBytes file(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
  const auto *header = file.at<ElfW(Ehdr)>(0, 1);
  const auto *sections = header ? file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum) : nullptr;
  for (unsigned i = 0; sections && i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM)
      addSymbols(*static_cast<MemoryObjects *>(objects), file, sections[i], info->dlpi_addr);
  return 0;
}

void addGlobals(MemoryObjects &objects) { dl_iterate_phdr(addFile, &objects); }

} // namespace cilk2gpu::races
