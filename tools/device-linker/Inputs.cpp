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

/// Names that an object defines or, if `defined` is false, refers to and must have. Nothing for what cannot be read:
/// the linker will say so.
static std::vector<std::string> symbols(MemoryBufferRef object, bool defined) {
  std::vector<std::string> names;
  LLVMContext context;
  Expected<std::unique_ptr<object::SymbolicFile>> file = object::SymbolicFile::createSymbolicFile(
      object, file_magic::unknown, &context);
  if (!file) {
    consumeError(file.takeError());
    return names;
  }
  for (const object::BasicSymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      consumeError(flags.takeError());
      continue;
    }
    bool isUndefined = *flags & object::BasicSymbolRef::SF_Undefined;
    bool isOptional = isUndefined && (*flags & object::BasicSymbolRef::SF_Weak);
    if (!(*flags & object::BasicSymbolRef::SF_Global) || isUndefined == defined || isOptional)
      continue;
    std::string name;
    raw_string_ostream os(name);
    if (Error error = symbol.printName(os))
      consumeError(std::move(error));
    else
      names.push_back(name);
  }
  return names;
}

std::string LinkedObject::name() const {
  std::string own = buffer.getBufferIdentifier().str();
  return archive.empty() ? own : archive + "(" + own + ")";
}

void LinkInputs::take(const LinkedObject &object) {
  chosen.push_back(object);
  for (std::string &name : symbols(object.buffer, /*defined=*/false))
    wanted.push_back(std::move(name));
  for (const std::string &name : symbols(object.buffer, /*defined=*/true))
    defined.insert(name);
}

void LinkInputs::addMember(const LinkedObject &object) {
  members.push_back({object, symbols(object.buffer, /*defined=*/true)});
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
    LinkedObject object = {*member, path.str(), argument};
    if (whole)
      take(object);
    else
      addMember(object);
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
    if (isLazy)
      addMember({file, "", argument});
    else
      take({file, "", argument});
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
      if (!member.taken && any_of(member.defines, [&](const std::string &name) {
            return needed.contains(name) && !defined.contains(name);
          })) {
        member.taken = true;
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
  return Error::success();
}
