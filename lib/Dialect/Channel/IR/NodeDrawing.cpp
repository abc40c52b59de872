// Lists of fields and names for the printers of graphs. See NodeDrawing.h.
#include "cilk2gpu/Dialect/Channel/IR/NodeDrawing.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cilk2gpu;
namespace json = llvm::json;

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

/// Returns the name that C has for a type of this size, or MLIR's name if C has none.
static std::string nameInC(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return "void *";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isInteger(1))
    return "bool";
  for (unsigned bits : {8, 16, 32, 64})
    if (type.isInteger(bits))
      return "int" + std::to_string(bits) + "_t";
  if (type.isInteger(128))
    return "__int128";
  if (type.isF80())
    return "long double";
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return nameInC(array.getElementType()) + "[" + std::to_string(array.getNumElements()) + "]";
  return typeName(type);
}

std::string channel::fieldList(ArrayAttr fields) {
  SmallVector<std::string> names;
  for (Type type : fields.getAsValueRange<TypeAttr>())
    names.push_back(nameInC(type));
  return llvm::join(names, ", ");
}

FileLineColLoc channel::placeOf(Location location) { return location->findInstanceOf<FileLineColLoc>(); }

std::string channel::lineText(StringRef text, Location location) {
  FileLineColLoc place = placeOf(location);
  return place && place.getLine() ? ("\n" + text + " line " + Twine(place.getLine())).str() : "";
}

std::string channel::nameList(ArrayAttr refs) {
  SmallVector<StringRef> names;
  for (Attribute ref : refs)
    names.push_back(cast<FlatSymbolRefAttr>(ref).getValue());
  return llvm::join(names, ", ");
}

json::Array channel::fieldsJson(ArrayAttr fields, const DataLayout &dataLayout) {
  json::Array array;
  for (Type type : fields.getAsValueRange<TypeAttr>())
    array.push_back(json::Object{{"type", nameJson(typeName(type))},
                                 {"size", static_cast<int64_t>(dataLayout.getTypeSize(type).getFixedValue())},
                                 {"align", static_cast<int64_t>(dataLayout.getTypeABIAlignment(type))}});
  return array;
}

json::Value channel::nameJson(StringRef name) { return json::fixUTF8(name); }

json::Array channel::namesJson(ArrayAttr refs) {
  json::Array array;
  for (Attribute ref : refs)
    array.push_back(nameJson(cast<FlatSymbolRefAttr>(ref).getValue()));
  return array;
}
