// Emits a graph as the constant records of cilk2gpu/abi/Records.h: for each task its fields, kernels, targets and
// edges, and for the module one graph record that a constructor registers.
#include "BlockGraphs.h"
#include "Lowering.h"
#include "RecordValues.h"

#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SourceNames.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Support/VectorIsa.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Builds constant globals.
class RecordBuilder {
public:
  RecordBuilder(ModuleOp module, channel::GraphOp graph)
      : module(module), graph(graph), analysis(graph), functions(module), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

  void emitTask(StringRef name, TaskParts &parts);
  void emitGraph(GraphParts &parts);
  void emitBlocks(channel::BlocksOp blocks, bool synchronises);
  void emitBlockKernels();

private:
  using Fill = llvm::function_ref<Value()>;
  using Fields = SmallVector<const RecordValue *>;

  LLVM::GlobalOp global(Twine name, Type type, LLVM::Linkage linkage, bool isConstant, Fill fill);
  Type typeOf(const RecordValue &value);
  Type typeOf(const Fields &fields);
  Value constant(const RecordValue &value);
  Value constant(const Fields &fields);
  Value insert(Value into, Value field, int64_t index) {
    return LLVM::InsertValueOp::create(builder, loc, into, field, ArrayRef<int64_t>{index});
  }
  template <typename Record> std::string recordTable(Twine name, ArrayRef<Record> records);
  std::string text(Twine name, StringRef value);
  std::string imageSymbol(Twine name, StringRef body);
  std::string formsTable(Twine name, StringRef body, RecordValue &count);
  std::string rowFormsTable(Twine name, StringRef body, bool synchronises, RecordValue &count);
  std::string kernelsTable(StringRef task, TaskParts &parts);
  std::string fieldsTable(StringRef base, TaskParts &parts);
  std::string edgesTable(StringRef task, TaskParts &parts, RecordValue &count);
  std::string table(Twine name, ArrayRef<std::string> symbols);
  template <typename Number> std::string numberTable(Twine name, ArrayRef<int64_t> numbers);
  void registerAtStart(StringRef constructor, StringRef function, StringRef record);
  std::string functionKnownElsewhere(StringRef name, LLVM::Linkage linkage);

  ModuleOp module;
  channel::GraphOp graph;
  channel::GraphAnalysis analysis;
  SymbolTable functions; ///< all symbols of the module before records are added
  OpBuilder builder;
  Location loc = UnknownLoc::get(module.getContext());
  Type pointer;
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

Type RecordBuilder::typeOf(const RecordValue &value) {
  return value.bits ? Type(builder.getIntegerType(value.bits)) : pointer;
}

Type RecordBuilder::typeOf(const Fields &fields) {
  SmallVector<Type> types = llvm::map_to_vector(fields, [&](const RecordValue *field) { return typeOf(*field); });
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
}

Value RecordBuilder::constant(const RecordValue &value) {
  if (value.bits)
    return LLVM::ConstantOp::create(builder, loc, typeOf(value), builder.getIntegerAttr(typeOf(value), value.number));
  if (value.symbol.empty())
    return LLVM::ZeroOp::create(builder, loc, pointer);
  return LLVM::AddressOfOp::create(builder, loc, pointer, value.symbol);
}

Value RecordBuilder::constant(const Fields &fields) {
  Value value = LLVM::UndefOp::create(builder, loc, typeOf(fields));
  for (auto [index, field] : llvm::enumerate(fields))
    value = insert(value, constant(*field), index);
  return value;
}

/// Makes a private constant array of records. Returns its symbol, or an empty string if `records` is empty.
template <typename Record> std::string RecordBuilder::recordTable(Twine name, ArrayRef<Record> records) {
  if (records.empty())
    return "";
  std::string symbol = name.str();
  auto type = LLVM::LLVMArrayType::get(typeOf(records.front().list()), records.size());
  global(symbol, type, LLVM::Linkage::Internal, true, [&] {
    Value value = LLVM::UndefOp::create(builder, loc, type);
    for (auto [index, record] : llvm::enumerate(records))
      value = insert(value, constant(record.list()), index);
    return value;
  });
  return symbol;
}

/// Makes a private string constant. Returns its symbol.
std::string RecordBuilder::text(Twine name, StringRef value) {
  std::string terminated = (value + StringRef("\0", 1)).str();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name.str(),
                         builder.getStringAttr(terminated));
  return name.str();
}

