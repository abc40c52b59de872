// The last step of images for GPUs and of firmware: lld, in process, with temporary files.
#ifndef CILK2GPU_LIB_TARGET_LINKOBJECT_H
#define CILK2GPU_LIB_TARGET_LINKOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cilk2gpu {

/// A link of one relocatable object, which is in memory.
struct ObjectLink {
  llvm::StringRef object;
  llvm::StringRef prefix, suffix;        ///< of the names of temporary files; the suffix is the outcome's
  llvm::ArrayRef<std::string> arguments; ///< of ld.lld, without the object and the output
  std::string product;                   ///< subject of the error "PRODUCT cannot be linked"
};

/// Returns the contents of the linked file.
llvm::Expected<std::string> linkObject(const ObjectLink &link);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_LINKOBJECT_H
