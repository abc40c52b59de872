// Emits a graph as the constant records of cilk2gpu/abi/Records.h: per task its fields, kernels and targets, per module
// one graph record that a constructor registers.
#include "Lowering.h"

#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Support/VectorIsa.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Builds constant globals.
class RecordBuilder {
public:
  RecordBuilder(ModuleOp module) : module(module), functions(module), builder(module.getContext()) {
    pointer = LLVM::LLVMPointerType::get(builder.getContext());
    i32 = builder.getI32Type();
    i64 = builder.getI64Type();
    taskType = record({i32, i32, pointer, pointer, pointer, pointer, pointer, i64, i32, i32, i32, i32, pointer, i32,
                       i32, pointer, i32, i32});
  }

  void emitTask(StringRef name, TaskParts &parts);
  void emitGraph(GraphParts &parts);

private:
  using Fill = llvm::function_ref<Value()>;

  LLVM::LLVMStructType record(ArrayRef<Type> fields) {
    return LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  }
  LLVM::GlobalOp global(Twine name, Type type, LLVM::Linkage linkage, bool isConstant, Fill fill);
  Value number(Type type, uint64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }
  Value null() { return LLVM::ZeroOp::create(builder, loc, pointer); }
  Value address(StringRef symbol) { return LLVM::AddressOfOp::create(builder, loc, pointer, symbol); }
  Value aggregate(Type type, ArrayRef<Value> fields);
  std::string text(Twine name, StringRef value);
  std::string imageSymbol(Twine name, StringRef body);
  Value formsTable(Twine name, StringRef body, unsigned &count);
  std::string kernelsTable(StringRef task, TaskParts &parts);
  Value fieldsTable(StringRef name, TaskParts &parts, Value &count);
  Value table(Twine name, ArrayRef<std::string> symbols);
  void declareTask(StringRef name);

  ModuleOp module;
  SymbolTable functions; ///< and what else the module has before there are records
  OpBuilder builder;
  Location loc = UnknownLoc::get(module.getContext());
  Type pointer, i32, i64;
  LLVM::LLVMStructType taskType;
};

} // namespace

LLVM::GlobalOp RecordBuilder::global(Twine name, Type type, LLVM::Linkage linkage, bool isConstant, Fill fill) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto op = LLVM::GlobalOp::create(builder, loc, type, isConstant, linkage, name.str(), Attribute());
  builder.createBlock(&op.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, fill());
  return op;
}

Value RecordBuilder::aggregate(Type type, ArrayRef<Value> fields) {
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [index, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(builder, loc, value, field, ArrayRef<int64_t>{static_cast<int64_t>(index)});
  return value;
}

/// A private string constant; returns its symbol.
std::string RecordBuilder::text(Twine name, StringRef value) {
  std::string terminated = (value + StringRef("\0", 1)).str();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name.str(),
                         builder.getStringAttr(terminated));
  return name.str();
}

/// A constant table of symbols' addresses, or null if it would be empty.
Value RecordBuilder::table(Twine name, ArrayRef<std::string> symbols) {
  if (symbols.empty())
    return null();
  std::string symbol = name.str();
  auto type = LLVM::LLVMArrayType::get(pointer, symbols.size());
  global(symbol, type, LLVM::Linkage::Internal, true, [&] {
    SmallVector<Value> values;
    for (const std::string &entry : symbols)
      values.push_back(address(entry));
    return aggregate(type, values);
  });
  return address(symbol);
}

/// A constant with the kernel's symbol in device images, or nothing if it has no device form.
std::string RecordBuilder::imageSymbol(Twine name, StringRef body) {
  auto form = functions.lookup<LLVM::LLVMFuncOp>((body + ".device").str());
  for (Attribute attribute :
       form &&form.getPassthroughAttr() ? form.getPassthroughAttr().getValue() : ArrayRef<Attribute>())
    if (auto pair = dyn_cast<ArrayAttr>(attribute); pair && cast<StringAttr>(pair[0]).getValue() == kDeviceKernelAttr)
      return text(name, cast<StringAttr>(pair[1]).getValue());
  return "";
}

