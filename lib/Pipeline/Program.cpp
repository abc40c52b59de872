// See Program.h.
#include "Program.h"

#include "HostPart.h"
#include "Import/Extract.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2gpu;
using mlir::LLVM::LLVMFuncOp;

/// Function attribute in the host part: the graph part has the function's code.
static constexpr const char kInGraphAttr[] = "cilk2gpu-in-graph";

/// Most levels of nested brackets, because the parser recurses for each level. Text by people and by this compiler has
/// far fewer levels.
static constexpr unsigned kDeepest = 256;

//===-- Functions of the graph part -------------------------------------------------------------------------------===//

/// Drops a function's body. Unlike llvm::Function::deleteBody, keeps metadata, linkage and personality.
static void dropCode(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    block.dropAllReferences();
  while (!function.empty())
    function.begin()->eraseFromParent();
  auto *block = llvm::BasicBlock::Create(function.getContext(), "", &function);
  new llvm::UnreachableInst(function.getContext(), block);
}

void cilk2gpu::leaveCodeToGraph(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions) {
  for (llvm::Function *function : functions) {
    dropCode(*function);
    function->addFnAttr(kInGraphAttr);
  }
}

llvm::SmallVector<llvm::Function *> cilk2gpu::takeGraphFunctions(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(kInGraphAttr)) {
      function.removeFnAttr(kInGraphAttr);
      functions.push_back(&function);
    }
  return functions;
}

bool cilk2gpu::hasCodeOf(mlir::ModuleOp program, llvm::ArrayRef<llvm::Function *> functions) {
  for (const llvm::Function *function : functions) {
    auto found = program.lookupSymbol<LLVMFuncOp>(function->getName());
    if (found && !found.isExternal())
      continue;
    program.emitError() << "the host part leaves the code of @" << function->getName() << " to the graph part ("
                        << kInGraphAttr << "), which has none; define @" << function->getName()
                        << " there, or define it in @host without this attribute";
    return false;
  }
  return true;
}

//===-- Reading ---------------------------------------------------------------------------------------------------===//

namespace {

/// Follows the brackets of a text in MLIR, outside of strings and comments.
class Brackets {
public:
  /// Returns the position where more than kDeepest brackets are open: a line and a column, counted from 1; 0 if there
  /// is none.
  std::pair<unsigned, unsigned> findTooDeep(llvm::StringRef text) {
    for (size_t i = 0; i < text.size(); ++i) {
      i = skip(text, i);
      if (i >= text.size())
        break;
      follow(text, i);
      if (depth > kDeepest)
        return {line, i - lineStart + 1};
    }
    return {0, 0};
  }

private:
  /// Returns the index of the first character at or after `i` that is in no string and no comment.
  size_t skip(llvm::StringRef text, size_t i) {
    if (text.substr(i).starts_with("//"))
      return std::min(text.find('\n', i), text.size());
    if (text[i] != '"')
      return i;
    for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
      i += text[i] == '\\';
    return std::min(i, text.size());
  }

  void follow(llvm::StringRef text, size_t i) {
    char c = text[i];
    if (c == '\n') {
      ++line;
      lineStart = i + 1;
    } else if (llvm::StringRef("([{<").contains(c)) {
      ++depth;
    } else if (llvm::StringRef(")]}").contains(c) || (c == '>' && (i == 0 || text[i - 1] != '-'))) {
      depth -= depth > 0;
    }
  }

