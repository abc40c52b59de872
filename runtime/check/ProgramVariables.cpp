// See ProgramVariables.h.
#include "check/ProgramVariables.h"
#include "check/SharedPages.h"
#include "process/FileBytes.h"

#include <elf.h>
#include <link.h>

namespace cilk2gpu::rt {

#if defined(__x86_64__)
static constexpr uint32_t kCopyRelocation = R_X86_64_COPY;
#elif defined(__aarch64__)
static constexpr uint32_t kCopyRelocation = R_AARCH64_COPY;
#else
static constexpr uint32_t kCopyRelocation = ~0u;
#endif

static bool startsWith(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

/// Returns whether a variable belongs to the runtime, to the libraries or to the compiler.
static bool isForeign(const char *name) {
  static const char *const prefixes[] = {"__",   "_ZSt", "_ZNSt", "_ZNKSt",       "_ZGV",
                                         "_ZTV", "_ZTI", "_ZTS",  "_ZN9__gnu_cxx"};
  for (const char *prefix : prefixes)
    if (startsWith(name, prefix))
      return true;
  return !*name || strstr(name, "cilk2gpu");
}

/// Reads the file of the program.
struct SymbolReader {
  ProgramVariables &list;
  const FileBytes *file = nullptr;
  uint64_t base = 0;                           ///< added to addresses of the file
  uint64_t constantStart = 0, constantEnd = 0; ///< memory that is constant when the program has been loaded
  bool isStatic = true;

  void readSegments(const dl_phdr_info &program);
  void readSections();
  void readTable(const ElfW(Shdr) * sections, uint64_t number, const ElfW(Shdr) & table);
  void add(const ElfW(Sym) & symbol, const char *name);
  void removeCopies(const ElfW(Shdr) * sections, uint64_t number);
  void place();
};

void SymbolReader::readSegments(const dl_phdr_info &program) {
  base = program.dlpi_addr;
  list.imageStart = ~uint64_t(0);
  for (int i = 0; i < program.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = program.dlpi_phdr[i];
    uint64_t start = base + segment.p_vaddr, end = start + segment.p_memsz;
    if (segment.p_type == PT_INTERP)
      isStatic = false;
    if (segment.p_type == PT_GNU_RELRO)
      constantStart = start, constantEnd = end;
    if (segment.p_type != PT_LOAD)
      continue;
    list.imageStart = start < list.imageStart ? start : list.imageStart;
    list.imageEnd = end > list.imageEnd ? end : list.imageEnd;
  }
}

void SymbolReader::add(const ElfW(Sym) & symbol, const char *name) {
  uint64_t start = base + symbol.st_value;
  bool isConstant = start - constantStart < constantEnd - constantStart;
  if (isConstant || isForeign(name) || symbol.st_size > list.imageEnd || !list.isInImage(start))
    return;
  list.variables[list.count++] = {reinterpret_cast<char *>(start), symbol.st_size, name, 0};
}

void SymbolReader::readTable(const ElfW(Shdr) * sections, uint64_t number, const ElfW(Shdr) & table) {
  uint64_t entries = table.sh_size / sizeof(ElfW(Sym));
  const auto *symbols = file->at<ElfW(Sym)>(table.sh_offset, entries);
  if (!symbols || table.sh_link >= number)
    return;
  uint64_t nameBytes = sections[table.sh_link].sh_size;
  const char *names = file->at<char>(sections[table.sh_link].sh_offset, nameBytes);
  if (!names || !nameBytes || names[nameBytes - 1])
    return;
  list.from = ProgramVariables::Source::Symbols;
  list.variables = static_cast<ProgramVariable *>(sharedPages(entries * sizeof(ProgramVariable)));
  const char *source = ""; // of local symbols
  for (uint64_t i = 0; i < entries; ++i) {
    const ElfW(Sym) &symbol = symbols[i];
    const char *name = symbol.st_name < nameBytes ? names + symbol.st_name : "";
    unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_FILE)
      source = name;
    bool isStartFile = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL && !strcmp(source, "crtstuff.c");
    bool isWritable = symbol.st_shndx < number && sections[symbol.st_shndx].sh_flags & SHF_WRITE;
    if (type == STT_OBJECT && symbol.st_size && isWritable && !isStartFile)
      add(symbol, name);
  }
}

/// Removes variables of shared libraries whose place is in the program's file, such as stdout.
void SymbolReader::removeCopies(const ElfW(Shdr) * sections, uint64_t number) {
  for (uint64_t s = 0; s < number; ++s) {
    uint64_t entries = sections[s].sh_type == SHT_RELA ? sections[s].sh_size / sizeof(ElfW(Rela)) : 0;
    const auto *relocations = file->at<ElfW(Rela)>(sections[s].sh_offset, entries);
    for (uint64_t i = 0; relocations && i < entries; ++i)
      for (uint64_t v = 0; ELF64_R_TYPE(relocations[i].r_info) == kCopyRelocation && v < list.count; ++v)
        if (uint64_t(list.variables[v].start) == base + relocations[i].r_offset)
          list.variables[v--] = list.variables[--list.count];
  }
}

/// Gives the variables their places in copies. Leaves out those that are too large together.
void SymbolReader::place() {
  uint64_t kept = 0;
  for (uint64_t v = 0; v < list.count; ++v) {
    ProgramVariable variable = list.variables[v];
    uint64_t offset = (list.bytes + 7) / 8 * 8 + uint64_t(variable.start) % 8;
    if (offset + variable.size > ProgramVariables::kMostBytes) {
      ++list.skipped;
      continue;
    }
    variable.copiedAt = offset;
    list.bytes = offset + variable.size;
    list.variables[kept++] = variable;
  }
  list.count = kept;
}

void SymbolReader::readSections() {
  const auto *header = file->at<ElfW(Ehdr)>(0, 1);
  const auto *sections = header ? file->at<ElfW(Shdr)>(header->e_shoff, header->e_shnum) : nullptr;
  for (unsigned i = 0; sections && i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_SYMTAB) {
      readTable(sections, header->e_shnum, sections[i]);
      removeCopies(sections, header->e_shnum);
      return place();
    }
}

void ProgramVariables::read() {
  SymbolReader reader{*this};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *context) {
        static_cast<SymbolReader *>(context)->readSegments(*info);
        return 1; // the first object is the program
      },
      &reader);
  if (reader.isStatic) {
    from = Source::Static;
    return;
  }
  FileBytes file("/proc/self/exe");
  file.keep(); // names of variables point into it
  reader.file = &file;
  reader.readSections();
}

} // namespace cilk2gpu::rt
