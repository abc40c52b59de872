// The lane form of a kernel: a copy of its body in terms of lane operations
// (include/cilk2gpu/Vectorise/LaneOps.h), to be simplified by LLVM and
// vectorised. It is for fresh lanes only: those that restart run in the scalar
// kernel.
#include "Lowering.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Vectorise/LaneOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;

static constexpr auto kNone = LLVM::ModRefInfo::NoModRef;

/// Structs of more bytes are copied as a whole.
static constexpr uint64_t kLargestSplit = 256;

namespace {

/// Turns one copy of a kernel body into lane form.
class LaneForm {
public:
  LaneForm(ModuleOp module, const SymbolTable &nodes, TaskParts &task, LLVM::LLVMFuncOp copy)
      : module(module), nodes(nodes), task(task), copy(copy), dataLayout(module), builder(module.getContext()) {}

  /// Fails, with the copy in an undefined state, on what has no lane form; `why` says what that is.
  LogicalResult run();
  StringRef why() const { return reason; }

private:
  LogicalResult convert(Operation *op);
  void convertPlaces();
  void splitAggregates();
  void convert(channel::DeqOp op);
  void convert(channel::TallocOp op);
  LogicalResult convert(channel::TryTallocOp op);
  void convert(channel::EnqOp op);
  LogicalResult convert(channel::ResultOp op);
  Value memberAddress(Location loc, Value dest, uint64_t offset);
  Value call(Location loc, const Twine &name, Type result, ValueRange operands, LLVM::ModRefInfo arguments,
             LLVM::ModRefInfo hidden, ArrayAttr argumentAttrs = {});

  channel::StackOp stackOf(SymbolRefAttr ref) { return nodes.lookup<channel::StackOp>(ref.getLeafReference()); }

  ModuleOp module;
  const SymbolTable &nodes;                     ///< of the graph
  llvm::StringMap<LLVM::LLVMFuncOp> operations; ///< that are declared
  TaskParts &task;
  LLVM::LLVMFuncOp copy;
  DataLayout dataLayout;
  OpBuilder builder;
  unsigned accumulators = 0, results = 0;
  StringRef reason = "it does what lanes cannot do together";
};

} // namespace

/// A call of the lane operation `name`, which is declared if it is new.
Value LaneForm::call(Location loc, const Twine &name, Type result, ValueRange operands, LLVM::ModRefInfo arguments,
                     LLVM::ModRefInfo hidden, ArrayAttr argumentAttrs) {
  // Declarations of different kernels have different types.
  std::string symbol = (lane::kPrefix + name + ".." + copy.getName()).str();
  LLVM::LLVMFuncOp &function = operations[symbol];
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands.getTypes()));
    function = LLVM::LLVMFuncOp::create(top, module.getLoc(), symbol, type);
    function.setNoUnwind(true);
    function.setWillReturn(true);
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(builder.getContext(), {kNone, arguments, hidden, kNone, kNone, kNone}));
    if (argumentAttrs)
      function.setArgAttrsAttr(argumentAttrs);
  }
  auto call = LLVM::CallOp::create(builder, loc, function, operands);
  if (argumentAttrs)
    call.setArgAttrsAttr(argumentAttrs);
  return call.getNumResults() ? call.getResult() : Value();
}

void LaneForm::convert(channel::DeqOp op) {
  auto stack = stackOf(op.getChannel());
  for (auto [number, field, type] : llvm::enumerate(op.getFields(), stack.getFields().getAsValueRange<TypeAttr>())) {
    if (channel::isByAddress(type)) {
      uint64_t size = storeSize(dataLayout, type);
      field.replaceAllUsesWith(call(op.getLoc(), lane::kAddress + "." + Twine(number) + "." + Twine(size),
                                    field.getType(), {}, kNone, kNone));
    } else {
      field.replaceAllUsesWith(call(op.getLoc(), lane::kDeq + "." + Twine(number), type, {}, kNone, kNone));
    }
  }
}

/// A frame; the element of a post-sync channel is made by its enq.
void LaneForm::convert(channel::TallocOp op) {
  if (!stackOf(op.getChannel()))
    op.getResult().replaceAllUsesWith(
        call(op.getLoc(), lane::kFrame, op.getResult().getType(), {}, kNone, LLVM::ModRefInfo::ModRef));
}

