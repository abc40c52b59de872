// Global variables from the symbol tables of the program's files (see MemoryObjects.h). A file without such a table, or
// one that cannot be read, adds nothing.
#include "MemoryObjects.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::races {
namespace {

/// The bytes of a file, while the object lives.
class FileBytes {
public:
  explicit FileBytes(const char *name) {
    int file = open(name, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && !fstat(file, &status) && status.st_size > 0) {
      size = size_t(status.st_size);
      void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      bytes = mapped == MAP_FAILED ? nullptr : static_cast<const char *>(mapped);
    }
    if (file >= 0)
      close(file);
  }
  ~FileBytes() {
    if (bytes)
      munmap(const_cast<char *>(bytes), size);
  }
  FileBytes(const FileBytes &) = delete;
  FileBytes &operator=(const FileBytes &) = delete;

  /// Returns `count` elements at an offset, or null if the file does not have them.
  template <typename Element> const Element *at(size_t offset, size_t count) const {
    bool fits = bytes && offset <= size && count <= (size - offset) / sizeof(Element);
    return fits ? reinterpret_cast<const Element *>(bytes + offset) : nullptr;
  }

private:
  const char *bytes = nullptr;
  size_t size = 0;
};

} // namespace

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