  unsigned depth = 0, line = 1;
  size_t lineStart = 0;
};

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> cilk2gpu::parseProgram(const MlirSource &source, Trip &trip) {
  auto [line, column] = Brackets().findTooDeep(source.text);
  if (line) {
    mlir::emitError(mlir::FileLineColLoc::get(trip.getContext(), source.name, line, column))
        << "brackets nest at most " << kDeepest
        << " deep in a program; give types and attributes names (!t = ..., #a = "
        << "...)";
    return nullptr;
  }
  return trip.parse(source.text, source.name);
}

GraphDialect cilk2gpu::graphDialect(mlir::ModuleOp program) {
  GraphDialect found = GraphDialect::None;
  for (mlir::Operation &op : program.getOps()) {
    if (llvm::isa<mlir::ModuleOp>(op))
      continue;
    op.walk([&](mlir::Operation *inner) {
      llvm::StringRef dialect = inner->getName().getDialectNamespace();
      if (dialect == "cilk" || cilk::isTask(inner))
        found = GraphDialect::Cilk;
      else if (dialect == "channel" && found != GraphDialect::Cilk)
        found = GraphDialect::Channel;
      else if (dialect == "lane" && found == GraphDialect::None)
        found = GraphDialect::Lane;
    });
  }
  return found;
}

//===-- Ordinary code at the top ----------------------------------------------------------------------------------===//

static bool isOfGraph(mlir::Operation *op) {
  auto isOurs = [](llvm::StringRef dialect) { return dialect == "cilk" || dialect == "channel"; };
  return op
      ->walk([&](mlir::Operation *inner) {
        bool found = isOurs(inner->getName().getDialectNamespace()) ||
                     llvm::any_of(inner->getDiscardableAttrs(), [&](mlir::NamedAttribute attribute) {
                       return isOurs(attribute.getName().strref().split('.').first);
                     });
        return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if a function's code belongs to the graph part: it uses the graph, or was made from a function that
/// uses the graph.
static bool isOfGraph(LLVMFuncOp function) {
  return !functionAttribute(function, kOriginAttr).empty() || isOfGraph(function.getOperation());
}

static bool isDefined(mlir::LLVM::GlobalOp global) {
  return global.getValueOrNull() || !global.getInitializerRegion().empty();
}

static bool isLocal(mlir::LLVM::Linkage linkage) {
  return linkage == mlir::LLVM::Linkage::Internal || linkage == mlir::LLVM::Linkage::Private;
}

static void declare(LLVMFuncOp function) {
  for (mlir::Block &block : function.getBody())
    block.dropAllReferences();
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  bool wasLocal = isLocal(function.getLinkage());
  function.setLinkage(mlir::LLVM::Linkage::External);
  function.removeComdatAttr();
  function.removePersonalityAttr();
  if (auto scoped = function->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    function->setLoc(scoped); // the debug information of a definition stays with the definition
  if (wasLocal)
    addFunctionAttribute(function, kLocalFunctionAttr);
}

static void declare(mlir::LLVM::GlobalOp global) {
  global.removeValueAttr();
  for (mlir::Block &block : global.getInitializerRegion())
    block.dropAllReferences();
  global.getInitializerRegion().getBlocks().clear();
  global.setLinkage(mlir::LLVM::Linkage::External);
  global.removeComdatAttr();
}

/// Moves ordinary functions and globals of `program` into a new module. Each module declares the symbols that the other
/// defines.
static mlir::OwningOpRef<mlir::ModuleOp> splitOrdinary(mlir::ModuleOp program) {
  mlir::OwningOpRef<mlir::ModuleOp> ordinary = program.clone();
  for (mlir::Operation &op : llvm::make_early_inc_range(ordinary->getOps()))
    if (auto function = llvm::dyn_cast<LLVMFuncOp>(op)) {
      bool isGraphs = isOfGraph(function);
      for (mlir::NamedAttribute attribute : llvm::to_vector(op.getDiscardableAttrs()))
        if (isGraphs && attribute.getName().strref().contains('.') &&
            !attribute.getName().strref().starts_with("llvm."))
          op.removeDiscardableAttr(attribute.getName());
      if (isGraphs && !function.isExternal())
        declare(function);
      if (isGraphs)
        function.removePassthroughAttr();
    } else if (isOfGraph(&op)) {
      op.erase();
    }
  for (mlir::Operation &op : llvm::make_early_inc_range(program.getOps()))
    if (auto function = llvm::dyn_cast<LLVMFuncOp>(op)) {
      if (function.isExternal() && !function.getName().starts_with("llvm."))
        addFunctionAttribute(function, kForeignFunctionAttr);
      else if (!function.isExternal() && !isOfGraph(function))
        declare(function);
    } else if (auto global = llvm::dyn_cast<mlir::LLVM::GlobalOp>(op)) {
      if (isDefined(global))
        declare(global);
    } else if (!llvm::isa<channel::GraphOp>(op)) {
      op.erase();
    }
  return ordinary;
}

//===-- Joining ---------------------------------------------------------------------------------------------------===//

/// Compiles functions without a target of their own for the target of the command line.
static void adoptTemplate(llvm::Module &module, const llvm::Function &frame) {
  llvm::AttrBuilder attributes(module.getContext(), frame.getAttributes().getFnAttrs());
  for (llvm::Attribute::AttrKind kind : {llvm::Attribute::NoUnwind, llvm::Attribute::MustProgress,
                                         llvm::Attribute::NoRecurse, llvm::Attribute::WillReturn})
    attributes.removeAttribute(kind);
  llvm::AttributeSet common = llvm::AttributeSet::get(module.getContext(), attributes);
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || &function == &frame || function.hasFnAttribute("target-cpu") ||
        function.hasFnAttribute("target-features"))
      continue;
    llvm::AttrBuilder own(module.getContext(), function.getAttributes().getFnAttrs());
    llvm::AttrBuilder both(module.getContext(), common);
    both.merge(own); // the function's own attributes take precedence
    function.setAttributes(
        function.getAttributes().removeFnAttributes(module.getContext()).addFnAttributes(module.getContext(), both));
  }
}

/// Checks that a program is compiled for the target for which it was made.
static bool checkTarget(mlir::ModuleOp program, const llvm::Module &module) {
  auto triple = program->getAttrOfType<mlir::StringAttr>(mlir::LLVM::LLVMDialect::getTargetTripleAttrName());
  std::string wanted = module.getTargetTriple().str();
  if (!triple || triple.getValue() == wanted)
    return true;
  program.emitError() << "a program is compiled for the target that it was made for; this one is for '"
                      << triple.getValue() << "', and the command line asks for '" << wanted
                      << "': add --target=" << triple.getValue();
  return false;
}

/// Gives a program the target's sizes and alignments, which differ from MLIR's own.
static void adoptTarget(mlir::ModuleOp program, const llvm::Module &module) {
  mlir::MLIRContext *context = program.getContext();
  llvm::StringRef layout = mlir::DLTIDialect::kDataLayoutAttrName;
  if (!program->hasAttr(layout))
    program->setAttr(layout, mlir::translateDataLayout(module.getDataLayout(), context));
  program->setAttr(mlir::LLVM::LLVMDialect::getTargetTripleAttrName(),
                   mlir::StringAttr::get(context, module.getTargetTriple().str()));
}

/// Links a part into `module`, and gives the part the target of `module`.
static bool join(llvm::Module &module, std::unique_ptr<llvm::Module> part) {
  if (!part)
    return false;
  part->setDataLayout(module.getDataLayout());
  part->setTargetTriple(module.getTargetTriple());
  return linkWhole(module, std::move(part));
}

/// Links ordinary code that a person wrote. It gets the module flags of the template's module, unless it has flags of
/// its own.
static bool joinOrdinary(llvm::Module &module, mlir::ModuleOp ordinary, Trip &trip) {
  bool hasFlags = !ordinary.getOps<mlir::LLVM::ModuleFlagsOp>().empty();
  std::unique_ptr<llvm::Module> part = trip.translate(ordinary);
  llvm::NamedMDNode *flags = part ? part->getModuleFlagsMetadata() : nullptr;
  if (flags && !hasFlags)
    flags->eraseFromParent();
  return join(module, std::move(part));
}

/// Removes the module flags of the template's C file. A program that has module flags has all of them.
static void forgetTemplateModule(llvm::Module &module) {
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(module.named_metadata()))
    node.eraseFromParent();
}

bool cilk2gpu::addHost(mlir::ModuleOp graph, const llvm::Module &host, Trip &trip) {
  mlir::OwningOpRef<mlir::ModuleOp> part = writeHostPart(host, trip);
  if (!part)
    return false;
  graph.push_back(part.release());
  return true;
}

bool cilk2gpu::takeHost(mlir::ModuleOp program, llvm::Module &module, llvm::Function &frame, Trip &trip) {
  if (!checkTarget(program, module))
    return false;
  adoptTarget(program, module);
  if (auto host = program.lookupSymbol<mlir::ModuleOp>(kHostName)) {
    host->remove();
    mlir::OwningOpRef<mlir::ModuleOp> owned = host;
    adoptTarget(host, module);
    std::unique_ptr<llvm::Module> part = readHostPart(host, trip, module.getContext());
    if (!part)
      return false;
    if (part->getModuleFlagsMetadata())
      forgetTemplateModule(module);
    if (std::optional<llvm::StringRef> name = program.getName())
      module.setSourceFileName(*name);
    if (!join(module, std::move(part)))
      return false;
  } else if (graphDialect(program) != GraphDialect::Lane) { // in the lane dialect, records stay beside their lane forms
    mlir::OwningOpRef<mlir::ModuleOp> ordinary = splitOrdinary(program);
    if (!joinOrdinary(module, *ordinary, trip))
      return false;
  }
  adoptTemplate(module, frame);
  return true;
}

DetachedHost::DetachedHost(mlir::ModuleOp program, const llvm::Module &module)
    : program(program), host(program.lookupSymbol<mlir::ModuleOp>(kHostName)) {
  adoptTarget(program, module);
  if (host)
    host->remove();
}

DetachedHost::~DetachedHost() {
  if (host)
    program.push_back(host);
}