// %e, %ok = try_talloc; cond_br %ok, ^granted, ^refused    ^granted: enq %e
// (fields)
// ->                                                       %ok = spawn(fields);
// cond_br ...
LogicalResult LaneForm::convert(channel::TryTallocOp op) {
  auto branch = dyn_cast<LLVM::CondBrOp>(op->getBlock()->getTerminator());
  if (!branch || branch.getCondition() != op.getGranted() || !op.getElement().hasOneUse())
    return failure();
  auto enq = dyn_cast<channel::EnqOp>(*op.getElement().user_begin());
  Block *granted = branch.getTrueDest();
  if (!enq || enq->getBlock() != granted || !granted->getSinglePredecessor())
    return failure();
  // What the fields are computed from has to be known before there is space.
  for (Operation &before : llvm::make_early_inc_range(granted->getOperations())) {
    if (&before == enq)
      break;
    auto load = dyn_cast<LLVM::LoadOp>(before);
    bool onlyReads = load && !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
    if (!onlyReads && !isMemoryEffectFree(&before)) {
      reason =
          "what it hands to a child is computed with side effects between the reservation of an element and its use";
      return failure();
    }
    before.moveBefore(branch);
  }
  auto stack = stackOf(enq.getChannel());
  SmallVector<Attribute> attributes;
  for (Type type : stack.getFields().getAsValueRange<TypeAttr>())
    attributes.push_back(channel::isByAddress(type) ? builder.getDictionaryAttr(builder.getNamedAttr(
                                                          LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(type)))
                                                    : builder.getDictionaryAttr({}));
  auto target = llvm::find(task.targets, FlatSymbolRefAttr::get(enq.getChannel().getLeafReference()));
  builder.setInsertionPoint(branch);
  Value accepted =
      call(enq.getLoc(), lane::kSpawn + "." + Twine(target - task.targets.begin()), builder.getI1Type(),
           enq.getFields(), LLVM::ModRefInfo::Ref, LLVM::ModRefInfo::ModRef, builder.getArrayAttr(attributes));
  op.getGranted().replaceAllUsesWith(accepted);
  enq.erase();
  return success();
}

void LaneForm::convert(channel::EnqOp op) {
  auto *segment = llvm::find(task.postSync, stackOf(op.getChannel()));
  call(op.getLoc(), lane::kPublish + "." + Twine(segment - task.postSync.begin()),
       LLVM::LLVMVoidType::get(builder.getContext()), op.getFields(), kNone, LLVM::ModRefInfo::ModRef);
}

/// dest + offset, or null if `dest` is null: nobody wants the result.
Value LaneForm::memberAddress(Location loc, Value dest, uint64_t offset) {
  if (offset == 0)
    return dest;
  Value null = LLVM::ZeroOp::create(builder, loc, dest.getType());
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, dest, null);
  Value member = LLVM::GEPOp::create(builder, loc, dest.getType(), builder.getI8Type(), dest,
                                     ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return LLVM::SelectOp::create(builder, loc, isNull, null, member);
}

/// Whether lanes can store such a value: no integer that takes other than a power of two of bytes.
static bool hasResultForm(Type type, const DataLayout &dataLayout) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.getWidth() == 1 || integer.getWidth() == 8 * columnSize(dataLayout, type)
                 : isa<LLVM::LLVMPointerType, FloatType>(type);
}

/// A result that is a struct or an array is stored member by member, or two members of eight bytes at a time.
LogicalResult LaneForm::convert(channel::ResultOp op) {
  Location loc = op.getLoc();
  SmallVector<std::pair<Value, uint64_t>> members;
  forEachMember(builder, loc, dataLayout, op.getValue(),
                [&](Value member, uint64_t offset) { members.emplace_back(member, offset); });
  auto hasForm = [&](auto &member) { return hasResultForm(member.first.getType(), dataLayout); };
  if (!llvm::all_of(members, hasForm)) {
    reason = "its result is of a type that has no vector form";
    return failure();
  }
  auto isWord = [&](unsigned i, uint64_t at) {
    return i < members.size() && members[i].second == at && storeSize(dataLayout, members[i].first.getType()) == 8;
  };
  for (unsigned i = 0; i < members.size();) {
    auto [member, at] = members[i];
    SmallVector<Value> operands{member};
    if (isWord(i, at) && isWord(i + 1, at + 8))
      operands.push_back(members[i + 1].first);
    i += operands.size();
    operands.push_back(memberAddress(loc, op.getDest(), at));
    call(loc, lane::kResult + "." + Twine(results++), LLVM::LLVMVoidType::get(builder.getContext()), operands,
         LLVM::ModRefInfo::Mod, kNone);
  }
  return success();
}

