// See AttributeAliases.h.
#include "AttributeAliases.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

/// Returns true for a list of LLVM attributes of a function (`passthrough`) that is too long to read where it stands:
/// names, and pairs of a name and a value.
static bool isLongAttributeList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list || list.size() < 4)
    return false;
  auto isPair = [](Attribute element) {
    auto pair = dyn_cast<ArrayAttr>(element);
    return pair && pair.size() == 2 && llvm::all_of(pair, llvm::IsaPred<StringAttr>);
  };
  return llvm::any_of(list, isPair) &&
         llvm::all_of(list, [&](Attribute element) { return isa<StringAttr>(element) || isPair(element); });
}

namespace {

struct AttributeAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<DataLayoutSpecInterface>(attribute))
      os << "data_layout";
    else if (isLongAttributeList(attribute))
      os << "function_attributes";
    else
      return AliasResult::NoAlias;
    return AliasResult::OverridableAlias;
  }
};

} // namespace

void cilk2gpu::registerAttributeAliases(DialectRegistry &registry) {
  // A dialect has one interface of this kind, and LLVM's own dialect has it already.
  registry.addExtension(+[](MLIRContext *, DLTIDialect *dialect) { dialect->addInterfaces<AttributeAliases>(); });
}
