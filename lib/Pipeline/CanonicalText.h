// LLVM IR as text that can be compared across modules and contexts. Two definitions of a name have the same text if and
// only if they say the same.
#ifndef CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H
#define CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <string>

namespace cilk2gpu {

/// Texts of a module's definitions and named metadata. Numbers that depend on the rest of the module are replaced, by
/// what they stand for (attributes) or by the order of their use (metadata).
class CanonicalText {
public:
  explicit CanonicalText(const llvm::Module &module);

  /// Text of the definition of the symbol or of the named metadata `name`, with its sigil: @f, !llvm.ident. Empty if
  /// the module has none.
  std::string of(llvm::StringRef name) const;

private:
  void readLine(llvm::StringRef line, std::string &open);

  llvm::StringMap<std::string> definitions; ///< by name with sigil
  llvm::StringMap<std::string> attributes;  ///< of groups, by #N
  llvm::StringMap<std::string> metadata;    ///< by !N
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_CANONICALTEXT_H
