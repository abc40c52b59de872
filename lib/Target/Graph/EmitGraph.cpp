// Prints channel-flow graphs as DOT, JSON and lines of text. See EmitGraph.h.
#include "cilk2gpu/Target/Graph/EmitGraph.h"

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Registration.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cilk2gpu;
namespace json = llvm::json;

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

//===-- DOT -----------------------------------------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

static std::string fieldList(ArrayAttr fields) {
  SmallVector<std::string> names;
  for (Type type : fields.getAsValueRange<TypeAttr>())
    names.push_back(typeName(type));
  return llvm::join(names, ", ");
}

static void emitDotNode(Operation &op, raw_ostream &os) {
  if (auto stack = dyn_cast<channel::StackOp>(op)) {
    os << "    " << quoted(stack.getSymName()) << " [shape=ellipse, peripheries=2, label="
       << quoted((stack.getSymName() + "\n(" + fieldList(stack.getFields()) + ")").str()) << "];\n";
  } else if (auto queue = dyn_cast<channel::QueueOp>(op)) {
    os << "    " << quoted(queue.getSymName()) << " [shape=ellipse, label="
       << quoted((queue.getSymName() + "\n(" + fieldList(queue.getFields()) + ") x " + Twine(queue.getWidth())).str())
       << "];\n";
  } else if (auto frame = dyn_cast<channel::FrameOp>(op)) {
    os << "    " << quoted(frame.getSymName())
       << " [shape=note, label=" << quoted((frame.getSymName() + "\n" + Twine(frame.getSize()) + " bytes").str())
       << "];\n    " << quoted(frame.getSymName()) << " -> " << quoted(frame.getTask())
       << " [style=dashed, arrowhead=none];\n";
  } else if (auto kernel = dyn_cast<channel::KernelOp>(op)) {
    os << "    " << quoted(kernel.getSymName())
       << " [shape=box, style=filled, fillcolor=" << (kernel.getSegment() ? "white" : "lightgrey") << "];\n    "
       << quoted(kernel.getConsumes()) << " -> " << quoted(kernel.getSymName()) << ";\n";
    for (Attribute target : kernel.getSpawns())
      os << "    " << quoted(kernel.getSymName()) << " -> " << quoted(cast<FlatSymbolRefAttr>(target).getValue())
         << " [label=\"spawn\"];\n";
    for (Attribute target : kernel.getPublishes())
      os << "    " << quoted(kernel.getSymName()) << " -> " << quoted(cast<FlatSymbolRefAttr>(target).getValue())
         << " [label=\"sync\"];\n";
  } else if (auto depend = dyn_cast<channel::DependOp>(op)) {
    for (Attribute on : depend.getOn())
      os << "    " << quoted(cast<FlatSymbolRefAttr>(on).getValue()) << " -> " << quoted(depend.getStack())
         << " [style=dotted, label=\"drained below\"];\n";
  }
}

/// DOT wants line breaks inside labels as \n.
static std::string escapeBreaks(std::string text) {
  std::string result;
  bool inQuotes = false;
  for (char c : text) {
    inQuotes ^= c == '"';
    result += c == '\n' && inQuotes ? std::string("\\n") : std::string(1, c);
  }
  return result;
}

void cilk2gpu::emitDot(ModuleOp module, raw_ostream &os) {
  os << "digraph channel_flow {\n  rankdir=TB;\n";
  for (auto graph : module.getOps<channel::GraphOp>()) {
    os << "  subgraph " << quoted(("cluster_" + graph.getSymName()).str())
       << " {\n    label=" << quoted(graph.getSymName()) << ";\n";
    std::string nodes;
    llvm::raw_string_ostream stream(nodes);
    for (Operation &op : graph.getBody().front())
      emitDotNode(op, stream);
    os << escapeBreaks(nodes) << "  }\n";
  }
  os << "}\n";
}

//===-- JSON ----------------------------------------------------------------------------------------------------===//

static json::Array names(ArrayAttr refs) {
  json::Array array;
  for (Attribute ref : refs)
    array.push_back(cast<FlatSymbolRefAttr>(ref).getValue());
  return array;
}

static json::Array fieldsJson(ArrayAttr fields, const DataLayout &dataLayout) {
  json::Array array;
  for (Type type : fields.getAsValueRange<TypeAttr>())
    array.push_back(json::Object{{"type", typeName(type)},
                                 {"size", static_cast<int64_t>(dataLayout.getTypeSize(type).getFixedValue())},
                                 {"align", static_cast<int64_t>(dataLayout.getTypeABIAlignment(type))}});
  return array;
}

