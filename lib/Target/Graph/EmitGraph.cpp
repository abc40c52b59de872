// Prints channel-flow graphs as DOT, JSON and lines of text. See EmitGraph.h. The nodes describe their own appearance
// (ChannelNodeOpInterface::draw).
#include "cilk2gpu/Target/Graph/EmitGraph.h"

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Registration.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cilk2gpu;
namespace json = llvm::json;

/// Calls `visit` with the drawing of each node and edge of a graph.
static void eachNode(channel::GraphOp graph, llvm::function_ref<void(channel::NodeDrawing &)> visit) {
  DataLayout dataLayout(graph->getParentOfType<ModuleOp>());
  for (auto node : graph.getOps<channel::ChannelNodeOpInterface>()) {
    channel::NodeDrawing drawing;
    drawing.dataLayout = &dataLayout;
    node.draw(drawing);
    visit(drawing);
  }
}

static std::string policyOf(channel::GraphOp graph) {
  return graph.getPolicy() ? " (policy " + graph.getPolicy()->str() + ")" : "";
}

//===--------------------------------------------------------------------------------------------------------------===//
// DOT
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns a quoted string of DOT, in which line breaks are written as \n.
static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result + "\"";
}

static void emitDotNode(const channel::NodeDrawing &drawing, raw_ostream &os) {
  if (!drawing.name.empty()) {
    os << "    " << quoted(drawing.name) << " [" << drawing.style;
    if (!drawing.label.empty())
      os << ", label=" << quoted(drawing.label);
    os << "];\n";
  }
  for (const channel::NodeDrawing::Arrow &arrow : drawing.arrows) {
    os << "    " << quoted(arrow.from) << " -> " << quoted(arrow.to);
    if (!arrow.style.empty())
      os << " [" << arrow.style << "]";
    os << ";\n";
  }
}

void cilk2gpu::emitDot(ModuleOp module, raw_ostream &os) {
  os << "digraph channel_flow {\n  rankdir=TB;\n";
  for (auto graph : module.getOps<channel::GraphOp>()) {
    os << "  subgraph " << quoted(("cluster_" + graph.getSymName()).str())
       << " {\n    label=" << quoted(graph.getSymName().str() + policyOf(graph)) << ";\n";
    eachNode(graph, [&](channel::NodeDrawing &drawing) { emitDotNode(drawing, os); });
    os << "  }\n";
  }
  os << "}\n";
}

//===--------------------------------------------------------------------------------------------------------------===//
// JSON
//===--------------------------------------------------------------------------------------------------------------===//

static json::Object graphJson(channel::GraphOp graph) {
  json::Object object{{"name", channel::nameJson(graph.getSymName())},
                      {"stacks", json::Array()},
                      {"queues", json::Array()},
                      {"frames", json::Array()},
                      {"kernels", json::Array()},
                      {"dependencies", json::Array()}};
  if (graph.getPolicy())
    object["policy"] = channel::nameJson(*graph.getPolicy());
  eachNode(graph, [&](channel::NodeDrawing &drawing) {
    json::Value &list = object.try_emplace(drawing.list, json::Array()).first->second;
    list.getAsArray()->push_back(std::move(drawing.object));
  });
  return object;
}

void cilk2gpu::emitJson(ModuleOp module, raw_ostream &os) {
  json::Array graphs;
  for (auto graph : module.getOps<channel::GraphOp>())
    graphs.push_back(graphJson(graph));
  os << llvm::formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"graphs", std::move(graphs)}})) << "\n";
}

//===--------------------------------------------------------------------------------------------------------------===//
// Outline
//===--------------------------------------------------------------------------------------------------------------===//

void cilk2gpu::emitOutline(ModuleOp module, raw_ostream &os) {
  for (auto graph : module.getOps<channel::GraphOp>()) {
    if (graph.getPolicy())
      os << "policy " << *graph.getPolicy() << "\n";
    eachNode(graph, [&](channel::NodeDrawing &drawing) { os << drawing.sentence << "\n"; });
  }
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