/// Makes a constant table of symbols' addresses. Returns its symbol, or an empty string if `symbols` is empty.
std::string RecordBuilder::table(Twine name, ArrayRef<std::string> symbols) {
  if (symbols.empty())
    return "";
  std::string symbol = name.str();
  auto type = LLVM::LLVMArrayType::get(pointer, symbols.size());
  global(symbol, type, LLVM::Linkage::Internal, true, [&] {
    Value value = LLVM::UndefOp::create(builder, loc, type);
    for (auto [index, entry] : llvm::enumerate(symbols))
      value = insert(value, constant(RecordValue{.bits = 0, .symbol = entry}), index);
    return value;
  });
  return symbol;
}

/// Makes a constant that holds the kernel's symbol in device images. Returns its symbol, or an empty string if the
/// kernel has no device form.
std::string RecordBuilder::imageSymbol(Twine name, StringRef body) {
  auto form = functions.lookup<LLVM::LLVMFuncOp>((body + ".device").str());
  for (Attribute attribute :
       form &&form.getPassthroughAttr() ? form.getPassthroughAttr().getValue() : ArrayRef<Attribute>())
    if (auto pair = dyn_cast<ArrayAttr>(attribute); pair && cast<StringAttr>(pair[0]).getValue() == kDeviceKernelAttr)
      return text(name, cast<StringAttr>(pair[1]).getValue());
  return "";
}

/// Makes a constant table of the kernel's vector entries. Returns its symbol, or an empty string if there are none.
/// Entries without a function after vectorisation become null in the table.
std::string RecordBuilder::formsTable(Twine name, StringRef body, RecordValue &count) {
  SmallVector<abi::VectorFormValues> forms;
  for (const VectorIsaInfo &info : kVectorIsas)
    if (std::string entry = (body + ".simd." + info.name).str(); functions.lookup(entry)) {
      abi::VectorFormValues &form = forms.emplace_back();
      form.run = entry;
      form.isa = info.record;
    }
  count = forms.size();
  return recordTable<abi::VectorFormValues>(name, forms);
}

/// Does the same for the vector forms of a block graph's body.
std::string RecordBuilder::rowFormsTable(Twine name, StringRef body, bool synchronises, RecordValue &count) {
  SmallVector<abi::RowFormValues> forms;
  for (const VectorIsaInfo &info : kVectorIsas)
    for (const RowFormNames &names : rowForms(body, {info.name}, synchronises))
      if (functions.lookup(names.entry)) {
        abi::RowFormValues &form = forms.emplace_back();
        form.run = names.entry;
        form.isa = info.record;
        form.lanes = names.lanes;
        form.of = names.of;
      }
  count = forms.size();
  return recordTable<abi::RowFormValues>(name, forms);
}

static std::string sourceLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
  return "";
}

