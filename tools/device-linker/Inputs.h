// What a linker's command line links: object files, and the members of archives that these need, as the linker takes
// them.
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

/// A name that an object defines for others, too.
struct Definition {
  std::string name;
  bool isStrong; ///< the linker takes no other one
};

/// A relocatable object.
struct LinkedObject {
  llvm::MemoryBufferRef buffer;
  std::string archive; ///< whose member it is; empty: it is a file
  size_t argument;     ///< which of the linker's arguments names the file or the archive
  std::vector<Definition> definitions;
  bool isChanged = false; ///< the linker is to have `buffer` in the file's place

  /// For messages.
  std::string name() const;
};

/// The relocatable objects of one link.
class LinkInputs {
public:
  /// Reads what `arguments`, a linker's, name. Files that are not there are the linker's to report. `remembers`:
  /// members of an archive are taken for what is wanted later, too, as lld and mold do; others look only when they come
  /// to it.
  llvm::Error read(llvm::ArrayRef<std::string> arguments, bool remembers);

  /// Objects and needed archive members, in the order in which the linker's arguments name them; valid as long as this.
  llvm::ArrayRef<LinkedObject> objects() const { return chosen; }

  /// Gives object `number` other contents.
  void change(size_t number, std::string contents);

  /// Whether the linker looks for a name anyway: an object defines it, or must find it.
  bool isLookedFor(llvm::StringRef name) const;

  /// The object whose definition of a name the program has: the first strong one, or else the first. Null if none has
  /// any.
  const LinkedObject *definerOf(llvm::StringRef name) const;

private:
  struct Member {
    LinkedObject object;
    std::vector<std::string> references;
    bool taken = false;
  };
  /// Where a name comes from, as far as the arguments have been read. What comes first counts: an archive's member is
  /// not taken for what a shared library before it has.
  struct Symbol {
    enum { Wanted, Remembered, Shared, Defined } state;
    size_t member = 0;     ///< that has it, if it is remembered
    bool isWanted = false; ///< wherever it comes from
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

  std::vector<std::string> folders; ///< of -L
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives;
  std::vector<LinkedObject> chosen;
  std::vector<Member> members;
  llvm::StringMap<Symbol> symbols;
  std::vector<size_t> needed;       ///< members to take
  llvm::StringMap<size_t> definers; ///< numbers of the objects that the linker takes them from
  size_t argument = 0;              ///< that is being read
  bool isLazy = false;              ///< objects count as an archive's members, between --start-lib and --end-lib
  bool isStatic = false;            ///< -l looks for no shared libraries
  bool isWhole = false;             ///< archives' members count as objects
  bool isAsNeeded = false;          ///< shared libraries that nobody needs yet do not count
  bool remembers = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_INPUTS_H
