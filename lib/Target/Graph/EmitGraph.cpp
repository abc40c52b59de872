// Prints channel-flow graphs as DOT, JSON and lines of text. See EmitGraph.h. The nodes describe their own appearance
// (ChannelNodeOpInterface::draw).
#include "cilk2gpu/Target/Graph/EmitGraph.h"

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Registration.h"
#include "cilk2gpu/Support/SourceNames.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace cilk2gpu;
using channel::NodeDrawing;
namespace json = llvm::json;

/// Calls `visit` with each node and edge of a graph and its drawing.
static void eachNode(channel::GraphOp graph, llvm::function_ref<void(Operation *, NodeDrawing &)> visit) {
  DataLayout dataLayout(graph->getParentOfType<ModuleOp>());
  for (auto node : graph.getOps<channel::ChannelNodeOpInterface>()) {
    NodeDrawing drawing;
    drawing.dataLayout = &dataLayout;
    node.draw(drawing);
    drawing.dataLayout = nullptr;
    visit(node, drawing);
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Collecting
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the declaration of a task's function. The accumulating form of a function (fib.acc) has its declaration.
static StringRef signatureOf(StringRef task, const llvm::StringMap<std::string> &signatures) {
  auto found = signatures.find(task);
  if (found == signatures.end() && task.consume_back(".acc"))
    found = signatures.find(task);
  return found == signatures.end() ? StringRef() : StringRef(found->second);
}

/// Returns the text over the box of a task: its name, its declaration, its file and line.
static std::string headingOf(StringRef task, StringRef signature, Location location) {
  std::string heading = sourceName(task);
  if (!signature.empty())
    heading += "\n" + signature.str();
  if (FileLineColLoc place = channel::placeOf(location); place && place.getLine())
    heading += ("\n" + llvm::sys::path::filename(place.getFilename().getValue()) + ":" + Twine(place.getLine())).str();
  return heading;
}

static void addPlace(json::Object &object, Location location) {
  FileLineColLoc place = channel::placeOf(location);
  if (!place || !place.getLine())
    return;
  object["file"] = channel::nameJson(place.getFilename().getValue());
  object["line"] = static_cast<int64_t>(place.getLine());
}

/// Returns a copy of JSON that owns its strings. The values of nodes refer to strings of the MLIRContext. Keys are
/// literals.
static json::Value owned(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (const json::Array *list = value.getAsArray()) {
    json::Array copy;
    for (const json::Value &element : *list)
      copy.push_back(owned(element));
    return copy;
  }
  if (const json::Object *object = value.getAsObject()) {
    json::Object copy;
    for (const auto &[key, element] : *object)
      copy[key] = owned(element);
    return copy;
  }
  return value;
}

/// Returns the symbols to which the code and variables of a module refer, those of its host part included. Names that
/// only nodes of a graph use are not among them.
static llvm::DenseSet<StringAttr> namedInCode(ModuleOp module) {
  llvm::DenseSet<StringAttr> named;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<channel::GraphOp>(op))
      return WalkResult::skip();
    op->getAttrDictionary().walk<WalkOrder::PreOrder>([&](SymbolRefAttr ref) {
      named.insert(ref.getRootReference());
      return WalkResult::skip(); // @graph::@node names a graph
    });
    return WalkResult::advance();
  });
  return named;
}

/// Returns the tasks that ordinary code puts into a graph. A function that is private to its file, and that no ordinary
/// code names, only runs as a task.
static std::vector<std::string> rootsOf(ModuleOp module, channel::GraphOp graph) {
  llvm::DenseSet<StringAttr> named = namedInCode(module);
  llvm::SetVector<StringRef> roots;
  module.walk([&](channel::RootOp root) {
    auto function = root->getParentOfType<LLVM::LLVMFuncOp>();
    bool isCalled =
        !function || function.getLinkage() != LLVM::Linkage::Internal || named.contains(function.getSymNameAttr());
    if (isCalled && root.getChannel().getRootReference() == graph.getSymNameAttr())
      roots.insert(root.getChannel().getLeafReference());
  });
  return {roots.begin(), roots.end()};
}