/// Makes the records of a task's kernels, with the record of its elision at the end. Returns the table's symbol.
/// Kernels have the names of their nodes, as remarks and graphs show them.
std::string RecordBuilder::kernelsTable(StringRef task, TaskParts &parts) {
  std::string base = recordName(task);
  SmallVector<abi::KernelValues, 0> kernels;
  auto known = [&](const Twine &function) { return functions.lookup(function.str()) ? function.str() : std::string(); };
  auto add = [&](StringRef name, StringRef body, const std::string &suffix) -> abi::KernelValues & {
    abi::KernelValues &kernel = kernels.emplace_back();
    kernel.name = text(base + ".kernel" + suffix, sourceName(name));
    kernel.run = body.str();
    kernel.resume = known(body + ".resume");
    kernel.forms = formsTable(base + ".forms" + suffix, body, kernel.numForms);
    kernel.lane = known(body + ".device.host");
    kernel.symbol = imageSymbol(base + ".image" + suffix, body);
    return kernel;
  };
  for (channel::KernelOp kernel : parts.kernels) {
    uint64_t segment = kernel.getSegment();
    abi::KernelValues &values = add(kernel.getSymName(), kernel.getBody(), std::to_string(segment));
    values.spawnsOne = parts.spawnOne[segment];
    values.mayBeLong = parts.mayBeLong[segment];
    if (std::string sync = segment ? sourceLocation(kernel.getLoc()) : ""; !sync.empty())
      values.sync = text(base + ".sync" + std::to_string(segment), sync);
  }
  if (parts.elided)
    add(parts.elided.getName(), parts.elided.getName(), "serial");
  return recordTable<abi::KernelValues>(base + ".kernels", kernels);
}

std::string RecordBuilder::fieldsTable(StringRef base, TaskParts &parts) {
  DataLayout dataLayout(module);
  SmallVector<abi::ElementFieldValues> fields;
  for (Type type : parts.fields.getAsValueRange<TypeAttr>()) {
    abi::ElementFieldValues &field = fields.emplace_back();
    field.size = columnSize(dataLayout, type);
    field.align = dataLayout.getTypeABIAlignment(type);
  }
  return recordTable<abi::ElementFieldValues>(base + ".fields", fields);
}

/// Makes the edges to a task's post-sync elements. The runtime adds all tasks that an edge's source can reach, so a
/// source that another source reaches needs no edge.
std::string RecordBuilder::edgesTable(StringRef task, TaskParts &parts, RecordValue &count) {
  SmallVector<abi::EdgeValues> edges;
  llvm::DenseSet<std::pair<StringAttr, unsigned>> covered;
  for (const channel::EdgeDescription &description : parts.edges) {
    auto *segment = llvm::find_if(parts.postSync, [&](channel::ChannelNodeOpInterface stack) {
      return stack && SymbolTable::getSymbolName(stack) == description.waiting;
    });
    unsigned number = segment - parts.postSync.begin();
    if (segment == parts.postSync.end() || covered.contains({description.from, number}))
      continue;
    for (StringAttr reached : analysis.reach(FlatSymbolRefAttr::get(description.from)))
      covered.insert({reached, number});
    abi::EdgeValues &edge = edges.emplace_back();
    edge.from = recordName(description.from.getValue());
    edge.to = recordName(task);
    edge.kernel = number;
    edge.readiness = description.readiness;
  }
  count = edges.size();
  return recordTable<abi::EdgeValues>(recordName(task) + ".edges", edges);
}

/// Returns the task's function if another image may know the same function, else an empty string.
std::string RecordBuilder::functionKnownElsewhere(StringRef name, LLVM::Linkage linkage) {
  auto function = linkage == LLVM::Linkage::Internal ? LLVM::LLVMFuncOp() : functions.lookup<LLVM::LLVMFuncOp>(name);
  bool isKnown = function && (linkage == LLVM::Linkage::Weak ? hasFunctionAttribute(function, kForeignFunctionAttr)
                                                             : !function.isExternal());
  return isKnown ? name.str() : "";
}

