// The pattern sets of convert-channel-to-llvm, one for each form of a function, and the dialect conversion that applies
// them. The `channel` dialect is illegal in it: an operation that no pattern of the form lowers is an error at its
// location.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_PATTERNS_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_PATTERNS_H

#include "KernelScope.h"

#include "mlir/Transforms/DialectConversion.h"

namespace cilk2gpu {

/// Converts the types of a form. Only `!channel.element` changes: each form represents reserved elements in its own
/// way.
class ElementTypeConverter : public mlir::TypeConverter {
public:
  explicit ElementTypeConverter(mlir::Type element) {
    addConversion([](mlir::Type type) { return type; });
    addConversion([element](channel::ElementType) { return element; });
  }
};

/// A pattern that lowers an operation of `body`.
template <typename OpT> class KernelPattern : public mlir::OpConversionPattern<OpT> {
public:
  KernelPattern(const mlir::TypeConverter &types, mlir::MLIRContext *context, LoweredBody &body)
      : mlir::OpConversionPattern<OpT>(types, context), body(body) {}

protected:
  using Adaptor = typename mlir::OpConversionPattern<OpT>::OpAdaptor;
  using Rewriter = mlir::ConversionPatternRewriter;
  using Value = mlir::Value;
  using Result = mlir::LogicalResult;

  LoweredBody &body;
};

/// Patterns for scalar kernels, which run one lane on the host. An element is represented by its channel's cursor.
void populateChannelToHostPatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                   mlir::RewritePatternSet &patterns);

/// Patterns for one lane on a device: channel operations become calls of the device runtime (cilk2gpu/abi/Device.h). An
/// element is represented by its index.
void populateChannelToDevicePatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                     mlir::RewritePatternSet &patterns);

/// Patterns for one lane with operations of the `lane` dialect. The reservation of an element and its enq become one
/// operation (populateSpawnToLanePatterns), which is converted before the others.
void populateChannelToLanePatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                   mlir::RewritePatternSet &patterns);
void populateSpawnToLanePatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                 mlir::RewritePatternSet &patterns);

/// Patterns for ordinary functions that start a graph.
void populateChannelToEntryPatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                    mlir::RewritePatternSet &patterns);

/// Patterns that several forms share: for kernels on the host and on devices, or for any function.
void populateSharedKernelPatterns(const mlir::TypeConverter &types, LoweredBody &body,
                                  mlir::RewritePatternSet &patterns);
void populateFramePlacePatterns(const mlir::TypeConverter &types, LoweredBody &body, mlir::RewritePatternSet &patterns);

/// Converts the operations of `func` that are illegal in `target`, definitions before uses.
mlir::LogicalResult convert(mlir::LLVM::LLVMFuncOp func, const mlir::ConversionTarget &target,
                            mlir::RewritePatternSet patterns);

/// The target of every form: the LLVM dialect and the `lane` dialect are legal, the `channel` dialect is illegal.
class FormTarget : public mlir::ConversionTarget {
public:
  explicit FormTarget(mlir::MLIRContext &context);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_PATTERNS_H
