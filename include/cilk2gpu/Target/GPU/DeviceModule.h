// The part of a translation unit that devices need, as LLVM IR: the kernels' device forms and the functions that they
// may reach, still for the host's data layout. The object file embeds it, so that units compile separately. The final
// link makes images of it (DeviceImage.h).
//
// Host and device see the program's variables at one address, the host's. For each variable that is not a private
// constant, an image has a slot that the runtime fills with the address (cilk2gpu/abi/Device.h). The unit's object
// lists these addresses.
#ifndef CILK2GPU_TARGET_GPU_DEVICEMODULE_H
#define CILK2GPU_TARGET_GPU_DEVICEMODULE_H

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace cilk2gpu {

/// Returns the prefix of the kernels' symbols in images. Different units have different prefixes, except copies of one
/// unit.
std::string deviceSymbolPrefix(const llvm::Module &module);

/// Returns the prefix with which a device module was extracted.
std::string unitPrefix(const llvm::Module &device);

/// Returns another prefix of the same length for copy `number` of a unit; `number` is at least 1.
std::string prefixOfCopy(llvm::StringRef prefix, uint64_t number);

/// Replaces the prefix `from` of the names in a device module by `to`. Calls `change` with each slot's old and new
/// name.
void changePrefix(llvm::Module &device, llvm::StringRef from, llvm::StringRef to,
                  llvm::function_ref<void(llvm::StringRef before, llvm::StringRef after)> change);

/// Extracts the device's part of a unit whose Cilk functions, if there are any, have been lowered and linked back.
/// Returns null if a device can call no function of the unit. Local names get `prefix`, so that units can be linked.
/// Adds the addresses of variables to `module`.
std::unique_ptr<llvm::Module> extractDeviceModule(llvm::Module &module, llvm::StringRef prefix);

/// Returns whether a device module has kernels of hand-written graphs (cilk2gpu/Graph.h).
bool hasGraphs(const llvm::Module &device);

/// Returns true if a device module has functions that run thread blocks.
bool hasBlocks(const llvm::Module &device);

/// Returns true if a device module has kernels of tasks or graphs. A module without kernels only serves other modules.
bool hasKernels(const llvm::Module &device);

/// Embeds a device module in its unit, in the section and format of LLVM's offloading tools.
void embedDeviceModule(llvm::Module &module, llvm::Module &device);

/// Returns true if a unit has an embedded device module.
bool hasDeviceModule(const llvm::Module &module);

/// Makes references weak that only devices need, because the code that contained them is not on the host. The program
/// then links without these symbols. The device linker requests the symbols that images use. Runs after optimisation.
struct WeakenListedPass : llvm::PassInfoMixin<WeakenListedPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Reads the device modules embedded in an object file, in their order. Leaves out offloading code of other languages.
/// Error messages call the file `name`.
llvm::Error readDeviceModules(llvm::MemoryBufferRef file, llvm::StringRef name, llvm::LLVMContext &context,
                              llvm::SmallVectorImpl<std::unique_ptr<llvm::Module>> &modules);

/// Stores a text about the unit's graph in its device module. A module linked from several has their texts in sequence.
void addOutline(llvm::Module &device, llvm::StringRef text);
std::string outlineOf(const llvm::Module &device);

/// Returns the value of kPointedAtAttr: the name of the function for which `function` is a stand-in.
llvm::StringRef standsFor(const llvm::Function &function);

/// Prefix of the names of lists of stand-ins in device modules.
inline constexpr char kFunctionList[] = "__cilk2gpu_functions_";

/// Returns true if a device may have its own copy of a variable. The variable must be a constant that the module only
/// reads and to which it never points. The constant may hold no addresses, because the copy would have the device's
/// addresses instead of the host's. Another unit may take the address of a variable that this unit only reads. So a
/// unit lists only addresses that it takes itself, and the linked program decides on copies.
bool isPrivateConstant(const llvm::GlobalVariable &variable);

/// Returns the name of the thunk with which the host makes this call for tasks on a GPU (HostThunks.h).
std::string hostCallKey(const llvm::CallBase &call);
/// Metadata of a device module that lists the names of thunks. Each name has a flag, which is true if the called
/// function may access memory that the program points at.
inline constexpr char kHostCallKeys[] = "cilk2gpu.host.calls";

/// Returns a name without its unit's prefix, if it has one.
llvm::StringRef withoutPrefix(llvm::StringRef name);

/// Returns the symbol in a device module for a name without its prefix, or for a hostCallKey.
llvm::StringRef symbolOf(llvm::StringRef name);

/// Returns the name in the program's source for a name of a device module, or for a hostCallKey.
std::string writtenName(llvm::StringRef name);

/// Returns the name of the slot that holds the host's address of a variable or function of a device module.
std::string addressSlot(llvm::StringRef name);

/// Returns the name of the kernel's entry for restarted lanes.
inline std::string restartSymbol(llvm::StringRef symbol) { return (symbol + "_r").str(); }

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_DEVICEMODULE_H
