// Makes the names of source files whole. Clang divides an absolute path where it differs from the path of the
// compilation's folder. In /home/me/build, the file /home/me/code/sort.c becomes the name code/sort.c in the folder
// /home/me. MLIR's locations, and so messages, graphs and statistics, have only the name, with which nobody finds the
// file.
#include "ImportPasses.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the files that the module's debug information names.
static SmallPtrSet<DIFile *, 16> filesOf(const Module &module) {
  DebugInfoFinder found;
  found.processModule(module);
  SmallPtrSet<DIFile *, 16> files;
  for (const DIScope *scope : found.scopes())
    files.insert(scope->getFile());
  for (const DISubprogram *program : found.subprograms())
    files.insert(program->getFile());
  files.erase(nullptr);
  return files;
}

bool NameFilesPass::runOn(Module &module, Module &) {
  constexpr unsigned kName = 0;
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units || !units->getNumOperands())
    return true;
  StringRef folder = cast<DICompileUnit>(units->getOperand(0))->getDirectory();
  for (DIFile *file : filesOf(module)) {
    if (file->getDirectory() == folder || sys::path::is_absolute(file->getFilename()))
      continue;
    SmallString<128> path(file->getDirectory());
    sys::path::append(path, file->getFilename());
    file->replaceOperandWith(kName, MDString::get(module.getContext(), path));
  }
  return true;
}
