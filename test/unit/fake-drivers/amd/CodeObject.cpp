// See CodeObject.h.
#include "CodeObject.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"

#include <algorithm>
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

namespace cilk2gpu::test::amd {
namespace {

constexpr uint32_t kAbsolute64 = 3, kRelative64 = 13; ///< R_AMDGPU_ABS64 and R_AMDGPU_RELATIVE64
constexpr uint32_t kMetadataNote = 32;                ///< NT_AMDGPU_METADATA
constexpr std::string_view kTargetPrefix = "amdgcn-amd-amdhsa--";

/// The kernel descriptor of code object version 3 and later.
struct Descriptor {
  uint32_t sharedBytes, privateBytes, argumentBytes;
  uint8_t reserved0[4];
  int64_t entry; ///< from the descriptor's address
  uint8_t reserved1[20];
  uint32_t resources3, resources1, resources2;
  uint16_t properties;
  uint8_t reserved2[6];
};
static_assert(sizeof(Descriptor) == 64);

class Loader {
public:
  explicit Loader(const void *data)
      : file(static_cast<const unsigned char *>(data)), header(reinterpret_cast<const Elf64_Ehdr *>(file)) {}
  std::unique_ptr<CodeObject> load();

private:
  void copySegments();
  void readDynamic();
  void relocate();
  void readMetadata();
  void readKernel(llvm::msgpack::MapDocNode node);
  void readSymbols();
  void makeCode();
  std::string_view nameOf(const Elf64_Sym &symbol) const { return strings + symbol.st_name; }

  const unsigned char *file;
  const Elf64_Ehdr *header;
  std::unique_ptr<CodeObject> object = std::make_unique<CodeObject>();
  unsigned char *memory = nullptr; ///< at address 0 of the file
  const Elf64_Sym *symbols = nullptr;
  const char *strings = nullptr;
  const Elf64_Rela *relocations = nullptr;
  uint64_t relocationBytes = 0;
  uint32_t numSymbols = 0;
  std::string processor;
  unsigned wave = 0;
};

void Loader::copySegments() {
  auto *segments = reinterpret_cast<const Elf64_Phdr *>(file + header->e_phoff);
  uint64_t end = 0;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      end = std::max(end, segments[i].p_vaddr + segments[i].p_memsz);
  void *mapped = mmap(nullptr, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!end || mapped == MAP_FAILED)
    throw Unreadable("the code object has no memory");
  memory = static_cast<unsigned char *>(mapped);
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      memcpy(memory + segments[i].p_vaddr, file + segments[i].p_offset, segments[i].p_filesz);
  object->start = uint64_t(reinterpret_cast<uintptr_t>(memory));
  object->end = object->start + end;
}

void Loader::readDynamic() {
  auto *segments = reinterpret_cast<const Elf64_Phdr *>(file + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type != PT_DYNAMIC)
      continue;
    for (auto *entry = reinterpret_cast<const Elf64_Dyn *>(memory + segments[i].p_vaddr); entry->d_tag; ++entry) {
      unsigned char *place = memory + entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB)
        symbols = reinterpret_cast<const Elf64_Sym *>(place);
      else if (entry->d_tag == DT_STRTAB)
        strings = reinterpret_cast<const char *>(place);
      else if (entry->d_tag == DT_HASH)
        numSymbols = reinterpret_cast<const uint32_t *>(place)[1];
      else if (entry->d_tag == DT_RELA)
        relocations = reinterpret_cast<const Elf64_Rela *>(place);
      else if (entry->d_tag == DT_RELASZ)
        relocationBytes = entry->d_un.d_val;
      else if (entry->d_tag == DT_REL || entry->d_tag == DT_JMPREL)
        throw Unreadable("the code object has relocations of another kind");
    }
  }
  if (!symbols || !strings)
    throw Unreadable("the code object has no symbols");
}

void Loader::relocate() {
  for (uint64_t i = 0; i < relocationBytes / sizeof *relocations; ++i) {
    const Elf64_Rela &each = relocations[i];
    auto type = uint32_t(ELF64_R_TYPE(each.r_info));
    uint64_t value = object->start + uint64_t(each.r_addend);
    if (type == kAbsolute64)
      value += symbols[ELF64_R_SYM(each.r_info)].st_value;
    else if (type != kRelative64)
      throw Unreadable("relocation " + std::to_string(type) + " is not known here");
    memcpy(memory + each.r_offset, &value, sizeof value);
  }
}

//===-- Metadata --------------------------------------------------------------------------------------------------===//

