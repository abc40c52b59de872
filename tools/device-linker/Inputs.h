// What a linker's command line links: object files, and the members of archives that these need, as the linker takes them.
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
  /// Reads what `arguments`, a linker's, name. Files that are not there are the linker's to report.
  llvm::Error read(llvm::ArrayRef<std::string> arguments);

  /// Objects and needed archive members, in the order in which the linker's arguments name them; valid as long as this.
  llvm::ArrayRef<LinkedObject> objects() const { return chosen; }

  /// Gives object `number` other contents.
  void change(size_t number, std::string contents);

  /// The object whose definition of a name the program has: the first strong one, or else the first. Null if none has any.
  const LinkedObject *definerOf(llvm::StringRef name) const;

private:
  struct Member {
    LinkedObject object;
    std::vector<std::string> references;
    bool taken = false;
  };

  llvm::Error readFile(llvm::StringRef path, bool wholeArchive);
  llvm::Error readArchive(llvm::StringRef path, llvm::MemoryBufferRef file, bool whole);
  void readLibrary(llvm::StringRef name, bool isStatic, bool wholeArchive);
  void add(llvm::MemoryBufferRef buffer, llvm::StringRef archive, bool isMember);
  void take(LinkedObject object);
  void takeNeeded();
  void findDefiners();

  std::vector<std::string> folders; ///< of -L
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives;
  std::vector<LinkedObject> chosen;
  std::vector<Member> members;
  std::vector<std::string> wanted; ///< symbols that objects refer to
  llvm::StringSet<> defined;       ///< symbols that they define
  llvm::StringMap<size_t> definers; ///< numbers of the objects that the linker takes them from
  size_t argument = 0;             ///< that is being read
  bool isLazy = false;             ///< objects count as an archive's members, between --start-lib and --end-lib
};

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_INPUTS_H