LogicalResult LaneForm::convert(Operation *op) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  if (auto deq = dyn_cast<channel::DeqOp>(op)) {
    convert(deq);
  } else if (auto talloc = dyn_cast<channel::TallocOp>(op)) {
    convert(talloc);
  } else if (auto attempt = dyn_cast<channel::TryTallocOp>(op)) {
    return convert(attempt);
  } else if (auto enq = dyn_cast<channel::EnqOp>(op)) {
    convert(enq);
  } else if (auto result = dyn_cast<channel::ResultOp>(op)) {
    return convert(result);
  } else if (auto tfree = dyn_cast<channel::TfreeOp>(op)) {
    if (!isa<channel::ElementType>(tfree.getValue().getType()))
      call(loc, lane::kFree, none, tfree.getValue(), kNone, LLVM::ModRefInfo::ModRef);
  } else if (auto yield = dyn_cast<channel::YieldOp>(op)) {
    Value site = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), yield.getSiteAttr());
    call(loc, lane::kYield, none, {yield.getFrame(), site}, kNone, LLVM::ModRefInfo::ModRef);
  } else if (auto address = dyn_cast<channel::AddressOp>(op)) {
    address.getResult().replaceAllUsesWith(
        call(loc, lane::kDestination, address.getType(), address.getOffset(), kNone, kNone));
  } else if (auto offset = dyn_cast<channel::OffsetOp>(op)) {
    offset.getResult().replaceAllUsesWith(offsetInFrames(builder, loc, offset.getAddress()));
  } else if (isa<channel::SiteOp>(op)) {
    op->getResult(0).replaceAllUsesWith(
        LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(0)));
  } else if (isa<channel::RestartedFrameOp>(op)) {
    op->getResult(0).replaceAllUsesWith(LLVM::PoisonOp::create(builder, loc, op->getResult(0).getType()));
  } else {
    return failure();
  }
  return success();
}

/// Places of fields of several words in frames, of which the vectoriser has to know that they are such.
void LaneForm::convertPlaces() {
  SmallVector<LLVM::GEPOp> places;
  copy.walk([&](LLVM::GEPOp op) {
    if (op->hasAttr(kFrameWordsAttr))
      places.push_back(op);
  });
  for (LLVM::GEPOp op : places) {
    builder.setInsertionPoint(op);
    int64_t words = op->getAttrOfType<IntegerAttr>(kFrameWordsAttr).getInt();
    op.replaceAllUsesWith(
        call(op.getLoc(), lane::kPlace + "." + Twine(words), op.getType(), op.getBase(), kNone, kNone));
    op.erase();
  }
}

/// Loads and stores structs member by member: LLVM does not where there is padding, and no vector holds them.
void LaneForm::splitAggregates() {
  auto isPlain = [&](auto op, Type type) {
    return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) && !op.getVolatile_() &&
           op.getOrdering() == LLVM::AtomicOrdering::not_atomic && storeSize(dataLayout, type) <= kLargestSplit;
  };
  SmallVector<LLVM::LoadOp> loads;
  SmallVector<LLVM::StoreOp> stores;
  copy.walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isPlain(load, load.getType()))
      loads.push_back(load);
    if (auto store = dyn_cast<LLVM::StoreOp>(op); store && isPlain(store, store.getValue().getType()))
      stores.push_back(store);
  });
  auto memberAt = [&](Location loc, Value address, uint64_t offset) -> Value {
    return offset ? LLVM::GEPOp::create(builder, loc, address.getType(), builder.getI8Type(), address,
                                        ArrayRef<LLVM::GEPArg>{int32_t(offset)})
                        .getResult()
                  : address;
  };
  for (LLVM::StoreOp store : stores) {
    builder.setInsertionPoint(store);
    uint64_t align = store.getAlignment().value_or(dataLayout.getTypeABIAlignment(store.getValue().getType()));
    forEachMember(builder, store.getLoc(), dataLayout, store.getValue(), [&](Value member, uint64_t offset) {
      LLVM::StoreOp::create(builder, store.getLoc(), member, memberAt(store.getLoc(), store.getAddr(), offset),
                            llvm::MinAlign(align, offset));
    });
    store.erase();
  }
  for (LLVM::LoadOp load : loads) {
    builder.setInsertionPoint(load);
    uint64_t align = load.getAlignment().value_or(dataLayout.getTypeABIAlignment(load.getType()));
    load.replaceAllUsesWith(
        joinMembers(builder, load.getLoc(), dataLayout, load.getType(), [&](Type type, uint64_t offset) {
          return LLVM::LoadOp::create(builder, load.getLoc(), type, memberAt(load.getLoc(), load.getAddr(), offset),
                                      llvm::MinAlign(align, offset));
        }));
    load.erase();
  }
}

