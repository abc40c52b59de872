// What the compiler says about a program's speed, as Clang says such things: -Rpass=cilk, -Rpass-missed=cilk,
// -fsave-optimization-record.
#ifndef CILK2GPU_SUPPORT_LLVMREMARKS_H
#define CILK2GPU_SUPPORT_LLVMREMARKS_H

#include "cilk2gpu/Support/SourceNames.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// A remark of the pass `cilk` on the user's function `function`; `name` is for records.
void emitRemark(const llvm::Function &function, llvm::StringRef name, const llvm::DiagnosticLocation &where,
                const llvm::Twine &text, bool missed);

/// A function's line.
inline llvm::DiagnosticLocation lineOf(const llvm::Function &function) {
  return llvm::DiagnosticLocation(function.getSubprogram());
}

/// A function's name as programs write it, in quotes.
std::string quotedName(const llvm::Value &function);

/// From now on, passes' remarks and warnings are shown once for each place in the source: much of a Cilk function
/// exists several times, and LLVM's passes see every copy.
void showRemarksOnce(llvm::LLVMContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_LLVMREMARKS_H
