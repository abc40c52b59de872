// See InheritAttributes.h.
#include "InheritAttributes.h"

#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the attributes of the user's function that functions made from it inherit.
static AttrBuilder inheritedFrom(const Function &origin) {
  AttrBuilder inherited(origin.getContext(), origin.getAttributes().getFnAttrs());
  for (Attribute::AttrKind kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::Memory, Attribute::NoReturn,
        Attribute::WillReturn, Attribute::Convergent, Attribute::Naked, Attribute::NoUnwind})
    inherited.removeAttribute(kind);
  inherited.removeAttribute(kElisionFunctionAttr);
  inherited.removeAttribute(kRareTaskAttr);
  inherited.removeAttribute(kSingleCallAttr); // vector clones stay functions
  return inherited;
}

/// Restores the attributes that the conversion gave to a function.
static void keepOwnAttributes(Function &function, AttributeSet own) {
  for (Attribute::AttrKind kind : {Attribute::AlwaysInline, Attribute::Cold, Attribute::OptimizeForSize})
    if (own.hasAttribute(kind))
      function.addFnAttr(kind);
  if (own.hasAttribute(kCountedLaneAttr))
    function.addFnAttr(Attribute::NoInline);
  if (own.hasAttribute(kBlockCallAttr)) // the runtime calls it through a pointer, on GPUs
    for (StringRef kind : {kBlockCallAttr, kPointedAtAttr})
      function.addFnAttr(kind);
  for (StringRef kind :
       {StringRef(kOriginAttr), StringRef(lane::kKernelAttr), StringRef(lane::kOwnTargetAttr),
        StringRef(lane::kBlockBodyAttr), StringRef(lane::kLanesAreBlocksAttr), StringRef(lane::kFewTasksAttr),
        StringRef(lane::kLoopTaskAttr), StringRef(lane::kManyColumnsAttr), StringRef(lane::kFrameColumnsAttr),
        StringRef(kDeviceKernelAttr), StringRef(kDeviceResumesAttr), StringRef(kDeviceElidesAttr),
        StringRef(kOwnPassesAttr), StringRef(kEntryAttr), StringRef(lane::kCloneAttr), StringRef(kStartedElementsAttr)})
    if (own.hasAttribute(kind))
      function.addFnAttr(own.getAttribute(kind));
}

static void inheritAttributes(Function &function, Module &unit, const Function &fallback) {
  StringRef name = function.getFnAttribute(kOriginAttr).getValueAsString();
  Function *origin = name.empty() ? nullptr : unit.getFunction(name);
  bool isKnown = origin && !origin->isDeclaration();
  AttrBuilder inherited = inheritedFrom(isKnown ? *origin : fallback);
  if (!isKnown)
    inherited.removeAttribute(kLanesAttr);
  // Pointers lead only to the entry. With this attribute, other functions made from it would come into every image for
  // nothing.
  if (!isKnown || function.getName() != origin->getName())
    inherited.removeAttribute(kPointedAtAttr);
  AttributeSet own = function.getAttributes().getFnAttrs();
  AttributeList attributes = function.getAttributes().removeFnAttributes(function.getContext());
  function.setAttributes(attributes.addFnAttributes(function.getContext(), inherited));
  keepOwnAttributes(function, own);
}

void cilk2gpu::inheritAttributes(Module &module, Module &unit, const Function &fallback) {
  for (Function &function : module)
    if (!function.isDeclaration())
      ::inheritAttributes(function, unit, fallback);
}

bool InheritAttributesPass::runOn(Module &module, Module &unit) {
  SmallVector<Function *> functions = findCilkFunctions(unit);
  if (!fallback && !functions.empty())
    fallback = functions.front();
  if (fallback)
    cilk2gpu::inheritAttributes(module, unit, *fallback);
  return true;
}
