// See LinkNotes.h. Small readers of symbol tables: LLVM's would make the driver ten times as large.
#include "LinkNotes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <optional>

using llvm::StringRef;
namespace ELF = llvm::ELF;

namespace cilk2gpu::driver {

namespace {

/// The global symbols of a file.
struct Symbols {
  llvm::StringSet<> defined, undefined;
};

/// What symbols with some prefix ask for.
struct Remedy {
  std::vector<StringRef> prefixes;
  const char *text; ///< behind the file's name
  bool isCpp = false;
};

} // namespace

/// Returns the record at an offset, if the file is long enough.
template <typename Record> static std::optional<Record> recordAt(StringRef file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record))
    return std::nullopt;
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof(Record));
  return record;
}

/// Returns the section of a number, if the file has it.
static std::optional<ELF::Elf64_Shdr> sectionAt(StringRef file, const ELF::Elf64_Ehdr &header, uint64_t number) {
  return recordAt<ELF::Elf64_Shdr>(file, header.e_shoff + number * sizeof(ELF::Elf64_Shdr));
}

/// Adds the symbols of one symbol table, whose names are in another section.
static void readTable(StringRef file, const ELF::Elf64_Shdr &table, const ELF::Elf64_Shdr &names, Symbols &symbols) {
  StringRef texts = file.substr(names.sh_offset, names.sh_size);
  for (uint64_t offset = 0; offset + sizeof(ELF::Elf64_Sym) <= table.sh_size; offset += sizeof(ELF::Elf64_Sym)) {
    auto symbol = recordAt<ELF::Elf64_Sym>(file, table.sh_offset + offset);
    if (!symbol)
      return;
    StringRef name = texts.substr(symbol->st_name).split('\0').first;
    if (symbol->st_shndx != ELF::SHN_UNDEF && symbol->getBinding() != ELF::STB_LOCAL)
      symbols.defined.insert(name);
    else if (symbol->st_shndx == ELF::SHN_UNDEF && symbol->getBinding() == ELF::STB_GLOBAL)
      symbols.undefined.insert(name);
  }
}

/// Adds the symbols of an object file or a shared library.
static void readElf(StringRef file, const ELF::Elf64_Ehdr &header, Symbols &symbols) {
  constexpr auto kOwnOrder = llvm::endianness::native == llvm::endianness::little ? ELF::ELFDATA2LSB : ELF::ELFDATA2MSB;
  if (!header.checkMagic() || header.getFileClass() != ELF::ELFCLASS64 || header.getDataEncoding() != kOwnOrder)
    return;
  const uint32_t kind = header.e_type == ELF::ET_REL ? ELF::SHT_SYMTAB : ELF::SHT_DYNSYM;
  for (unsigned number = 0; number < header.e_shnum; ++number)
    if (auto table = sectionAt(file, header, number); table && table->sh_type == kind)
      if (auto names = sectionAt(file, header, table->sh_link))
        readTable(file, *table, *names, symbols);
}

/// Adds the symbols that the members of an archive define. Its first member lists them: the number of symbols, the
/// offset of a member for each, and the names, each with a NUL behind it.
static void readArchive(StringRef file, Symbols &symbols) {
  constexpr size_t kMagicBytes = 8, kHeaderBytes = 60, kSizeAt = 48, kSizeBytes = 10, kWordBytes = 4;
  StringRef header = file.substr(kMagicBytes, kHeaderBytes);
  uint64_t bytes = 0;
  if (!header.starts_with("/ ") || header.substr(kSizeAt, kSizeBytes).trim().getAsInteger(10, bytes))
    return;
  StringRef list = file.substr(kMagicBytes + kHeaderBytes, bytes);
  if (list.size() < kWordBytes)
    return;
  StringRef names = list.substr(kWordBytes + kWordBytes * uint64_t(llvm::support::endian::read32be(list.data())));
  while (!names.empty()) {
    auto [name, others] = names.split('\0');
    symbols.defined.insert(name);
    names = others;
  }
}

static Symbols readSymbols(StringRef path) {
  Symbols symbols;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  StringRef file = buffer ? (*buffer)->getBuffer() : StringRef();
  if (file.starts_with("!<arch>\n") || file.starts_with("!<thin>\n"))
    readArchive(file, symbols);
  else if (auto header = recordAt<ELF::Elf64_Ehdr>(file, 0))
    readElf(file, *header, symbols);
  return symbols;
}

/// The remedies, the special ones first: a file gets one note. Other compilers' prefixes include functions that
/// cilk2gpu's run-time library defines.
static const std::vector<Remedy> &remedies() {
  static const std::vector<Remedy> all = {
      {{"__cilk2gpu_strand_", "__cilk2gpu_race_"},
       "was compiled for the race detector; give the option -fsanitize=cilk when linking, too"},
      {{"__cilk2gpu_scale_"},
       "was compiled for the analysis of scalability; give the option -fcilk-scale when linking, too"},
      {{"__cilk2gpu_", "__hyper_lookup"},
       "needs cilk2gpu's run-time library, which the options leave out; remove -nostdlib and -nodefaultlibs, or name "
       "libcilk2gpu_rt.a"},
      {{"__cilkrts_get_dprand", "__cilkrts_get_pedigree", "__cilkrts_bump_worker_rank", "__cilkrts_dprand_"},
       "uses pedigrees, which are not in a library; include <cilk/cilk_api.h>, and compile all files by cilk2gpu with "
       "the option -fcilk-pedigrees"},
      {{"__cilkrts_", "__cilk_", "__csi_", "__csan_", "__cilksan_"},
       "was compiled by another Cilk compiler, whose tasks cilk2gpu's runtime cannot run; compile it by cilk2gpu"},
      {{"_ZSt", "_ZNSt", "_ZNKSt", "_ZTISt", "_ZTVN10__cxxabiv1", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv",
        "__gxx_personality_v0", "__cxa_throw", "__cxa_begin_catch", "__cxa_guard_", "__cxa_pure_virtual"},
       "is C++; link with the command cilk2gpu++",
       /*isCpp=*/true},
  };
  return all;
}

void printLinkNotes(llvm::raw_ostream &os, StringRef program, const Link &link) {
  std::vector<Symbols> files;
  llvm::StringSet<> defined;
  for (const std::string &path : llvm::concat<const std::string>(link.objects, link.libraries)) {
    files.push_back(readSymbols(path));
    for (const auto &entry : files.back().defined)
      defined.insert(entry.getKey());
  }
  for (auto [path, symbols] : llvm::zip_first(link.objects, files)) {
    const auto isMissing = [&](const Remedy &remedy) {
      return !(remedy.isCpp && link.hasCpp) && llvm::any_of(symbols.undefined, [&](const auto &entry) {
        StringRef name = entry.getKey();
        return !defined.contains(name) &&
               llvm::any_of(remedy.prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
      });
    };
    if (auto remedy = llvm::find_if(remedies(), isMissing); remedy != remedies().end())
      os << program << ": note: '" << path << "' " << remedy->text << "\n";
  }
}

} // namespace cilk2gpu::driver