void GraphDrawings::add(ModuleOp module, const llvm::StringMap<std::string> &signatures) {
  for (auto op : module.getOps<channel::GraphOp>()) {
    Graph &graph = graphs.emplace_back();
    graph.name = op.getSymName();
    graph.source = module.getName().value_or("");
    if (op.getPolicy())
      graph.policy = *op.getPolicy();
    graph.roots = rootsOf(module, op);
    eachNode(op, [&](Operation *node, NodeDrawing &drawing) {
      addPlace(drawing.object, node->getLoc());
      if (!drawing.task.empty() && drawing.name == drawing.task) {
        StringRef signature = signatureOf(drawing.task, signatures);
        if (!signature.empty())
          drawing.object["signature"] = signature;
        graph.headings[drawing.task] = headingOf(drawing.task, signature, node->getLoc());
        graph.scopes[drawing.task] = drawing.scope;
      }
      drawing.object = *owned(std::move(drawing.object)).getAsObject();
      graph.nodes.push_back(std::move(drawing));
    });
  }
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

/// Breaks long lines of a label, such as names of templates, between their parts.
static std::string wrapped(StringRef text) {
  constexpr size_t kWidth = 60;
  std::string result;
  size_t column = 0;
  for (char c : text) {
    result += c;
    column = c == '\n' ? 0 : column + 1;
    if (column >= kWidth && StringRef(" ,<(").contains(c)) {
      result += '\n';
      column = 0;
    }
  }
  return result;
}

/// Most tasks whose boxes may stand beside each other.
static constexpr size_t kMostInRow = 8;

/// Prints the graphs of a program as one drawing.
class GraphDrawings::DotPrinter {
public:
  DotPrinter(const std::vector<Graph> &graphs, raw_ostream &os) : graphs(graphs), os(os) {}
  void print();

private:
  bool isDrawnHere(const Graph &graph, StringRef task) const;
  std::string id(const Graph &graph, StringRef name) const;
  void printGraph(const Graph &graph);
  void printNode(const Graph &graph, const NodeDrawing &node, StringRef indent);
  void printArrows(const Graph &graph);
  void printRoots();
  void printLegend();

  /// What stacks wait for. One node of the drawing stands for all awaited nodes, because the stacks of a recursion
  /// often wait for the same ones: n stacks and n awaited nodes need 2n arrows then.
  struct Wait {
    const Graph *home; ///< the graph in whose box the node is drawn
    std::vector<std::string> awaited, stacks;
  };
  void findWaits();
  void addWait(const Graph &graph, const NodeDrawing &dependency);
  std::vector<std::string> reach(std::vector<std::string> nodes) const;
  void printWait(const Wait &wait, size_t number);

  const std::vector<Graph> &graphs;
  raw_ostream &os;
  std::vector<Wait> waits;
  std::map<std::vector<std::string>, size_t> waitOf; ///< by the sorted awaited nodes
  llvm::StringMap<std::vector<std::string>> targets; ///< of arrows, for programs of several files
  llvm::StringSet<> kernels;
  llvm::StringMap<const Graph *> homes; ///< for tasks that several files may know, the file that has the kernels
  std::vector<llvm::StringMap<std::string>> tasksOfNodes;
  llvm::MapVector<StringRef, StringRef> legend; ///< styles of kinds of nodes
};

/// Returns true if the box of a task is drawn in this graph, and not in the graph of another file.
bool GraphDrawings::DotPrinter::isDrawnHere(const Graph &graph, StringRef task) const {
  return task.empty() || graph.scopes.lookup(task) == NodeDrawing::Scope::File || homes.lookup(task) == &graph;
}

/// Returns the identifier of a node in the drawing. In a program of several files, names that a file has for itself
/// have the file's number in front.
std::string GraphDrawings::DotPrinter::id(const Graph &graph, StringRef name) const {
  size_t number = &graph - graphs.data();
  auto task = tasksOfNodes[number].find(name);
  bool isShared = task != tasksOfNodes[number].end() && graph.scopes.lookup(task->second) != NodeDrawing::Scope::File;
  return quoted(graphs.size() == 1 || isShared ? name.str() : std::to_string(number + 1) + ":" + name.str());
}

void GraphDrawings::DotPrinter::printNode(const Graph &graph, const NodeDrawing &node, StringRef indent) {
  if (node.name.empty())
    return;
  auto [first, rest] = StringRef(node.label.empty() ? node.name : node.label).split('\n');
  std::string label = sourceName(first) + (rest.empty() ? "" : "\n" + rest.str());
  os << indent << id(graph, node.name) << " [" << node.style << ", label=" << quoted(wrapped(label)) << "];\n";
  if (!node.kind.empty())
    legend.insert({node.kind, node.style});
}

/// Returns nodes and all nodes to which arrows lead from them, without kernels.
std::vector<std::string> GraphDrawings::DotPrinter::reach(std::vector<std::string> nodes) const {
  llvm::StringSet<> seen;
  for (const std::string &node : nodes)
    seen.insert(node);
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const std::string &target : targets.lookup(nodes[i]))
      if (seen.insert(target).second)
        nodes.push_back(target);
  llvm::erase_if(nodes, [&](const std::string &node) { return kernels.contains(node); });
  return nodes;
}

