// See Remarks.h. The metadata of a diagnostic carries the properties of a remark.
#include "cilk2gpu/Support/Remarks.h"

#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2gpu;

static constexpr StringLiteral kName = "name", kOrigin = "origin", kMissed = "missed";

InFlightDiagnostic cilk2gpu::speedRemark(LLVM::LLVMFuncOp task, StringRef name, bool missed,
                                         std::optional<Location> where) {
  Builder builder(task.getContext());
  StringRef origin = functionAttribute(task, kOriginAttr);
  SmallVector<NamedAttribute> about{
      builder.getNamedAttr(kName, builder.getStringAttr(name)),
      builder.getNamedAttr(kOrigin, builder.getStringAttr(origin.empty() ? task.getName() : origin)),
      builder.getNamedAttr(kMissed, builder.getBoolAttr(missed))};
  InFlightDiagnostic diag = mlir::emitRemark(where.value_or(task.getLoc()));
  diag.getUnderlyingDiagnostic()->getMetadata().push_back(DiagnosticArgument(builder.getDictionaryAttr(about)));
  return diag;
}

SpeedRemark cilk2gpu::readRemark(Diagnostic &diag) {
  for (const DiagnosticArgument &argument : diag.getMetadata())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      if (auto about = dyn_cast<DictionaryAttr>(argument.getAsAttribute()))
        return {about.getAs<StringAttr>(kName), about.getAs<StringAttr>(kOrigin),
                about.getAs<BoolAttr>(kMissed).getValue()};
  return {"Remark", "", false};
}
