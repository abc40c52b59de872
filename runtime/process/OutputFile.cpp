// The name of the unfinished file is in a static variable, so that a signal handler finds it.
//
// Another user may write to the folder of the output. So this file relies on the kernel's checks of links in shared
// folders (open(2) follows only links that are safe), and creates files with O_EXCL only.
#include "process/OutputFile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::rt {

static char *volatile unfinished = nullptr;

namespace {

/// Writes one output. Functions that return a bool set errno if they return false.
class OutputWriter {
public:
  OutputWriter(void (*write)(FILE *, const void *), const void *context) : write(write), context(context) {}

  bool writeTo(FILE *out) const {
    write(out, context);
    return fflush(out) == 0 && !ferror(out);
  }

  /// Writes to a descriptor and closes it.
  bool writeAndClose(int descriptor) const;
  /// Opens an existing file, or the target of a link, and writes it in place.
  bool writeInPlace(const char *path, int flags) const;
  /// Replaces the regular file `path`, or creates it if `old` is null.
  bool replace(const char *path, const struct stat *old) const;
  bool writeExisting(const char *path) const;

private:
  void (*const write)(FILE *, const void *);
  const void *const context;
};

/// A new file in the folder of `path`. The destructor removes the file unless it was renamed.
class TemporaryFile {
public:
  explicit TemporaryFile(const char *path);
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile();

  bool create(mode_t mode);
  /// Gives the file the owner and the mode of `old`. The owner is first, because chown clears bits of the mode.
  bool makeLike(const struct stat &old) const {
    return fchown(descriptor, old.st_uid, old.st_gid) == 0 && fchmod(descriptor, old.st_mode & 07777) == 0;
  }
  /// Returns the open descriptor. The caller closes it.
  int takeDescriptor();
  bool renameTo(const char *path);

private:
  char *name = nullptr;
  size_t folderLength = 0; ///< characters of `name` up to the last slash, with the slash
  int descriptor = -1;
};

} // namespace

static constexpr int kPlainFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;

/// Room for the last part of a temporary file's name: ".cilk2gpu-", 16 digits, ".tmp" and the final zero.
static constexpr size_t kNameRoom = 40;

TemporaryFile::TemporaryFile(const char *path) {
  const char *slash = strrchr(path, '/');
  folderLength = slash ? size_t(slash + 1 - path) : 0;
  name = static_cast<char *>(malloc(folderLength + kNameRoom));
  if (name)
    memcpy(name, path, folderLength);
}

TemporaryFile::~TemporaryFile() {
  int error = errno;
  if (descriptor >= 0)
    close(descriptor);
  removeUnfinishedOutput();
  unfinished = nullptr;
  free(name);
  errno = error;
}

/// Creates the file under a random name that no file has. O_EXCL also refuses a link of that name.
bool TemporaryFile::create(mode_t mode) {
  if (!name) {
    errno = ENOMEM;
    return false;
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != ssize_t(sizeof number))
      number = (uint64_t(getpid()) << 32) + uint64_t(attempt); // the kernel has no random numbers yet
    snprintf(name + folderLength, kNameRoom, ".cilk2gpu-%016llx.tmp", static_cast<unsigned long long>(number));
    unfinished = name; // before the call, so that a signal after it finds the name
    descriptor = open(name, kPlainFlags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (descriptor >= 0)
      return true;
    unfinished = nullptr;
    if (errno != EEXIST)
      return false;
  }
  return false;
}

int TemporaryFile::takeDescriptor() {
  int result = descriptor;
  descriptor = -1;
  return result;
}

bool TemporaryFile::renameTo(const char *path) {
  if (rename(name, path) != 0)
    return false;
  unfinished = nullptr;
  return true;
}

bool OutputWriter::writeAndClose(int descriptor) const {
  FILE *out = fdopen(descriptor, "w");
  if (!out) {
    int error = errno;
    close(descriptor);
    errno = error;
    return false;
  }
  bool written = writeTo(out);
  int error = errno;
  if (fclose(out) != 0 && written)
    return false;
  errno = error;
  return written;
}

bool OutputWriter::writeInPlace(const char *path, int flags) const {
  int descriptor = open(path, kPlainFlags | O_TRUNC | flags, 0666);
  return descriptor >= 0 && writeAndClose(descriptor);
}

bool OutputWriter::replace(const char *path, const struct stat *old) const {
  TemporaryFile file(path);
  // Until the file has the right owner, no other user may read it.
  if (!file.create(old ? 0600 : 0666) || (old && !file.makeLike(*old)))
    return false;
  return writeAndClose(file.takeDescriptor()) && file.renameTo(path);
}

/// Returns the path of the regular file that `path` names, without links, and its status; null: errno gives the reason.
/// The caller frees the path. Opening the file checks that this process may write it, and that its link may be
/// followed. The path and the status belong to one file even if another process replaces the file meanwhile.
static char *resolve(const char *path, struct stat &opened) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    int descriptor = open(path, kPlainFlags | O_NONBLOCK);
    if (descriptor < 0)
      return nullptr;
    fstat(descriptor, &opened);
    char *target = realpath(path, nullptr);
    struct stat named;
    bool isSame =
        target && lstat(target, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
    close(descriptor);
    if (isSame)
      return target;
    free(target);
  }
  errno = EAGAIN;
  return nullptr;
}

bool OutputWriter::writeExisting(const char *path) const {
  struct stat old;
  char *target = resolve(path, old);
  if (!target)
    return false;
  bool mayReplace = S_ISREG(old.st_mode) && old.st_nlink == 1;
  bool written = mayReplace && replace(target, &old);
  free(target);
  // EACCES and EPERM: this process may not put a file that is alike in the place of the old one.
  if (written || (mayReplace && errno != EACCES && errno != EPERM))
    return written;
  return writeInPlace(path, 0);
}

bool writeOutput(const char *path, void (*write)(FILE *, const void *), const void *context) {
  OutputWriter writer(write, context);
  if (!strcmp(path, "-"))
    return writer.writeTo(stderr);
  struct stat status;
  if (stat(path, &status) == 0)
    return S_ISREG(status.st_mode) ? writer.writeExisting(path) : writer.writeInPlace(path, 0);
  if (errno != ENOENT)
    return false;
  bool isLink = lstat(path, &status) == 0;
  return isLink ? writer.writeInPlace(path, O_CREAT) : writer.replace(path, nullptr);
}

bool mayWriteOutput(const char *path) {
  struct stat status;
  if (!strcmp(path, "-"))
    return true;
  if (stat(path, &status) == 0) {
    errno = EISDIR;
    return !S_ISDIR(status.st_mode);
  }
  if (errno != ENOENT)
    return false;
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, size_t(slash + 1 - path)) : strdup(".");
  bool isOpen = !folder || faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
  int error = errno;
  free(folder);
  errno = error;
  return isOpen;
}

void removeUnfinishedOutput() {
  if (char *path = unfinished)
    unlink(path);
}

} // namespace cilk2gpu::rt
