// Remarks about a program's speed, shown by Clang's options -Rpass=cilk, -Rpass-missed=cilk and
// -fsave-optimization-record.
#ifndef CILK2GPU_SUPPORT_LLVMREMARKS_H
#define CILK2GPU_SUPPORT_LLVMREMARKS_H

#include "cilk2gpu/Support/SourceNames.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Emits a remark of the pass `cilk` on the user's function `function`. `name` identifies the remark in records.
void emitRemark(const llvm::Function &function, llvm::StringRef name, const llvm::DiagnosticLocation &where,
                const llvm::Twine &text, bool missed);

/// Returns the source line of a function.
inline llvm::DiagnosticLocation lineOf(const llvm::Function &function) {
  return llvm::DiagnosticLocation(function.getSubprogram());
}

/// Returns a function's name as programs write it, in quotes.
std::string quotedName(const llvm::Value &function);

/// From now on, shows each remark and warning of a pass once for each source location. Several copies of the code of a
/// Cilk function exist, and LLVM's passes remark on every copy.
void showRemarksOnce(llvm::LLVMContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_LLVMREMARKS_H
