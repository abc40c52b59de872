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

/// Returns the prefix of the kernels' symbols in images. No two units have the same prefix, except copies of one unit.
std::string deviceSymbolPrefix(const llvm::Module &module);

/// Returns the prefix that a device module was extracted with.
std::string unitPrefix(const llvm::Module &device);

/// Returns another prefix of the same length, for copy number `number` of a unit, 1 or more.
std::string prefixOfCopy(llvm::StringRef prefix, uint64_t number);

/// Gives the names of a device module the prefix `to` in place of `from`. `change` gets each slot's old and new name.
void changePrefix(llvm::Module &device, llvm::StringRef from, llvm::StringRef to,
                  llvm::function_ref<void(llvm::StringRef before, llvm::StringRef after)> change);

/// Extracts the device's part of a unit whose Cilk functions, if it has any, have been lowered and linked back. Returns
/// null if no function in it can be called. Local names get `prefix`, so that units can be linked. Adds the addresses
/// of variables to `module`.
std::unique_ptr<llvm::Module> extractDeviceModule(llvm::Module &module, llvm::StringRef prefix);

/// Returns whether a device module has kernels of hand-written graphs (cilk2gpu/Graph.h).
bool hasGraphs(const llvm::Module &device);

/// Returns whether a device module has kernels of tasks or graphs. Without kernels, it only serves other modules.
bool hasKernels(const llvm::Module &device);

/// Embeds a device module in its unit, in the section and format that LLVM's tools for offloading know.
void embedDeviceModule(llvm::Module &module, llvm::Module &device);

/// Returns whether a unit has an embedded device module.
bool hasDeviceModule(const llvm::Module &module);

/// Weakens references that a unit needs only for devices, because their code is gone on the host. The program then
/// links without these symbols. The device linker asks again for symbols that images really use. Runs after
/// optimisation.
struct WeakenListedPass : llvm::PassInfoMixin<WeakenListedPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Reads the device modules embedded in an object file, in their order. Leaves out offloading code of other languages.
/// An error says what is wrong with the file, which messages call `name`.
llvm::Error readDeviceModules(llvm::MemoryBufferRef file, llvm::StringRef name, llvm::LLVMContext &context,
                              llvm::SmallVectorImpl<std::unique_ptr<llvm::Module>> &modules);

/// Keeps a text about the unit's graph in its device module. Linked modules have the texts of their units in sequence.
void addOutline(llvm::Module &device, llvm::StringRef text);
std::string outlineOf(const llvm::Module &device);

/// Returns the value of kPointedAtAttr.
llvm::StringRef standsFor(const llvm::Function &function);

/// Prefix of the names of lists of such functions in device modules.
inline constexpr char kFunctionList[] = "__cilk2gpu_functions_";

/// Returns whether a device may have its own copy of a variable: a constant that the module only reads and never points
/// at. The constant may hold no addresses, which would be the device's instead of the host's. Another unit may point at
/// a variable that this unit only reads. So a unit lists only addresses that it takes itself, and the linked program
/// decides on copies.
bool isPrivateConstant(const llvm::GlobalVariable &variable);

/// Returns the name of the host's thunk for this call, which makes the call for tasks on a GPU (HostThunks.h).
std::string hostCallKey(const llvm::CallBase &call);
/// Metadata of a device module that lists these names. Each comes with a flag: may the function look at anything that
/// the program points at?
inline constexpr char kHostCallKeys[] = "cilk2gpu.host.calls";

/// Returns a name without its unit's prefix, if it has one.
llvm::StringRef withoutPrefix(llvm::StringRef name);

/// Returns the name, in a device module, of the symbol that such a name, or a hostCallKey, stands for.
llvm::StringRef symbolOf(llvm::StringRef name);

/// Returns the name, in the program's source, of a name of a device module or of a hostCallKey.
std::string writtenName(llvm::StringRef name);

/// Returns the name of the slot that holds the host's address of a variable or function of a device module.
std::string addressSlot(llvm::StringRef name);

/// Returns the name of the kernel's entry for restarted lanes.
inline std::string restartSymbol(llvm::StringRef symbol) { return (symbol + "_r").str(); }

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_DEVICEMODULE_H
