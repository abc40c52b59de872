// See LLVMPasses.h.
#include "cilk2gpu/Pipeline/LLVMPasses.h"

#include "Import/ImportPasses.h"
#include "Instrument/CountWork.h"
#include "Instrument/InstrumentPasses.h"
#include "Target/ByValueCalls.h"
#include "Target/Host/Clamps.h"
#include "Target/Host/CountInstructions.h"
#include "Target/Host/EntryEffects.h"
#include "Target/Host/KeptLookups.h"
#include "Target/Host/KernelPasses.h"
#include "Target/Host/LoopFacts.h"
#include "Target/Host/OwnReducers.h"
#include "Target/Host/ReducerLookups.h"
#include "Target/Host/ShareKernels.h"
#include "Target/Host/VectoriseKernels.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Target/GPU/UnitPasses.h"
#include "cilk2gpu/Target/Host/Placement.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns PARAMETER if `text` is NAME<PARAMETER> with the name `name`, else nothing.
static std::optional<StringRef> parameterOf(StringRef text, StringRef name) {
  if (!text.consume_front(name))
    return std::nullopt;
  if (text.empty())
    return text;
  bool isParameter = text.consume_front("<") && text.consume_back(">");
  return isParameter ? std::optional(text) : std::nullopt;
}

static bool parseModulePass(StringRef text, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  std::optional<StringRef> found;
  [[maybe_unused]] StringRef parameter;
#define CILK2GPU_LLVM_PASS(NAME, CLASS, CREATE, SUMMARY)                                                               \
  if ((found = parameterOf(text, NAME))) {                                                                             \
    parameter = *found;                                                                                                \
    passes.addPass(CREATE);                                                                                            \
    return true;                                                                                                       \
  }
#include "LLVMPasses.def"
  return false;
}

static bool parseFunctionPass(StringRef text, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
#define CILK2GPU_LLVM_FUNCTION_PASS(NAME, CLASS, CREATE, SUMMARY)                                                      \
  if (text == NAME) {                                                                                                  \
    passes.addPass(CREATE);                                                                                            \
    return true;                                                                                                       \
  }
#include "LLVMPasses.def"
  return false;
}

static void namePasses(PassInstrumentationCallbacks &callbacks) {
#define CILK2GPU_LLVM_PASS(NAME, CLASS, CREATE, SUMMARY) callbacks.addClassToPassName(CLASS::name(), NAME);
#define CILK2GPU_LLVM_FUNCTION_PASS(NAME, CLASS, CREATE, SUMMARY) callbacks.addClassToPassName(CLASS::name(), NAME);
#include "LLVMPasses.def"
}

void cilk2gpu::registerLLVMPasses(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(parseModulePass);
  builder.registerPipelineParsingCallback(parseFunctionPass);
  builder.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &analyses) { analyses.registerPass([] { return SourceUnitAnalysis(); }); });
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->registerClassToPassNameCallback([callbacks] { namePasses(*callbacks); });
}

void cilk2gpu::printLLVMPasses(raw_ostream &os) {
#define CILK2GPU_LLVM_PHASE(TITLE) os << TITLE << ":\n";
#define CILK2GPU_LLVM_PASS(NAME, CLASS, CREATE, SUMMARY) os << "  " << NAME << "\n      " << SUMMARY << "\n";
#define CILK2GPU_LLVM_FUNCTION_PASS(NAME, CLASS, CREATE, SUMMARY)                                                      \
  os << "  " << NAME << " (of functions)\n      " << SUMMARY << "\n";
#include "LLVMPasses.def"
}

void cilk2gpu::printLLVMPassReference(raw_ostream &os) {
  os << "<!-- Made by cilk-llvm-opt --print-reference from lib/Pipeline/LLVMPasses.def. -->\n"
        "# Passes on LLVM IR\n\n"
        "The compiler runs these passes before and after MLIR. `cilk-llvm-opt` runs them by name on a file of\n"
        "LLVM IR. Clang's options show their effect in a compilation, for example\n"
        "`cilk2gpu -O2 -c fib.c -mllvm -print-after=cilk-normalise-spawns`.\n";
#define CILK2GPU_LLVM_PHASE(TITLE) os << "\n## " << TITLE << "\n";
#define CILK2GPU_LLVM_PASS(NAME, CLASS, CREATE, SUMMARY) os << "\n### `" << NAME << "`\n\n" << SUMMARY << "\n";
#define CILK2GPU_LLVM_FUNCTION_PASS(NAME, CLASS, CREATE, SUMMARY)                                                      \
  os << "\n### `" << NAME << "`\n\n" << SUMMARY << " A pass of functions.\n";
#include "LLVMPasses.def"
}
