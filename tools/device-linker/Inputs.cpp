// See Inputs.h.
#include "Inputs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/SymbolicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isObject(StringRef contents) {
  file_magic magic = identify_magic(contents);
  return magic == file_magic::elf_relocatable || magic == file_magic::bitcode;
}

namespace {

/// Names in an object's symbol table.
struct Symbols {
  std::vector<Definition> definitions;
  std::vector<std::string> references; ///< names that must be defined
};

} // namespace

template <typename Range> static Symbols symbolsOf(Range &&symbols) {
  Symbols result;
  for (const object::BasicSymbolRef &symbol : symbols) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      consumeError(flags.takeError());
      continue;
    }
    bool isUndefined = *flags & object::BasicSymbolRef::SF_Undefined, isWeak = *flags & object::BasicSymbolRef::SF_Weak;
    if (!(*flags & object::BasicSymbolRef::SF_Global) || (isUndefined && isWeak))
      continue;
    std::string name;
    raw_string_ostream os(name);
    if (Error error = symbol.printName(os))
      consumeError(std::move(error));
    else if (isUndefined)
      result.references.push_back(name);
    else
      result.definitions.push_back({name, !isWeak && !(*flags & object::BasicSymbolRef::SF_Common)});
  }
  return result;
}

/// Returns the symbols of an object. Returns none for a file that cannot be read, because the linker will report it.
static Symbols symbolsOf(MemoryBufferRef object) {
  LLVMContext context;
  Expected<std::unique_ptr<object::SymbolicFile>> file =
      object::SymbolicFile::createSymbolicFile(object, file_magic::unknown, &context);
  if (file)
    return symbolsOf((*file)->symbols());
  consumeError(file.takeError());
  return {};
}

std::string LinkedObject::name() const {
  std::string own = buffer.getBufferIdentifier().str();
  return archive.empty() ? own : archive + "(" + own + ")";
}

//===-- Symbols ---------------------------------------------------------------------------------------------------===//

void LinkInputs::want(StringRef name) {
  Symbol &symbol = symbols.try_emplace(name, Symbol{Symbol::Wanted}).first->second;
  symbol.isWanted = true;
  if (symbol.state == Symbol::Remembered)
    needed.push_back(symbol.member);
}

void LinkInputs::takeWanted() {
  while (!needed.empty()) {
    size_t member = needed.back();
    needed.pop_back();
    take(member);
  }
}

/// Takes a member if it defines a wanted name.
void LinkInputs::offer(size_t member) {
  for (const Definition &definition : members[member].object.definitions) {
    auto known = symbols.find(definition.name);
    if (known == symbols.end() && remembers)
      symbols[definition.name] = {Symbol::Remembered, member};
    else if (known != symbols.end() && known->second.state == Symbol::Wanted)
      needed.push_back(member);
  }
  takeWanted();
}

void LinkInputs::take(LinkedObject object, ArrayRef<std::string> references) {
  for (const Definition &definition : object.definitions)
    symbols.try_emplace(definition.name, Symbol{}).first->second.state = Symbol::Defined;
  for (const std::string &name : references)
    want(name);
  chosen.push_back(std::move(object));
}

void LinkInputs::take(size_t member) {
  if (!std::exchange(members[member].taken, true))
    take(members[member].object, members[member].references);
}

/// Offers members, from `first` on, until no member is taken any more.
void LinkInputs::takeNeeded(size_t first) {
  for (size_t before = chosen.size() + 1; before != chosen.size();) {
    before = chosen.size();
    for (size_t member = first; member < members.size(); ++member)
      if (!members[member].taken)
        offer(member);
  }
}

//===-- Files -----------------------------------------------------------------------------------------------------===//

void LinkInputs::add(MemoryBufferRef buffer, StringRef archive, bool isMember) {
  Symbols own = symbolsOf(buffer);
  LinkedObject object = {buffer, archive.str(), argument, std::move(own.definitions)};
  if (isMember)
    return members.push_back({std::move(object), std::move(own.references)});
  take(std::move(object), own.references);
  takeWanted();
}

Error LinkInputs::readArchive(StringRef path, MemoryBufferRef file) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(file);
  if (!archive)
    return archive.takeError();
  size_t first = members.size();
  Error error = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(error)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    if (!member)
      return joinErrors(std::move(error), member.takeError());
    if (!isObject(member->getBuffer()))
      continue;
    add(*member, path, !isWhole);
  }
  archives.push_back(std::move(*archive)); // a thin archive owns its members' files
  takeNeeded(first);
  return error;
}

/// Reads the names that a shared library defines, and the names that it needs. Members of archives may define the
/// needed names.
void LinkInputs::readShared(MemoryBufferRef file) {
  Expected<std::unique_ptr<object::ObjectFile>> library = object::ObjectFile::createObjectFile(file);
  auto *elf = library ? dyn_cast<object::ELFObjectFileBase>(library->get()) : nullptr;
  if (!elf)
    return consumeError(library.takeError());
  Symbols own = symbolsOf(elf->getDynamicSymbolIterators());
  bool isNeeded = any_of(own.definitions, [&](const Definition &definition) {
    auto known = symbols.find(definition.name);
    return known != symbols.end() && known->second.state == Symbol::Wanted;
  });
  if (isAsNeeded && !isNeeded && !remembers)
    return;
  for (const Definition &definition : own.definitions) {
    Symbol &symbol = symbols.try_emplace(definition.name, Symbol{Symbol::Shared}).first->second;
    if (symbol.state == Symbol::Wanted)
      symbol.state = Symbol::Shared;
  }
  for (const std::string &name : own.references)
    want(name);
  takeWanted();
}

