// Temporary files, with error messages that name the folder.
#ifndef CILK2GPU_SUPPORT_TEMPORARYFILE_H
#define CILK2GPU_SUPPORT_TEMPORARYFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cilk2gpu {

/// Makes an empty file whose name begins with `prefix` and ends in `suffix`, and puts its path into `path`. The caller
/// removes it.
inline llvm::Error createTemporaryFile(llvm::StringRef prefix, llvm::StringRef suffix,
                                       llvm::SmallVectorImpl<char> &path) {
  std::error_code error = llvm::sys::fs::createTemporaryFile(prefix, suffix, path);
  if (!error)
    return llvm::Error::success();
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  return llvm::createStringError(error,
                                 "a temporary file cannot be made in '%s': %s; set TMPDIR to a folder that can be "
                                 "written",
                                 folder.c_str(), error.message().c_str());
}

/// Makes a temporary file with `contents` in it. If the contents cannot be written, the file is removed.
inline llvm::Error writeTemporaryFile(llvm::StringRef prefix, llvm::StringRef suffix, llvm::StringRef contents,
                                      llvm::SmallVectorImpl<char> &path) {
  if (llvm::Error error = createTemporaryFile(prefix, suffix, path))
    return error;
  std::string name(path.begin(), path.end());
  std::error_code error;
  llvm::raw_fd_ostream os(name, error);
  os << contents;
  os.close();
  if (!error)
    error = os.error();
  if (!error)
    return llvm::Error::success();
  os.clear_error();
  llvm::sys::fs::remove(name);
  return llvm::createStringError(error, "'%s' cannot be written: %s", name.c_str(), error.message().c_str());
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_TEMPORARYFILE_H
