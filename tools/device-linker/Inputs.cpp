// See Inputs.h.
#include "Inputs.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/Archive.h"
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

/// What an object's symbols say.
struct Symbols {
  std::vector<Definition> definitions;
  std::vector<std::string> references; ///< that must be there
};

} // namespace

/// Nothing for what cannot be read: the linker will say so.
static Symbols symbolsOf(MemoryBufferRef object) {
  Symbols result;
  LLVMContext context;
  Expected<std::unique_ptr<object::SymbolicFile>> file = object::SymbolicFile::createSymbolicFile(
      object, file_magic::unknown, &context);
  if (!file) {
    consumeError(file.takeError());
    return result;
  }
  for (const object::BasicSymbolRef &symbol : (*file)->symbols()) {
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

std::string LinkedObject::name() const {
  std::string own = buffer.getBufferIdentifier().str();
  return archive.empty() ? own : archive + "(" + own + ")";
}

void LinkInputs::take(LinkedObject object) {
  for (const Definition &definition : object.definitions)
    defined.insert(definition.name);
  chosen.push_back(std::move(object));
}

void LinkInputs::add(MemoryBufferRef buffer, StringRef archive, bool isMember) {
  Symbols symbols = symbolsOf(buffer);
  LinkedObject object = {buffer, archive.str(), argument, std::move(symbols.definitions)};
  if (isMember)
    return members.push_back({std::move(object), std::move(symbols.references)});
  append_range(wanted, symbols.references);
  take(std::move(object));
}

Error LinkInputs::readArchive(StringRef path, MemoryBufferRef file, bool whole) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(file);
  if (!archive)
    return archive.takeError();
  Error error = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(error)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    if (!member)
      return joinErrors(std::move(error), member.takeError());
    if (!isObject(member->getBuffer()))
      continue;
    add(*member, path, !whole);
  }
  archives.push_back(std::move(*archive)); // a thin one owns its members' files
  return error;
}

Error LinkInputs::readFile(StringRef path, bool wholeArchive) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return Error::success();
  MemoryBufferRef file = **buffer;
  if (isObject(file.getBuffer())) {
    files.push_back(std::move(*buffer));
    add(file, "", isLazy);
  } else if (identify_magic(file.getBuffer()) == file_magic::archive) {
    files.push_back(std::move(*buffer));
    return readArchive(path, file, wholeArchive);
  }
  return Error::success();
}

/// -lNAME: the linker prefers a shared library, unless it is told not to.
void LinkInputs::readLibrary(StringRef name, bool isStatic, bool wholeArchive) {
  for (const std::string &folder : folders) {
    SmallString<256> path(folder);
    if (name.starts_with(":")) {
      sys::path::append(path, name.drop_front());
    } else {
      sys::path::append(path, "lib" + name + ".so");
      if (!isStatic && sys::fs::exists(path))
        return;
      sys::path::remove_filename(path);
      sys::path::append(path, "lib" + name + ".a");
    }
    if (sys::fs::exists(path))
      return consumeError(readFile(path, wholeArchive));
  }
}

/// Members that define what is wanted, and what those want. What an object or an earlier member defines is not looked
/// for again: an archive may be named twice, or have what the program replaces.
void LinkInputs::takeNeeded() {
  StringSet<> needed;
  for (size_t seen = 0; seen < wanted.size();) {
    for (; seen < wanted.size(); ++seen)
      needed.insert(wanted[seen]);
    for (Member &member : members)
      if (!member.taken && any_of(member.object.definitions, [&](const Definition &definition) {
            return needed.contains(definition.name) && !defined.contains(definition.name);
          })) {
        member.taken = true;
        append_range(wanted, member.references);
        take(member.object);
      }
  }
}

Error LinkInputs::read(ArrayRef<std::string> arguments) {
  bool whole = false, isStatic = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef word = arguments[i];
    argument = i;
    if (word == "-o" || word == "-z" || word == "-soname" || word == "-T") {
      ++i;
    } else if (word == "--whole-archive" || word == "--no-whole-archive") {
      whole = word == "--whole-archive";
    } else if (word == "--start-lib" || word == "--end-lib") {
      isLazy = word == "--start-lib";
    } else if (word == "-static" || word == "-Bstatic") {
      isStatic = true;
    } else if (word == "-Bdynamic") {
      isStatic = false;
    } else if (word == "-L" && i + 1 < arguments.size()) {
      folders.push_back(arguments[++i]);
    } else if (word.consume_front("-L")) {
      folders.push_back(word.str());
    } else if (word == "-l" && i + 1 < arguments.size()) {
      readLibrary(arguments[++i], isStatic, whole);
    } else if (word.consume_front("-l")) {
      readLibrary(word, isStatic, whole);
    } else if (!word.starts_with("-")) {
      if (Error error = readFile(word, whole))
        return error;
    }
  }
  takeNeeded();
  findDefiners();
  return Error::success();
}

/// Several objects may define a name: some of them weakly, or, with -z muldefs, all of them.
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

const LinkedObject *LinkInputs::definerOf(StringRef name) const {
  auto known = definers.find(name);
  return known == definers.end() ? nullptr : &chosen[known->second];
}
