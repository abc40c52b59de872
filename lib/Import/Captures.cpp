// Finds variables that a body only reads, and passes their values. See Captures.h.
#include "Captures.h"

#include "Variables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// What code does with an object to which it has a pointer. A sum of these.
enum Effect : unsigned {
  Nothing = 0,
  Reads = 1,
  Writes = 2,
  Keeps = 4, ///< the pointer may be known later, or elsewhere
};

/// Finds out what code does with an object. Follows pointers into the functions that get them, in Clang's unoptimised
/// code, where a parameter is stored to a variable of its own.
class PointerUse {
public:
  /// An instruction of which `isElsewhere` is true knows the pointer later, or elsewhere.
  PointerUse(const Module &unit, function_ref<bool(const Instruction &)> isElsewhere)
      : unit(unit), isElsewhere(isElsewhere) {}

  /// Returns the effects of one use of a pointer.
  unsigned effectOf(const Use &use);
  unsigned effectOfUses(const Value &pointer) {
    unsigned effects = Nothing;
    if (seen.insert(&pointer).second)
      for (const Use &use : pointer.uses())
        effects |= seen.size() < kMostPointers ? effectOf(use) : unsigned(Keeps);
    return effects;
  }

private:
  static constexpr size_t kMostPointers = 500; ///< that are followed

  unsigned effectOfStore(const StoreInst &store, const Use &use);
  unsigned effectOfCall(const CallBase &call, const Use &use);

  const Module &unit;
  function_ref<bool(const Instruction &)> isElsewhere;
  SmallPtrSet<const Value *, 16> seen;
};

} // namespace

/// A pointer that is stored to a local variable is used where the variable is loaded.
unsigned PointerUse::effectOfStore(const StoreInst &store, const Use &use) {
  if (!store.isSimple())
    return Keeps;
  if (use.getOperandNo() == StoreInst::getPointerOperandIndex())
    return Writes;
  auto *variable = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (!variable || !variable->getAllocatedType()->isPointerTy())
    return Keeps;
  unsigned effects = Nothing;
  for (const User *user : variable->users()) {
    auto *load = dyn_cast<LoadInst>(user);
    auto *other = dyn_cast<StoreInst>(user);
    auto *mark = dyn_cast<IntrinsicInst>(user);
    if (load && load->isSimple() && !isElsewhere(*load))
      effects |= effectOfUses(*load);
    else if (!(other && other->getPointerOperand() == variable) && !(mark && mark->isLifetimeStartOrEnd()) &&
             !isVariableMark(*cast<Instruction>(user)))
      return Keeps;
  }
  return effects;
}

unsigned PointerUse::effectOfCall(const CallBase &call, const Use &use) {
  if (!call.isArgOperand(&use))
    return Keeps;
  unsigned number = call.getArgOperandNo(&use);
  if (auto *copy = dyn_cast<MemTransferInst>(&call))
    return copy->isVolatile() ? Keeps : number == 0 ? Writes : Reads;
  if (auto *set = dyn_cast<MemSetInst>(&call))
    return set->isVolatile() ? Keeps : Writes;
  if (auto *mark = dyn_cast<IntrinsicInst>(&call); mark && mark->isLifetimeStartOrEnd())
    return Nothing;
  if (call.isByValArgument(number))
    return Reads;
  if (call.doesNotCapture(number) && call.onlyReadsMemory(number))
    return Reads;
  const Function *callee = call.getCalledFunction();
  const Function *code = callee ? unit.getFunction(callee->getName()) : nullptr;
  if (!code || code->isDeclaration() || code->isInterposable() || code->isVarArg() || number >= code->arg_size())
    return call.doesNotCapture(number) ? Reads | Writes : unsigned(Keeps);
  return effectOfUses(*code->getArg(number));
}

unsigned PointerUse::effectOf(const Use &use) {
  auto *inst = dyn_cast<Instruction>(use.getUser());
  if (inst && isVariableMark(*inst))
    return Nothing;
  if (!inst || isElsewhere(*inst))
    return Keeps;
  if (auto *load = dyn_cast<LoadInst>(inst))
    return load->isSimple() ? Reads : Keeps;
  if (auto *store = dyn_cast<StoreInst>(inst))
    return effectOfStore(*store, use);
  if (isa<GetElementPtrInst, AddrSpaceCastInst>(inst))
    return effectOfUses(*inst);
  auto *call = dyn_cast<CallBase>(inst);
  return call ? effectOfCall(*call, use) : unsigned(Keeps);
}

