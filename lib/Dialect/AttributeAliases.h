// Short names for long attributes in printed programs: the data layout, and the LLVM attributes of functions, stand at
// the head of the text as #data_layout and #function_attributes.
#ifndef CILK2GPU_LIB_DIALECT_ATTRIBUTEALIASES_H
#define CILK2GPU_LIB_DIALECT_ATTRIBUTEALIASES_H

namespace mlir {
class DialectRegistry;
}

namespace cilk2gpu {

/// Makes the names available wherever the dialect of data layouts is loaded, which every compiled program needs.
void registerAttributeAliases(mlir::DialectRegistry &registry);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_DIALECT_ATTRIBUTEALIASES_H
