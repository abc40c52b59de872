// See Sites.h.
#include "Sites.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

std::string cilk2gpu::nameInSource(const Function &function) {
  if (DISubprogram *program = function.getSubprogram(); program && !program->getName().empty())
    return program->getName().str();
  return demangle(function.getName());
}

Constant *Sites::text(StringRef value) {
  Constant *&known = texts[value];
  if (!known) {
    Constant *bytes = ConstantDataArray::getString(module.getContext(), value);
    known = record(bytes, ".cilk2gpu.text");
  }
  return known;
}

Constant *Sites::record(Constant *value, StringRef name, bool isConstant) {
  auto *global = new GlobalVariable(module, value->getType(), isConstant, GlobalValue::PrivateLinkage, value, name);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

/// Returns the innermost location that is not in a header of the system, in code that is inlined at `at`. A user looks
/// for the line that called the library.
static const DILocation *ownLocation(const DILocation *at) {
  for (const DILocation *outer = at; outer; outer = outer->getInlinedAt())
    if (!outer->getFilename().starts_with("/usr/") && outer->getLine())
      return outer;
  return at;
}

Sites::Place Sites::placeOf(const Function &function, const DebugLoc &location) const {
  DISubprogram *program = function.getSubprogram();
  Place place = {nameInSource(function), module.getSourceFileName(), 0, 0};
  if (program) {
    place.file = program->getFilename();
    place.line = program->getLine();
  }
  if (const DILocation *at = ownLocation(location.get()); at && at->getLine()) {
    if (DISubprogram *inlined = at->getScope()->getSubprogram(); inlined && !inlined->getName().empty())
      place.function = inlined->getName();
    place.file = at->getFilename();
    place.line = at->getLine();
    place.column = at->getColumn();
  }
  return place;
}

Constant *Sites::make(const Function &function, const DebugLoc &location, unsigned kind, StringRef callee) {
  LLVMContext &context = module.getContext();
  Place place = placeOf(function, location);
  Type *i32 = Type::getInt32Ty(context), *pointer = PointerType::get(context, 0);
  auto *type = StructType::get(context, {pointer, pointer, i32, i32, i32, pointer});
  auto number = [&](unsigned value) { return ConstantInt::get(i32, value); };
  return record(ConstantStruct::get(type, {text(place.function), text(place.file), number(place.line),
                                           number(place.column), number(kind), text(callee)}),
                ".cilk2gpu.site");
}

Constant *Sites::makeAccess(const Place &place, unsigned kind, StringRef variable) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *pointer = PointerType::get(context, 0);
  auto *type = StructType::get(context, {pointer, pointer, pointer, i32, i32, i32, i32});
  auto number = [&](unsigned value) { return ConstantInt::get(i32, value); };
  return record(ConstantStruct::get(type, {text(place.function), text(place.file), text(variable), number(place.line),
                                           number(place.column), number(0), number(kind)}),
                ".cilk2gpu.access", /*isConstant=*/false);
}