/// Reads a linker script in place of a library: the files that its GROUP and INPUT name.
Error LinkInputs::readScript(StringRef text) {
  std::string words;
  for (size_t comment = text.find("/*"); comment != StringRef::npos; comment = text.find("/*")) {
    words += text.take_front(comment);
    size_t end = text.find("*/", comment);
    text = end == StringRef::npos ? "" : text.drop_front(end + 2);
  }
  words += text;
  bool isInput = false;
  size_t first = members.size();
  SmallVector<StringRef> parts;
  SplitString(words, parts, " \t\r\n(),;");
  for (StringRef word : parts) {
    if (word == "GROUP" || word == "INPUT" || word == "AS_NEEDED")
      isInput = true;
    else if (word == "OUTPUT_FORMAT")
      isInput = false;
    else if (Error error = !isInput ? Error::success() : word.consume_front("-l") ? readLibrary(word) : readFile(word))
      return error;
  }
  takeNeeded(first);
  return Error::success();
}

Error LinkInputs::readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return Error::success();
  MemoryBufferRef file = **buffer;
  file_magic magic = identify_magic(file.getBuffer());
  files.push_back(std::move(*buffer));
  size_t first = members.size();
  if (isObject(file.getBuffer()))
    add(file, "", isLazy);
  else if (magic == file_magic::archive)
    return readArchive(path, file);
  else if (magic == file_magic::elf_shared_object)
    readShared(file);
  else if (magic == file_magic::unknown && sys::path::extension(path) == ".so")
    return readScript(file.getBuffer());
  takeNeeded(first);
  return Error::success();
}

/// Reads the library of -lNAME. The linker prefers a shared library, unless an option forbids it.
Error LinkInputs::readLibrary(StringRef name) {
  for (const std::string &folder : folders) {
    SmallString<256> path(folder);
    if (name.starts_with(":")) {
      sys::path::append(path, name.drop_front());
    } else {
      sys::path::append(path, "lib" + name + ".so");
      if (isStatic || !sys::fs::exists(path)) {
        sys::path::remove_filename(path);
        sys::path::append(path, "lib" + name + ".a");
      }
    }
    if (sys::fs::exists(path))
      return readFile(path);
  }
  return Error::success();
}

Error LinkInputs::read(ArrayRef<std::string> arguments, bool doesRemember) {
  remembers = doesRemember;
  size_t group = 0; // first member of a group of archives, which are searched until no member is needed
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef word = arguments[i];
    argument = i;
    if (word == "-o" || word == "-z" || word == "-soname" || word == "-T") {
      ++i;
    } else if (word == "--whole-archive" || word == "--no-whole-archive") {
      isWhole = word == "--whole-archive";
    } else if (word == "--start-group" || word == "-(") {
      group = members.size();
    } else if (word == "--end-group" || word == "-)") {
      takeNeeded(group);
    } else if (word == "--start-lib" || word == "--end-lib") {
      isLazy = word == "--start-lib";
    } else if (word == "--as-needed" || word == "--no-as-needed") {
      isAsNeeded = word == "--as-needed";
    } else if (word == "-static" || word == "-Bstatic") {
      isStatic = true;
    } else if (word == "-Bdynamic") {
      isStatic = false;
    } else if (word == "-u" && i + 1 < arguments.size()) {
      want(arguments[++i]);
    } else if (word.consume_front("--undefined=")) {
      want(word);
    } else if (word == "-L" && i + 1 < arguments.size()) {
      folders.push_back(arguments[++i]);
    } else if (word.consume_front("-L")) {
      folders.push_back(word.str());
    } else if (word == "-l" && i + 1 < arguments.size()) {
      consumeError(readLibrary(arguments[++i]));
    } else if (word.consume_front("-l")) {
      consumeError(readLibrary(word));
    } else if (!word.starts_with("-")) {
      if (Error error = readFile(word))
        return error;
    }
  }
  findDefiners();
  return Error::success();
}

/// Finds the object that defines each name. Several objects may define a name: weakly, or with -z muldefs.
void LinkInputs::findDefiners() {
  llvm::stable_sort(chosen, [](const LinkedObject &a, const LinkedObject &b) { return a.argument < b.argument; });
  StringSet<> strong;
  for (auto [number, object] : enumerate(chosen))
    for (const Definition &definition : object.definitions)
      if (definition.isStrong && strong.insert(definition.name).second)
        definers[definition.name] = number;
      else
        definers.try_emplace(definition.name, number);
}

void LinkInputs::change(size_t number, std::string contents) {
  LinkedObject &object = chosen[number];
  files.push_back(MemoryBuffer::getMemBufferCopy(contents, object.buffer.getBufferIdentifier()));
  object.buffer = *files.back();
  object.isChanged = true;
}

bool LinkInputs::isLookedFor(StringRef name) const {
  auto known = symbols.find(name);
  return known != symbols.end() && (known->second.isWanted || known->second.state == Symbol::Defined);
}

const LinkedObject *LinkInputs::definerOf(StringRef name) const {
  auto known = definers.find(name);
  return known == definers.end() ? nullptr : &chosen[known->second];
}
