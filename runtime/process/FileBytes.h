// The bytes of a file, for readers of its symbol table.
//
// Thread-safety: as of a constant object. Needs no other file of this folder.
#ifndef CILK2GPU_RUNTIME_PROCESS_FILEBYTES_H
#define CILK2GPU_RUNTIME_PROCESS_FILEBYTES_H

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// A file that is mapped while the object lives. A file that cannot be read has no bytes.
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
    if (bytes && !isKept)
      munmap(const_cast<char *>(bytes), size);
  }
  FileBytes(const FileBytes &) = delete;
  FileBytes &operator=(const FileBytes &) = delete;

  /// Leaves the bytes mapped until the process ends, because other objects point into them.
  void keep() { isKept = true; }

  /// Returns `count` elements at an offset, or null if the file does not have them.
  template <typename Element> const Element *at(size_t offset, size_t count) const {
    bool fits = bytes && offset <= size && count <= (size - offset) / sizeof(Element);
    return fits ? reinterpret_cast<const Element *>(bytes + offset) : nullptr;
  }

private:
  const char *bytes = nullptr;
  size_t size = 0;
  bool isKept = false;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FILEBYTES_H