std::string textOf(llvm::msgpack::MapDocNode node, const char *key) {
  auto found = node.find(key);
  return found == node.end() ? "" : found->second.toString();
}
uint32_t numberOf(llvm::msgpack::MapDocNode node, const char *key) {
  std::string text = textOf(node, key);
  return text.empty() ? 0 : uint32_t(std::stoul(text));
}

void Loader::readKernel(llvm::msgpack::MapDocNode node) {
  Kernel kernel;
  kernel.name = textOf(node, ".name");
  kernel.argumentBytes = numberOf(node, ".kernarg_segment_size");
  kernel.hasDynamicStack = textOf(node, ".uses_dynamic_stack") == "true";
  wave = numberOf(node, ".wavefront_size");
  auto arguments = node.find(".args");
  if (arguments != node.end())
    for (auto &each : arguments->second.getArray()) {
      llvm::msgpack::MapDocNode argument = each.getMap();
      std::string kind = textOf(argument, ".value_kind");
      if (kind.starts_with("hidden_"))
        kernel.hidden.push_back({kind, numberOf(argument, ".offset"), numberOf(argument, ".size")});
      else if (numberOf(argument, ".offset"))
        throw Unreadable("kernel '" + kernel.name + "' has more than one argument");
    }
  object->kernels[kernel.name] = kernel;
}

void Loader::readMetadata() {
  auto *segments = reinterpret_cast<const Elf64_Phdr *>(file + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type != PT_NOTE)
      continue;
    const unsigned char *note = memory + segments[i].p_vaddr, *end = note + segments[i].p_memsz;
    while (note < end) {
      auto *head = reinterpret_cast<const Elf64_Nhdr *>(note);
      const unsigned char *text = note + sizeof *head + ((head->n_namesz + 3) & ~3u);
      note = text + ((head->n_descsz + 3) & ~3u);
      if (head->n_type != kMetadataNote)
        continue;
      llvm::msgpack::Document document;
      if (!document.readFromBlob({reinterpret_cast<const char *>(text), head->n_descsz}, false))
        throw Unreadable("the code object's metadata is damaged");
      llvm::msgpack::MapDocNode root = document.getRoot().getMap();
      std::string target = textOf(root, "amdhsa.target");
      if (!target.starts_with(kTargetPrefix))
        throw Unreadable("the code object is for '" + target + "'");
      processor = target.substr(kTargetPrefix.size(), target.find(':') - kTargetPrefix.size());
      for (auto &kernel : root["amdhsa.kernels"].getArray())
        readKernel(kernel.getMap());
    }
  }
}

//===-- Symbols ---------------------------------------------------------------------------------------------------===//

void Loader::readSymbols() {
  for (uint32_t i = 1; i < numSymbols; ++i) {
    const Elf64_Sym &symbol = symbols[i];
    std::string name(nameOf(symbol));
    unsigned char *place = memory + symbol.st_value;
    if (symbol.st_shndx == SHN_UNDEF)
      throw Unreadable("'" + name + "' is not defined");
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)
      continue;
    if (!name.ends_with(".kd")) {
      object->variables[name] = {place, symbol.st_size};
      continue;
    }
    auto kernel = object->kernels.find(name.substr(0, name.size() - 3));
    if (kernel == object->kernels.end())
      throw Unreadable("there is no metadata of '" + name + "'");
    Descriptor descriptor;
    memcpy(&descriptor, place, sizeof descriptor);
    kernel->second.sharedBytes = descriptor.sharedBytes;
    kernel->second.privateBytes = descriptor.privateBytes;
    kernel->second.resources1 = descriptor.resources1;
    kernel->second.resources2 = descriptor.resources2;
    kernel->second.properties = descriptor.properties;
    kernel->second.entry = uint64_t(reinterpret_cast<uintptr_t>(place)) + uint64_t(descriptor.entry);
  }
}

void Loader::makeCode() {
  auto *segments = reinterpret_cast<const Elf64_Phdr *>(file + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X)
      object->code =
          std::make_unique<Code>(memory + segments[i].p_vaddr, segments[i].p_filesz, targetOf(processor, wave));
  if (!object->code)
    throw Unreadable("the code object has no code");
  for (auto &[name, kernel] : object->kernels)
    kernel.code = object->code.get();
}

std::unique_ptr<CodeObject> Loader::load() {
  copySegments();
  readDynamic();
  relocate();
  readMetadata();
  readSymbols();
  makeCode();
  return std::move(object);
}

} // namespace

std::unique_ptr<CodeObject> loadCodeObject(const void *data) {
  constexpr int kAmdGpu = 224;
  auto *header = static_cast<const Elf64_Ehdr *>(data);
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_machine != kAmdGpu || header->e_type != ET_DYN)
    throw Unreadable("the image is no code object");
  return Loader(data).load();
}

} // namespace cilk2gpu::test::amd