LogicalResult LaneForm::run() {
  splitAggregates();
  auto walk = [&](auto matches) {
    SmallVector<Operation *> ops;
    copy.walk([&](Operation *op) {
      if (matches(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(convert(op)))
        return failure();
    for (Operation *op : llvm::reverse(ops)) {
      op->dropAllUses();
      op->erase();
    }
    return success();
  };
  copy.walk([&](LLVM::AtomicRMWOp update) {
    if (!update->hasAttr(cilk::kAccumulateAttr))
      return;
    builder.setInsertionPoint(update);
    call(update.getLoc(), lane::kAccumulate + "." + Twine(unsigned(update.getBinOp())) + "." + Twine(accumulators++),
         LLVM::LLVMVoidType::get(builder.getContext()), {update.getVal(), update.getPtr()}, LLVM::ModRefInfo::ModRef,
         kNone);
    update.erase();
  });
  // Spawns first: they take their enq with them.
  if (failed(walk([](Operation *op) { return isa<channel::TryTallocOp>(op); })))
    return failure();
  convertPlaces(); // until now they are computed, which may be done earlier
  return walk([](Operation *op) { return isa_and_nonnull<channel::ChannelDialect>(op->getDialect()); });
}

/// Whether the kernel's task does no more than start an accumulation (cilk-combine-results), and no kernel of this unit
/// spawns it: all of its tasks' work is in the accumulating form.
bool KernelLowering::isRootOnly() {
  auto spawns = [&](TaskParts &parts) {
    return parts.targets.contains(FlatSymbolRefAttr::get(task->stack.getSymNameAttr()));
  };
  return task->stack->hasAttr(cilk::kStartsAccumulationAttr) &&
         llvm::none_of(parts, [&](auto &entry) { return spawns(entry.second); });
}

/// Null if there is none: then a function that does nothing says why, to who chooses between forms.
LLVM::LLVMFuncOp KernelLowering::createLaneForm(LLVM::LLVMFuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(kernel);
  auto copy = cast<LLVM::LLVMFuncOp>(builder.clone(*kernel));
  copy.setName((kernel.getName() + ".lanes").str());
  copy->removeAttr(channel::kKernelAttr);
  copy.setLinkage(LLVM::Linkage::External);
  SmallVector<Attribute> attributes;
  if (ArrayAttr inherited = copy.getPassthroughAttr())
    attributes.append(inherited.begin(), inherited.end());
  LaneForm form(module, nodes, *task, copy);
  if (failed(form.run())) {
    copy.eraseBody();
    builder.setInsertionPointToEnd(copy.addEntryBlock(builder));
    LLVM::UnreachableOp::create(builder, copy.getLoc());
    attributes.push_back(builder.getStrArrayAttr({lane::kKernelAttr, form.why()}));
    copy.setPassthroughAttr(builder.getArrayAttr(attributes));
    makeOwnDebugScope(copy);
    return {};
  }
  attributes.push_back(builder.getStringAttr(lane::kKernelAttr));
  if (isRootOnly())
    attributes.push_back(builder.getStringAttr(lane::kFewTasksAttr));
  auto own = llvm::find(task->targets, FlatSymbolRefAttr::get(task->stack.getSymNameAttr()));
  if (own != task->targets.end())
    attributes.push_back(builder.getStrArrayAttr({lane::kOwnTargetAttr, std::to_string(own - task->targets.begin())}));
  if (task->frame && task->frame.getColumns()) {
    std::string sizes;
    llvm::raw_string_ostream out(sizes);
    llvm::interleave(*task->frame.getColumns(), out, ",");
    attributes.push_back(builder.getStrArrayAttr({lane::kFrameColumnsAttr, sizes}));
  }
  copy.setPassthroughAttr(builder.getArrayAttr(attributes));
  makeOwnDebugScope(copy);
  return copy;
}
