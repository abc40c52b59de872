// Finds variables that a body only reads, and passes their values. See Captures.h.
#include "Captures.h"

#include "ObjectParts.h"
#include "PointerUse.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the variables of a function, and its parameters that have an object of their own.
static SmallVector<Object> objectsOf(Function &function) {
  SmallVector<Object> objects;
  for (Argument &argument : function.args())
    if (argument.hasByValAttr())
      objects.push_back(Object::of(argument));
  for (Instruction &inst : function.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca() && !alloca->isArrayAllocation())
      objects.push_back(Object::of(*alloca));
  return objects;
}

namespace {

/// Decides which objects of a function a body gets by value.
class BodyReads {
public:
  BodyReads(ArrayRef<BasicBlock *> body, const Module &unit) : inside(body.begin(), body.end()), unit(unit) {}

  bool isInside(const User *user) const { return inside.contains(cast<Instruction>(user)->getParent()); }

  /// Returns true if the body only reads the object, and no other code keeps a pointer to it.
  bool onlyReads(const Value &pointer) const {
    bool isOuter = isa<Argument>(pointer);
    auto effects = [&](bool ofBody) {
      const Function *around = (*inside.begin())->getParent();
      auto isElsewhere = [&](const Instruction &inst) {
        return inst.getFunction() == around && inside.contains(inst.getParent()) != ofBody;
      };
      PointerUse found(unit, isElsewhere);
      unsigned all = Nothing;
      for (const Use &use : pointer.uses())
        if (isInside(use.getUser()) == ofBody) {
          isOuter |= !ofBody;
          all |= found.effectOf(use);
        }
      return all;
    };
    return effects(true) == Reads && !(effects(false) & (Keeps | Returns)) && isOuter;
  }

private:
  SmallPtrSet<const BasicBlock *, 16> inside;
  const Module &unit;
};

} // namespace

SmallVector<AllocaInst *> cilk2gpu::passReadsByValue(Instruction &begin, ArrayRef<BasicBlock *> body,
                                                     const Module &unit, bool isBlock) {
  const DataLayout &layout = begin.getDataLayout();
  BodyReads reads(body, unit);
  SmallVector<AllocaInst *> copies;
  for (const Object &object : objectsOf(*begin.getFunction())) {
    SmallVector<Part> parts = partsOf(object, layout, isBlock);
    if (parts.empty() || !reads.onlyReads(*object.pointer))
      continue;
    IRBuilder<> outer(&begin), inner(body.front(), body.front()->getFirstInsertionPt());
    AllocaInst *copy = inner.CreateAlloca(object.type);
    copy->setAlignment(object.align);
    for (const Part &part : parts)
      storePart(inner, Object::of(*copy), part, loadPart(outer, object, part));
    copies.push_back(copy);
    object.pointer->replaceUsesWithIf(copy, [&](Use &use) { return reads.isInside(use.getUser()); });
  }
  return copies;
}