/// A constant table of the kernel's vector entries, or null if it has none. Those that vectorisation does not fill
/// become null in it.
Value RecordBuilder::formsTable(Twine name, StringRef body, unsigned &count) {
  auto formType = record({pointer, i32, i32});
  std::string symbol = name.str();
  SmallVector<std::pair<std::string, abi::Isa>> entries;
  for (const VectorIsaInfo &info : kVectorIsas)
    if (std::string entry = (body + ".simd." + info.name).str(); functions.lookup(entry))
      entries.emplace_back(entry, info.record);
  count = entries.size();
  if (entries.empty())
    return null();
  auto type = LLVM::LLVMArrayType::get(formType, entries.size());
  global(symbol, type, LLVM::Linkage::Internal, true, [&] {
    SmallVector<Value> forms;
    for (auto &[entry, isa] : entries)
      forms.push_back(aggregate(formType, {address(entry), number(i32, uint32_t(isa)), number(i32, 0)}));
    return aggregate(type, forms);
  });
  return address(symbol);
}

static std::string sourceLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
  return "";
}

/// The records of a task's kernels, its elision's last; returns the table's symbol.
std::string RecordBuilder::kernelsTable(StringRef task, TaskParts &parts) {
  struct Entry {
    StringRef body;
    std::string suffix, name, image; ///< the last two are symbols of texts
    bool spawnsOne;
  };
  std::string base = recordName(task);
  SmallVector<Entry> entries;
  for (channel::KernelOp kernel : parts.kernels)
    entries.push_back(
        {kernel.getBody(), std::to_string(kernel.getSegment()), "", "", parts.spawnOne[kernel.getSegment()]});
  if (parts.elided)
    entries.push_back({parts.elided.getName(), "serial", "", "", false});
  for (Entry &entry : entries) {
    entry.name = text(base + ".kernel" + entry.suffix, (task + ":" + entry.suffix).str());
    entry.image = imageSymbol(base + ".image" + entry.suffix, entry.body);
  }
  auto addressOf = [&](const Twine &function) {
    std::string symbol = function.str();
    return functions.lookup(symbol) ? address(symbol) : null();
  };
  auto kernelType = record({pointer, pointer, pointer, pointer, i32, i32, pointer, pointer});
  auto type = LLVM::LLVMArrayType::get(kernelType, entries.size());
  std::string symbol = base + ".kernels";
  global(symbol, type, LLVM::Linkage::Internal, true, [&] {
    SmallVector<Value> values;
    for (Entry &entry : entries) {
      unsigned numForms = 0;
      Value forms = formsTable(base + ".forms" + entry.suffix, entry.body, numForms);
      values.push_back(aggregate(kernelType, {address(entry.name), address(entry.body),
                                              addressOf(entry.body + ".resume"), forms, number(i32, numForms),
                                              number(i32, entry.spawnsOne), addressOf(entry.body + ".device.host"),
                                              entry.image.empty() ? null() : address(entry.image)}));
    }
    return aggregate(type, values);
  });
  return symbol;
}