void RecordBuilder::emitTask(StringRef name, TaskParts &parts) {
  std::string base = recordName(name), where = sourceLocation(parts.node->getLoc());
  SmallVector<std::string> targets;
  for (Attribute target : parts.targets)
    targets.push_back(recordName(cast<FlatSymbolRefAttr>(target).getValue()));

  // The tables are made first, because globals cannot be made inside the record's initialiser.
  abi::TaskValues task;
  task.fields = fieldsTable(base, parts);
  task.kernels = kernelsTable(name, parts);
  task.name = text(base + ".name", sourceName(name));
  if (!where.empty())
    task.location = text(base + ".location", where);
  task.targets = table(base + ".targets", targets);
  task.edges = edgesTable(name, parts, task.numEdges);
  if (parts.frame) {
    // 0 stands for no frames. A frame without content still identifies its lane, so its size is at least 1.
    task.frameSize = std::max<uint64_t>(parts.frame.getSize(), 1);
    task.frameAlign = parts.frame.getAlign();
    task.frameColumns = parts.frame.getColumns() ? parts.frame.getColumns()->size() : 0;
  }
  task.numFields = parts.fields.size();
  task.numKernels = parts.kernels.size();
  task.numTargets = targets.size();
  task.isPlain = parts.linkage == LLVM::Linkage::Weak;
  task.function = functionKnownElsewhere(name, parts.linkage);
  task.hasElision = parts.elided != nullptr;
  task.isRange = parts.isRange;
  if (parts.destination)
    task.destination = *parts.destination;
  task.kind = parts.kind;
  task.capacity = parts.capacity;
  LLVM::GlobalOp record =
      global(base, typeOf(task.list()), parts.linkage, /*isConstant=*/false, [&] { return constant(task.list()); });
  // A descriptor belongs to its image. Another image may have a descriptor of the same name for another function.
  if (parts.linkage != LLVM::Linkage::Internal)
    record.setVisibility_(LLVM::Visibility::Hidden);
}

void RecordBuilder::emitGraph(GraphParts &parts) {
  SmallVector<std::string> tasks;
  for (auto &[name, task] : parts)
    tasks.push_back(recordName(name));
  abi::GraphValues record;
  record.module = text("__cilk2gpu_graph.module", module.getName().value_or("unknown module"));
  record.tasks = table("__cilk2gpu_graph.tasks", tasks);
  record.numTasks = tasks.size();
  if (std::optional<StringRef> policy = graph.getPolicy())
    record.policy = text("__cilk2gpu_graph.policy", *policy);
  global("__cilk2gpu_graph", typeOf(record.list()), LLVM::Linkage::Internal, true,
         [&] { return constant(record.list()); });
  registerAtStart("__cilk2gpu_register_graph", "__cilk2gpu_register", "__cilk2gpu_graph");
}

/// A function of the runtime that does nothing. Its name is in the messages of linkers that do not get the runtime.
static constexpr const char kRemedy[] = "__cilk2gpu_link_this_program_with_the_command_cilk2gpu";

/// Creates a constructor that hands a record to a function of the runtime.
void RecordBuilder::registerAtStart(StringRef name, StringRef function, StringRef record) {
  builder.setInsertionPointToEnd(module.getBody());
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::LLVMFuncOp callee = declareRuntime(module, function, none, {pointer});
  LLVM::LLVMFuncOp remedy = declareRuntime(module, kRemedy, none, {});
  auto constructor =
      LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(none, {}), LLVM::Linkage::Internal);
  Block *entry = constructor.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  LLVM::CallOp::create(builder, loc, remedy, ValueRange());
  LLVM::CallOp::create(builder, loc, callee, ValueRange{constant(RecordValue{.bits = 0, .symbol = record.str()})});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(module.getBody());
  // The constructor runs before the program's own constructors (default 65535), which may call Cilk functions.
  LLVM::GlobalCtorsOp::create(builder, loc, builder.getArrayAttr({FlatSymbolRefAttr::get(constructor)}),
                              builder.getI32ArrayAttr({101}),
                              builder.getArrayAttr({LLVM::ZeroAttr::get(builder.getContext())}));
}

/// A constant array of numbers; returns its symbol, or nothing if it would be empty.
template <typename Number> std::string RecordBuilder::numberTable(Twine name, ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return "";
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  Type element = builder.getIntegerType(8 * sizeof(Number));
  auto values = llvm::map_to_vector(numbers, [](int64_t number) { return static_cast<Number>(number); });
  auto type = LLVM::LLVMArrayType::get(element, numbers.size());
  auto shape = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, element);
  LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name.str(),
                         DenseElementsAttr::get(shape, ArrayRef<Number>(values)));
  return name.str();
}