static json::Object graphJson(channel::GraphOp graph, const DataLayout &dataLayout) {
  json::Array stacks, queues, frames, kernels, dependencies;
  for (Operation &op : graph.getBody().front()) {
    if (auto stack = dyn_cast<channel::StackOp>(op)) {
      json::Object object{{"name", stack.getSymName()}, {"fields", fieldsJson(stack.getFields(), dataLayout)}};
      if (stack.getResumes())
        object["resumes"] = *stack.getResumes();
      stacks.push_back(std::move(object));
    } else if (auto queue = dyn_cast<channel::QueueOp>(op)) {
      queues.push_back(json::Object{{"name", queue.getSymName()},
                                    {"fields", fieldsJson(queue.getFields(), dataLayout)},
                                    {"width", static_cast<int64_t>(queue.getWidth())}});
    } else if (auto frame = dyn_cast<channel::FrameOp>(op)) {
      frames.push_back(json::Object{{"name", frame.getSymName()},
                                    {"task", frame.getTask()},
                                    {"size", static_cast<int64_t>(frame.getSize())},
                                    {"align", static_cast<int64_t>(frame.getAlign())}});
    } else if (auto kernel = dyn_cast<channel::KernelOp>(op)) {
      kernels.push_back(json::Object{{"name", kernel.getSymName()},
                                     {"task", kernel.getTask()},
                                     {"segment", static_cast<int64_t>(kernel.getSegment())},
                                     {"consumes", kernel.getConsumes()},
                                     {"spawns", names(kernel.getSpawns())},
                                     {"publishes", names(kernel.getPublishes())}});
    } else if (auto depend = dyn_cast<channel::DependOp>(op)) {
      dependencies.push_back(json::Object{{"stack", depend.getStack()}, {"drained_below", names(depend.getOn())}});
    }
  }
  return json::Object{{"name", graph.getSymName()},    {"stacks", std::move(stacks)},
                      {"queues", std::move(queues)},   {"frames", std::move(frames)},
                      {"kernels", std::move(kernels)}, {"dependencies", std::move(dependencies)}};
}

void cilk2gpu::emitJson(ModuleOp module, raw_ostream &os) {
  json::Array graphs;
  DataLayout dataLayout(module);
  for (auto graph : module.getOps<channel::GraphOp>())
    graphs.push_back(graphJson(graph, dataLayout));
  os << llvm::formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"graphs", std::move(graphs)}})) << "\n";
}

//===-- Outline -------------------------------------------------------------------------------------------------===//

static std::string nameList(ArrayAttr refs) {
  SmallVector<StringRef> names;
  for (Attribute ref : refs)
    names.push_back(cast<FlatSymbolRefAttr>(ref).getValue());
  return llvm::join(names, ", ");
}

static void emitOutlineNode(Operation &op, raw_ostream &os) {
  if (auto stack = dyn_cast<channel::StackOp>(op)) {
    os << "channel stack " << stack.getSymName() << " (" << fieldList(stack.getFields()) << ")\n";
  } else if (auto queue = dyn_cast<channel::QueueOp>(op)) {
    os << "channel " << queue.getSymName() << " (" << fieldList(queue.getFields()) << "), width " << queue.getWidth()
       << "\n";
  } else if (auto frame = dyn_cast<channel::FrameOp>(op)) {
    os << "frame " << frame.getSymName() << " of " << frame.getTask() << ": " << frame.getSize() << " bytes\n";
  } else if (auto kernel = dyn_cast<channel::KernelOp>(op)) {
    os << "kernel " << kernel.getSymName() << " consumes " << kernel.getConsumes();
    if (!kernel.getSpawns().empty())
      os << ", spawns " << nameList(kernel.getSpawns());
    if (!kernel.getPublishes().empty())
      os << ", at its sync goes on in " << nameList(kernel.getPublishes());
    os << "\n";
  } else if (auto depend = dyn_cast<channel::DependOp>(op)) {
    os << "channel stack " << depend.getStack() << " is ready when deeper levels are drained of "
       << nameList(depend.getOn()) << "\n";
  }
}

void cilk2gpu::emitOutline(ModuleOp module, raw_ostream &os) {
  for (auto graph : module.getOps<channel::GraphOp>())
    for (Operation &op : graph.getBody().front())
      emitOutlineNode(op, os);
}

void cilk2gpu::registerGraphTranslations() {
  auto print = [](void (*emit)(ModuleOp, raw_ostream &)) {
    return [emit](ModuleOp module, raw_ostream &os) {
      emit(module, os);
      return success();
    };
  };
  static TranslateFromMLIRRegistration dot("channel-to-dot", "print channel-flow graphs as Graphviz DOT",
                                           print(emitDot), registerAllDialects);
  static TranslateFromMLIRRegistration jsonText("channel-to-json", "print channel-flow graphs as JSON", print(emitJson),
                                                registerAllDialects);
  static TranslateFromMLIRRegistration outline("channel-to-outline", "print channel-flow graphs as lines of text",
                                               print(emitOutline), registerAllDialects);
}