void GraphDrawings::DotPrinter::addWait(const Graph &graph, const NodeDrawing &dependency) {
  std::vector<std::string> awaited;
  for (StringRef node : dependency.awaited)
    awaited.push_back(id(graph, node));
  awaited = reach(std::move(awaited));
  std::vector<std::string> sorted = awaited;
  llvm::sort(sorted);
  auto [known, isNew] = waitOf.try_emplace(std::move(sorted), waits.size());
  if (isNew)
    waits.push_back({&graph, std::move(awaited), {}});
  waits[known->second].stacks.push_back(id(graph, dependency.waiting));
}

/// Finds what each stack waits for. A stack also waits for what the tasks of other files spawn, which its own file does
/// not know. In a program of several files, the arrows tell it.
void GraphDrawings::DotPrinter::findWaits() {
  for (const Graph &graph : graphs)
    for (const NodeDrawing &node : graph.nodes)
      if (graphs.size() > 1 && isDrawnHere(graph, node.task))
        for (const NodeDrawing::Arrow &arrow : node.arrows) {
          targets[id(graph, arrow.from)].push_back(id(graph, arrow.to));
          if (node.list == "kernels")
            kernels.insert(id(graph, node.name));
        }
  for (const Graph &graph : graphs)
    for (const NodeDrawing &node : graph.nodes)
      if (!node.awaited.empty() && isDrawnHere(graph, tasksOfNodes[&graph - graphs.data()].lookup(node.waiting)))
        addWait(graph, node);
}

static std::string awaitedNode(size_t wait) { return "\"awaited " + std::to_string(wait + 1) + "\""; }

void GraphDrawings::DotPrinter::printWait(const Wait &wait, size_t number) {
  bool isOne = wait.awaited.size() == 1;
  std::string all = isOne ? wait.awaited.front() : awaitedNode(number);
  if (!isOne)
    for (StringRef node : wait.awaited)
      os << "  " << node << " -> " << all << " [style=dotted];\n";
  for (StringRef stack : wait.stacks)
    os << "  " << all << " -> " << stack << " [style=dotted, label=\"drained below\"];\n";
}

void GraphDrawings::DotPrinter::printGraph(const Graph &graph) {
  size_t number = &graph - graphs.data() + 1;
  std::string title = graph.source.empty() ? graph.name : graph.source;
  if (graph.policy)
    title += " (policy " + *graph.policy + ")";
  os << "  subgraph cluster_" << number << " {\n    label=" << quoted(title) << ";\n";
  llvm::MapVector<StringRef, std::vector<const NodeDrawing *>> boxes;
  for (const NodeDrawing &node : graph.nodes)
    if (isDrawnHere(graph, node.task))
      boxes[node.task].push_back(&node);
  size_t box = 0;
  for (auto &[task, nodes] : boxes) {
    if (!task.empty())
      os << "    subgraph cluster_" << number << "_" << ++box
         << " {\n      label=" << quoted(wrapped(graph.headings.lookup(task))) << "; style=rounded; color=grey;\n";
    for (const NodeDrawing *node : nodes)
      printNode(graph, *node, task.empty() ? "    " : "      ");
    if (!task.empty())
      os << "    }\n";
  }
  constexpr StringRef style = "shape=diamond, style=dotted";
  for (auto [number, wait] : llvm::enumerate(waits))
    if (wait.home == &graph && wait.awaited.size() > 1) {
      os << "    " << awaitedNode(number) << " [" << style << ", label=\"all of them\"];\n";
      legend.insert({"all nodes that lead here hold nothing at deeper levels", style});
    }
  os << "  }\n";
}

/// Arrows come behind the boxes: an arrow in a box would draw both of its ends there.
void GraphDrawings::DotPrinter::printArrows(const Graph &graph) {
  for (const NodeDrawing &node : graph.nodes) {
    if (!isDrawnHere(graph, node.task))
      continue;
    for (const NodeDrawing::Arrow &arrow : node.arrows)
      os << "  " << id(graph, arrow.from) << " -> " << id(graph, arrow.to)
         << (arrow.style.empty() ? "" : " [" + arrow.style + "]") << ";\n";
  }
}