void RecordBuilder::emitTask(StringRef name, TaskParts &parts) {
  std::string base = recordName(name);
  DataLayout dataLayout(module);
  auto linkage = parts.stack.getLinkage() ? parts.stack.getLinkageAttr().getLinkage() : LLVM::Linkage::Internal;
  auto fieldType = record({i32, i32});

  // Tables first: globals are made outside the record's own initialiser.
  SmallVector<Type> fields(parts.stack.getFields().getAsValueRange<TypeAttr>());
  auto fieldsType = LLVM::LLVMArrayType::get(fieldType, fields.size());
  if (!fields.empty())
    global(base + ".fields", fieldsType, LLVM::Linkage::Internal, true, [&] {
      SmallVector<Value> values;
      for (Type type : fields)
        values.push_back(aggregate(
            fieldType, {number(i32, columnSize(dataLayout, type)), number(i32, dataLayout.getTypeABIAlignment(type))}));
      return aggregate(fieldsType, values);
    });
  std::string kernels = kernelsTable(name, parts);
  std::string nameSymbol = text(base + ".name", name);
  std::string where = sourceLocation(parts.stack.getLoc());
  std::string whereSymbol = where.empty() ? "" : text(base + ".location", where);
  SmallVector<std::string> targets;
  for (Attribute target : parts.targets)
    targets.push_back(recordName(cast<FlatSymbolRefAttr>(target).getValue()));

  bool isPlain = linkage == LLVM::Linkage::Weak;
  auto function = linkage == LLVM::Linkage::Internal ? LLVM::LLVMFuncOp() : functions.lookup<LLVM::LLVMFuncOp>(name);
  bool isKnownElsewhere =
      function && (isPlain ? hasFunctionAttribute(function, kForeignFunctionAttr) : !function.isExternal());
  uint64_t numColumns = parts.frame && parts.frame.getColumns() ? parts.frame.getColumns()->size() : 0;
  LLVM::GlobalOp record = global(base, taskType, linkage, false, [&] {
    return aggregate(taskType,
                     {number(i32, abi::kMagic), number(i32, abi::kAbiVersion), address(nameSymbol),
                      whereSymbol.empty() ? null() : address(whereSymbol),
                      fields.empty() ? null() : address(base + ".fields"), address(kernels),
                      table(base + ".targets", targets),
                      // 0 says that there are no frames; one that holds nothing is still the lane's identity.
                      number(i64, parts.frame ? std::max<uint64_t>(parts.frame.getSize(), 1) : 0),
                      number(i32, parts.frame ? parts.frame.getAlign() : 1), number(i32, fields.size()),
                      number(i32, parts.kernels.size()), number(i32, targets.size()), null(), number(i32, numColumns),
                      number(i32, isPlain), isKnownElsewhere ? address(name) : null(),
                      number(i32, parts.elided != nullptr), number(i32, parts.stack.getNarrow())});
  });
  // A descriptor is its image's own: another may have one of that name, for another function.
  if (linkage != LLVM::Linkage::Internal)
    record.setVisibility_(LLVM::Visibility::Hidden);
}

void RecordBuilder::emitGraph(GraphParts &parts) {
  SmallVector<std::string> tasks;
  for (auto &[name, task] : parts)
    tasks.push_back(recordName(name));
  std::string module_ = text("__cilk2gpu_graph.module", module.getName().value_or("unknown module"));
  auto graphType = record({i32, i32, pointer, pointer, i64});
  global("__cilk2gpu_graph", graphType, LLVM::Linkage::Internal, true, [&] {
    return aggregate(graphType, {number(i32, abi::kMagic), number(i32, abi::kAbiVersion), address(module_),
                                 table("__cilk2gpu_graph.tasks", tasks), number(i64, tasks.size())});
  });

  builder.setInsertionPointToEnd(module.getBody());
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::LLVMFuncOp registerGraph = declareRuntime(module, "__cilk2gpu_register", none, {pointer});
  auto constructor = LLVM::LLVMFuncOp::create(builder, loc, "__cilk2gpu_register_graph",
                                              LLVM::LLVMFunctionType::get(none, {}), LLVM::Linkage::Internal);
  Block *entry = constructor.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  LLVM::CallOp::create(builder, loc, registerGraph, ValueRange{address("__cilk2gpu_graph")});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(module.getBody());
  // Before the program's own constructors (default 65535), which may call Cilk functions.
  LLVM::GlobalCtorsOp::create(builder, loc, builder.getArrayAttr({FlatSymbolRefAttr::get(constructor)}),
                              builder.getI32ArrayAttr({101}),
                              builder.getArrayAttr({LLVM::ZeroAttr::get(builder.getContext())}));
}

void cilk2gpu::emitDescriptors(ModuleOp module, channel::GraphOp graph, GraphParts &parts) {
  RecordBuilder records(module);
  for (auto &[name, task] : parts)
    records.emitTask(name, task);
  records.emitGraph(parts);
}
