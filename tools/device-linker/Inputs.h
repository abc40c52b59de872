// The objects that a linker's command line links: object files, and the members of archives that these need. Members
// are taken as the linker takes them.
#ifndef CILK2GPU_TOOLS_DEVICELINKER_INPUTS_H
#define CILK2GPU_TOOLS_DEVICELINKER_INPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace cilk2gpu {

/// A definition of a name that other objects see.
struct Definition {
  std::string name;
  bool isStrong; ///< the linker takes no other definition
};

/// A relocatable object.
struct LinkedObject {
  llvm::MemoryBufferRef buffer;
  std::string archive; ///< archive of the member; empty for a file
  size_t argument;     ///< index of the linker's argument that names the file or the archive
  std::vector<Definition> definitions;
  bool isChanged = false; ///< the linker gets `buffer` in place of the file

  /// Returns a name for messages.
  std::string name() const;
};

/// The relocatable objects of one link.
class LinkInputs {
public:
  /// Reads the files that `arguments`, a linker's arguments, name. The linker reports missing files. With `remembers`,
  /// an archive's members are also taken for names that later files need, as lld and mold do. Other linkers search an
  /// archive only at its position.
  llvm::Error read(llvm::ArrayRef<std::string> arguments, bool remembers);

  /// Returns objects and needed archive members in the order of the linker's arguments. They are valid while this
  /// object exists.
  llvm::ArrayRef<LinkedObject> objects() const { return chosen; }

  /// Gives object `number` other contents.
  void change(size_t number, std::string contents);

  /// Returns true if the linker looks for a name anyway: an object defines it or needs it.
  bool isLookedFor(llvm::StringRef name) const;

  /// Returns the object whose definition of a name the program has: the first strong definition, or else the first
  /// definition. Returns null if no object defines the name.
  const LinkedObject *definerOf(llvm::StringRef name) const;

private:
  struct Member {
    LinkedObject object;
    std::vector<std::string> references;
    bool taken = false;
  };
  /// The source of a name, as far as the arguments have been read. The first source counts: no member of an archive is
  /// taken for a name that an earlier shared library defines.
  struct Symbol {
    enum { Wanted, Remembered, Shared, Defined } state;
    size_t member = 0;     ///< member that defines it, if it is remembered
    bool isWanted = false; ///< does any file need it?
  };

  llvm::Error readFile(llvm::StringRef path);
  llvm::Error readArchive(llvm::StringRef path, llvm::MemoryBufferRef file);
  llvm::Error readScript(llvm::StringRef text);
  void readShared(llvm::MemoryBufferRef file);
  llvm::Error readLibrary(llvm::StringRef name);
  void add(llvm::MemoryBufferRef buffer, llvm::StringRef archive, bool isMember);
  void want(llvm::StringRef name);
  void offer(size_t member);
  void take(LinkedObject object, llvm::ArrayRef<std::string> references);
  void take(size_t member);
  void takeWanted();
  void takeNeeded(size_t first);
  void findDefiners();

  std::vector<std::string> folders; ///< folders of -L
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives;
  std::vector<LinkedObject> chosen;
  std::vector<Member> members;
  llvm::StringMap<Symbol> symbols;
  std::vector<size_t> needed;       ///< members to take
  llvm::StringMap<size_t> definers; ///< numbers of the objects whose definitions the linker takes
  size_t argument = 0;              ///< index of the argument that is being read
  bool isLazy = false;              ///< objects count as an archive's members, between --start-lib and --end-lib
  bool isStatic = false;            ///< -l looks for no shared libraries
  bool isWhole = false;             ///< archives' members count as objects
  bool isAsNeeded = false;          ///< shared libraries that no object needs yet do not count
  bool remembers = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_INPUTS_H
