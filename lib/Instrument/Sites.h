// Constant records of places in the program, which hooks get.
#ifndef CILK2GPU_LIB_INSTRUMENT_SITES_H
#define CILK2GPU_LIB_INSTRUMENT_SITES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Makes the texts and records of one module.
class Sites {
public:
  /// A place in the source.
  struct Place {
    std::string function;
    llvm::StringRef file;
    unsigned line, column;
  };

  explicit Sites(llvm::Module &module) : module(module) {}

  /// Returns a record of Cilk2gpuSite for `location` in `function`.
  llvm::Constant *make(const llvm::Function &function, const llvm::DebugLoc &location, unsigned kind,
                       llvm::StringRef callee = "");
  /// Returns a record of Cilk2gpuAccess. The library writes to it.
  llvm::Constant *makeAccess(const Place &place, unsigned kind, llvm::StringRef variable);
  /// Returns the address of a constant text. Equal texts have one address.
  llvm::Constant *text(llvm::StringRef value);
  /// Makes a private variable, or a constant.
  llvm::Constant *record(llvm::Constant *value, llvm::StringRef name, bool isConstant = true);

  /// Returns the place of `location` in `function`.
  Place placeOf(const llvm::Function &function, const llvm::DebugLoc &location) const;

private:
  llvm::Module &module;
  llvm::StringMap<llvm::Constant *> texts;
};

/// Returns the name of `function` in the source, as far as it is known.
std::string nameInSource(const llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_SITES_H