void GraphDrawings::DotPrinter::printRoots() {
  constexpr StringRef style = "shape=house, style=filled, fillcolor=lightyellow";
  std::vector<std::string> roots;
  for (const Graph &graph : graphs)
    for (StringRef root : graph.roots)
      if (std::string name = id(graph, root); !llvm::is_contained(roots, name))
        roots.push_back(name);
  if (roots.empty())
    return;
  os << "  \"ordinary code\" [" << style << "];\n";
  for (StringRef root : roots)
    os << "  \"ordinary code\" -> " << root << " [label=\"call\"];\n";
}

void GraphDrawings::DotPrinter::printLegend() {
  if (legend.empty())
    return;
  os << "  subgraph cluster_legend {\n    label=\"Legend\"; style=dashed;\n";
  for (auto [index, entry] : llvm::enumerate(legend)) {
    os << "    \"legend " << index << "\" [" << entry.second << ", label=" << quoted(entry.first) << "];\n";
    if (index)
      os << "    \"legend " << index - 1 << "\" -> \"legend " << index << "\" [style=invis];\n";
  }
  os << "  }\n";
}

void GraphDrawings::DotPrinter::print() {
  for (const Graph &graph : graphs) {
    llvm::StringMap<std::string> &tasks = tasksOfNodes.emplace_back();
    for (const NodeDrawing &node : graph.nodes)
      if (!node.name.empty() && !node.task.empty())
        tasks[node.name] = node.task;
    for (const auto &scope : graph.scopes)
      if (const Graph *&home = homes[scope.first()];
          !home || home->scopes.lookup(scope.first()) == NodeDrawing::Scope::Elsewhere)
        home = &graph;
  }
  findWaits();
  // Boxes that lead to one another in circles stand beside each other. Pages are scrolled down, not to the right.
  size_t numTasks = 0;
  for (const Graph &graph : graphs)
    numTasks += graph.headings.size();
  os << "digraph channel_flow {\n  rankdir=" << (numTasks > kMostInRow ? "LR" : "TB")
     << ";\n  fontname=\"Helvetica\"; fontsize=11;\n"
        "  node [fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n";
  for (const Graph &graph : graphs)
    printGraph(graph);
  for (const Graph &graph : graphs)
    printArrows(graph);
  for (auto [number, wait] : llvm::enumerate(waits))
    printWait(wait, number);
  printRoots();
  printLegend();
  os << "}\n";
}

void GraphDrawings::printDot(raw_ostream &os) const { DotPrinter(graphs, os).print(); }

void cilk2gpu::emitDot(ModuleOp module, raw_ostream &os) {
  GraphDrawings drawings;
  drawings.add(module);
  drawings.printDot(os);
}

//===--------------------------------------------------------------------------------------------------------------===//
// JSON
//===--------------------------------------------------------------------------------------------------------------===//

void GraphDrawings::printJson(raw_ostream &os) const {
  json::Array list;
  for (const Graph &graph : graphs) {
    json::Array roots;
    for (const std::string &root : graph.roots)
      roots.push_back(channel::nameJson(root));
    json::Object object{{"name", channel::nameJson(graph.name)},
                        {"stacks", json::Array()},
                        {"queues", json::Array()},
                        {"frames", json::Array()},
                        {"kernels", json::Array()},
                        {"dependencies", json::Array()},
                        {"roots", std::move(roots)}};
    if (!graph.source.empty())
      object["source"] = channel::nameJson(graph.source);
    if (graph.policy)
      object["policy"] = channel::nameJson(*graph.policy);
    for (const NodeDrawing &node : graph.nodes) {
      json::Value &nodes = object.try_emplace(node.list, json::Array()).first->second;
      nodes.getAsArray()->push_back(json::Object(node.object));
    }
    list.push_back(std::move(object));
  }
  os << llvm::formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"graphs", std::move(list)}})) << "\n";
}

void cilk2gpu::emitJson(ModuleOp module, raw_ostream &os) {
  GraphDrawings drawings;
  drawings.add(module);
  drawings.printJson(os);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Outline
//===--------------------------------------------------------------------------------------------------------------===//

void cilk2gpu::emitOutline(ModuleOp module, raw_ostream &os) {
  for (auto graph : module.getOps<channel::GraphOp>()) {
    if (graph.getPolicy())
      os << "policy " << *graph.getPolicy() << "\n";
    eachNode(graph, [&](Operation *, NodeDrawing &drawing) { os << drawing.sentence << "\n"; });
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