namespace {

/// A value in an object.
struct Part {
  uint64_t offset; ///< in bytes
  Type *type;
};

/// Divides an object into scalars that have all its bytes. Padding is included, because another member of a union may
/// have data there.
class Division {
public:
  Division(Type *type, Align align, const DataLayout &layout)
      : context(type->getContext()), align(align), layout(layout) {
    add(type, 0);
    fill(layout.getTypeAllocSize(type));
  }

  SmallVector<Part> parts; ///< none if there are more than kMost
  static constexpr size_t kMost = 16;

private:
  void add(Type *type, uint64_t offset);
  void fill(uint64_t end);

  LLVMContext &context;
  Align align;
  const DataLayout &layout;
  uint64_t filled = 0; ///< bytes that the parts have
};

/// An object of the function that a body may share.
struct Object {
  Value *pointer;
  Type *type;
  Align align;
};

} // namespace

/// Adds integers for the bytes up to `end` that no part has.
void Division::fill(uint64_t end) {
  while (filled < end && parts.size() <= kMost) {
    uint64_t bytes = std::min<uint64_t>(8, commonAlignment(align, filled).value());
    while (bytes > end - filled)
      bytes /= 2;
    parts.push_back({filled, IntegerType::get(context, 8 * bytes)});
    filled += bytes;
  }
}

void Division::add(Type *type, uint64_t offset) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout &fields = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements() && parts.size() <= kMost; ++i)
      add(structure->getElementType(i), offset + fields.getElementOffset(i));
    return;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements() && parts.size() <= kMost; ++i)
      add(array->getElementType(), offset + i * size);
    return;
  }
  fill(offset);
  parts.push_back({offset, type});
  filled = offset + layout.getTypeStoreSize(type);
}

/// Returns the values by which an object is passed; none if it is not passed by value.
static SmallVector<Part> partsOf(const Object &object, const DataLayout &layout, bool isBlock) {
  constexpr uint64_t kMostBytes = 1024;
  if (object.type->isSingleValueType())
    return {{0, object.type}};
  if (!isa<StructType>(object.type) || !object.type->isSized() || object.type->isScalableTy())
    return {};
  uint64_t size = layout.getTypeAllocSize(object.type);
  if (!size || size > kMostBytes)
    return {};
  SmallVector<Part> parts = Division(object.type, object.align, layout).parts;
  if (parts.size() <= Division::kMost)
    return parts;
  if (!isBlock)
    return {};
  LLVMContext &context = object.type->getContext();
  uint64_t words = size / 8, rest = size % 8;
  parts.assign(1, {0, ArrayType::get(Type::getInt64Ty(context), words)});
  if (rest)
    parts.push_back({8 * words, ArrayType::get(Type::getInt8Ty(context), rest)});
  return parts;
}

/// Returns the variables of a function, and its parameters that have an object of their own.
static SmallVector<Object> objectsOf(Function &function) {
  SmallVector<Object> objects;
  for (Argument &argument : function.args())
    if (argument.hasByValAttr())
      objects.push_back({&argument, argument.getParamByValType(), argument.getParamAlign().valueOrOne()});
  for (Instruction &inst : function.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca() && !alloca->isArrayAllocation())
      objects.push_back({alloca, alloca->getAllocatedType(), alloca->getAlign()});
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
    return effects(true) == Reads && !(effects(false) & Keeps) && isOuter;
  }

private:
  SmallPtrSet<const BasicBlock *, 16> inside;
  const Module &unit;
};

} // namespace

static Value *addressIn(IRBuilder<> &builder, Value *object, uint64_t offset) {
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object, offset) : object;
}

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
    for (const Part &part : parts) {
      Align align = commonAlignment(object.align, part.offset);
      Value *value = outer.CreateAlignedLoad(part.type, addressIn(outer, object.pointer, part.offset), align);
      inner.CreateAlignedStore(value, addressIn(inner, copy, part.offset), align);
    }
    copies.push_back(copy);
    object.pointer->replaceUsesWithIf(copy, [&](Use &use) { return reads.isInside(use.getUser()); });
  }
  return copies;
}
