// Reads and checks a firmware image in a file. An image that cannot run ends the process with a message.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_IMAGEFILE_H
#define CILK2GPU_RUNTIME_FIRMWARE_IMAGEFILE_H

#include <stdint.h>

namespace cilk2gpu::rt {

class ImageFile {
public:
  explicit ImageFile(const char *path);
  ~ImageFile();
  ImageFile(const ImageFile &) = delete;

  /// Returns the bytes of memory that the image takes, from its first address.
  uint64_t bytes() const { return size; }
  /// Return the range [begin, end) of pages that hold code, in bytes from the image's first address.
  uint64_t codeBegin() const { return code[0]; }
  uint64_t codeEnd() const { return code[1]; }
  /// Writes the image to `memory`, and returns the address of its entry there.
  uint64_t load(void *memory) const;

private:
  template <typename T> const T *at(uint64_t offset, uint64_t count = 1) const;
  void read();
  void check();
  void checkNote();

  const char *path;
  unsigned char *contents = nullptr;
  uint64_t length = 0, first = 0, size = 0, entry = 0;
  uint64_t code[2] = {~uint64_t(0), 0};
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_IMAGEFILE_H