void RecordBuilder::emitBlocks(channel::BlocksOp blocks, bool synchronises) {
  std::string base = blocksRecordName(blocks.getSymName());
  abi::BlocksValues record;
  record.name = text(base + ".name", blocks.getSymName());
  record.run = blocks.getBody().str();
  record.links = blocks.getLinks().value_or("").str();
  if (blocks.getOffsets())
    record.offsets = numberTable<int32_t>(base + ".offsets", *blocks.getOffsets());
  record.numOffsets = blocks.numOffsets();
  if (blocks.isStatic()) {
    record.starts = numberTable<uint64_t>(base + ".starts", *blocks.getStarts());
    record.children = numberTable<uint32_t>(base + ".children", *blocks.getChildren());
    record.numNodes = blocks.getStarts()->size() - 1;
  }
  constexpr int64_t kOfTheLaunch[] = {0, 0, 0};
  ArrayRef<int64_t> threads = blocks.getThreads().value_or(kOfTheLaunch);
  record.threadsX = threads[0];
  record.threadsY = threads[1];
  record.threadsZ = threads[2];
  record.syncs = synchronises;
  record.forms = rowFormsTable(base + ".forms", blocks.getBody(), synchronises, record.numForms);
  if (std::string one = oneThreadName(blocks.getBody()); module.lookupSymbol(one))
    record.one = one;
  record.order = blocks.getPolicy().value_or(channel::BlockPolicy::Lrr);
  record.bound = blocks.getBound().value_or(0);
  global(base, typeOf(record.list()), LLVM::Linkage::Internal, /*isConstant=*/true,
         [&] { return constant(record.list()); });
}

void RecordBuilder::emitBlockKernels() {
  DataLayout dataLayout(module);
  SmallVector<abi::BlockKernelValues, 0> kernels;
  for (auto blocks : graph.getOps<channel::BlocksOp>()) {
    if (!blocks.getKernel())
      continue;
    LLVM::LLVMStructType arguments = argumentsType(blocks);
    abi::BlockKernelValues &kernel = kernels.emplace_back();
    kernel.kernel = blocks.getKernel()->str();
    kernel.pack = packName(*blocks.getKernel());
    kernel.blocks = blocksRecordName(blocks.getSymName());
    kernel.argumentBytes = allocSize(dataLayout, arguments);
    kernel.argumentAlign = dataLayout.getTypeABIAlignment(arguments);
  }
  if (kernels.empty())
    return;
  abi::BlockKernelsValues record;
  record.module = text("__cilk2gpu_block_kernels.module", module.getName().value_or("unknown module"));
  record.kernels = recordTable<abi::BlockKernelValues>("__cilk2gpu_block_kernels.table", kernels);
  record.numKernels = kernels.size();
  global("__cilk2gpu_block_kernels", typeOf(record.list()), LLVM::Linkage::Internal, /*isConstant=*/false,
         [&] { return constant(record.list()); });
  registerAtStart("__cilk2gpu_register_block_kernels", "__cilk2gpu_register_blocks", "__cilk2gpu_block_kernels");
}

void cilk2gpu::emitBlockKernels(ModuleOp module, channel::GraphOp graph) {
  RecordBuilder(module, graph).emitBlockKernels();
}

void cilk2gpu::emitBlocksRecord(ModuleOp module, channel::BlocksOp blocks, bool synchronises) {
  RecordBuilder(module, blocks->getParentOfType<channel::GraphOp>()).emitBlocks(blocks, synchronises);
}

void cilk2gpu::emitDescriptors(ModuleOp module, channel::GraphOp graph, GraphParts &parts) {
  RecordBuilder records(module, graph);
  for (auto &[name, task] : parts)
    records.emitTask(name, task);
  // Block graphs need no registration: their launches name them.
  if (!parts.empty() || graph.getPolicy())
    records.emitGraph(parts);
}
