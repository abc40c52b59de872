// A node kind that only this file defines: toy.mailbox, a bounded channel in a dialect of its own. It shows that a node
// kind is only one operation with ChannelNodeOpInterface.
//
//   toy-node --draw FILE     prints the graph as DOT, JSON and text
//   toy-node FILE            lowers the graph to records
#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace cilk2gpu;

namespace toy {

class MailboxOp : public Op<MailboxOp, OpTrait::ZeroRegions, OpTrait::ZeroResults, OpTrait::ZeroSuccessors,
                            OpTrait::ZeroOperands, SymbolOpInterface::Trait, channel::ChannelNodeOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "toy.mailbox"; }
  static ArrayRef<StringRef> getAttributeNames() {
    static const StringRef names[] = {"fields", "letters", "sym_name"};
    return names;
  }

  uint64_t letters() { return (*this)->getAttrOfType<IntegerAttr>("letters").getInt(); }
  ArrayAttr getElementFields() { return (*this)->getAttrOfType<ArrayAttr>("fields"); }
  StringAttr getRecordName() { return SymbolTable::getSymbolName(*this); }
  bool takesSpawns() { return true; }

  LogicalResult verifyInGraph(const channel::GraphAnalysis &graph) {
    if (graph.consumersOf(getRecordName()).empty())
      return emitOpError("a mailbox is read by a kernel, but no kernel consumes it; add one");
    return success();
  }

  void describe(channel::GraphDescription &graph) {
    channel::RecordDescription &record = graph[getRecordName()];
    record.node = *this;
    record.kind = abi::NodeKind::Queue;
    record.fields = getElementFields();
    record.capacity = letters();
  }

  void draw(channel::NodeDrawing &drawing) {
    drawing.name = getRecordName().str();
    drawing.style = "shape=tab";
    drawing.label = drawing.name + "\n" + std::to_string(letters()) + " letters";
    drawing.list = "mailboxes";
    drawing.object = llvm::json::Object{{"name", drawing.name}, {"letters", static_cast<int64_t>(letters())}};
    drawing.sentence = "mailbox " + drawing.name + " for " + std::to_string(letters()) + " letters";
  }
};

class ToyDialect : public Dialect {
public:
  explicit ToyDialect(MLIRContext *context) : Dialect(getDialectNamespace(), context, TypeID::get<ToyDialect>()) {
    addOperations<MailboxOp>();
  }
  static StringRef getDialectNamespace() { return "toy"; }
};

} // namespace toy

int main(int argc, char **argv) {
  bool draws = argc == 3 && argv[1] == StringRef("--draw");
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<toy::ToyDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[argc - 1], &context);
  if (!module)
    return 1;
  if (draws) {
    emitDot(*module, llvm::outs());
    emitJson(*module, llvm::outs());
    emitOutline(*module, llvm::outs());
    return 0;
  }
  PassManager passes(&context);
  passes.addPass(createConvertChannelToLLVMPass());
  if (failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
