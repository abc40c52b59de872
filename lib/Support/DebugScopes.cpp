// Gives copies of a function debug scopes of their own. LLVM attaches a DISubprogram to a single function, and every
// location in the function must lead to it. See DebugScopes.h.
#include "cilk2gpu/Support/DebugScopes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2gpu;

void cilk2gpu::makeOwnDebugScope(LLVM::LLVMFuncOp func) {
  auto fused = func.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>();
  if (!fused)
    return;
  MLIRContext *context = func.getContext();
  LLVM::DISubprogramAttr old = fused.getMetadata();
  auto name = StringAttr::get(context, func.getName());
  // A copy is local and has no variables. Linkage name and retained nodes of the original stay with the original.
  auto own = LLVM::DISubprogramAttr::get(
      context, old.getRecId(), /*isRecSelf=*/false, DistinctAttr::create(UnitAttr::get(context)), old.getCompileUnit(),
      old.getScope(), old.getName(), /*linkageName=*/name, old.getFile(), old.getLine(), old.getScopeLine(),
      old.getSubprogramFlags() | LLVM::DISubprogramFlags::LocalToUnit, old.getType(),
      /*retainedNodes=*/{}, /*annotations=*/{});
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](LLVM::DISubprogramAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
    if (attr == old)
      return std::make_pair(own, WalkResult::skip());
    return std::make_pair(attr, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/true, // for loop annotations
                                        /*replaceLocs=*/true);
}
