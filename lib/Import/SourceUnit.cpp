// See SourceUnit.h.
#include "SourceUnit.h"

#include "cilk2gpu/Support/Analyses.h"

using namespace llvm;
using namespace cilk2gpu;

AnalysisKey SourceUnitAnalysis::Key;

bool cilk2gpu::runUnitPasses(ModulePassManager &passes, Module &module, Module &unit,
                             PassInstrumentationCallbacks *callbacks) {
  Analyses analyses(/*machine=*/nullptr, callbacks);
  analyses.modules.registerPass([&] { return SourceUnitAnalysis(&unit); });
  passes.run(module, analyses.modules);
  return !analyses.modules.getResult<SourceUnitAnalysis>(module).failed;
}
