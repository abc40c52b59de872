// Objects that are passed by value, as the values of their parts.
#ifndef CILK2GPU_LIB_IMPORT_OBJECTPARTS_H
#define CILK2GPU_LIB_IMPORT_OBJECTPARTS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// A variable, or a parameter that has an object of its own.
struct Object {
  llvm::Value *pointer;
  llvm::Type *type;
  llvm::Align align;

  static Object of(llvm::AllocaInst &variable) { return {&variable, variable.getAllocatedType(), variable.getAlign()}; }
  /// Of a parameter with the attribute `byval`.
  static Object of(llvm::Argument &parameter) {
    return {&parameter, parameter.getParamByValType(), parameter.getParamAlign().valueOrOne()};
  }
};

/// A value in an object.
struct Part {
  uint64_t offset; ///< in bytes
  llvm::Type *type;
};

/// Returns the values by which an object is passed: the scalars of a variable or of a structure, with its padding,
/// because another member of a union may have data there. Returns none for arrays, and for structures of more than 16
/// scalars. If `withLarge` is true, structures of up to 1,024 bytes are passed as words instead.
llvm::SmallVector<Part> partsOf(const Object &object, const llvm::DataLayout &layout, bool withLarge);

/// Loads the values of an object, or makes an object of its values.
llvm::Value *loadPart(llvm::IRBuilder<> &builder, const Object &object, const Part &part);
void storePart(llvm::IRBuilder<> &builder, const Object &object, const Part &part, llvm::Value *value);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_OBJECTPARTS_H
