// LLVM IR as text that can be compared across modules and contexts. Two definitions of a name have the same text if and
// only if they are the same.
#ifndef CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H
#define CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <string>

namespace cilk2gpu {

/// Texts of a module's definitions and named metadata. Numbers that depend on the rest of the module are replaced:
/// numbers of attributes by the attributes, and numbers of metadata by the order of their use.
class CanonicalText {
public:
  explicit CanonicalText(const llvm::Module &module);

  /// Returns the text of the definition of the symbol or named metadata `name`, with its sigil: @f, !llvm.ident. Empty
  /// if the module does not define it.
  std::string of(llvm::StringRef name) const;

private:
  void readLine(llvm::StringRef line, std::string &open);

  llvm::StringMap<std::string> definitions; ///< texts by name with sigil
  llvm::StringMap<std::string> attributes;  ///< texts of attribute groups, by #N
  llvm::StringMap<std::string> metadata;    ///< texts of metadata, by !N
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H
