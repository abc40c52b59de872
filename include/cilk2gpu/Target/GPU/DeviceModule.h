// The part of a translation unit that devices need, as LLVM IR: what the kernels' device forms and the functions that
// they may reach are, still for the host's data layout. It is embedded in the object file, so that units compile
// separately, and turned into images at the final link (DeviceImage.h).
//
// Host and device see the program's variables at one address, the host's: an image has, for each variable that is not
// a private constant, a slot that the runtime fills with the address (cilk2gpu/abi/Device.h). The unit's object lists
// these addresses.
#ifndef CILK2GPU_TARGET_GPU_DEVICEMODULE_H
#define CILK2GPU_TARGET_GPU_DEVICEMODULE_H

#include "cilk2gpu/Frontend/Markers.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace cilk2gpu {

/// What kernels' symbols in images begin with: the same for no two units, but for copies of one.
std::string deviceSymbolPrefix(const llvm::Module &module);

/// The prefix that a device module was extracted with.
std::string unitPrefix(const llvm::Module &device);

/// Another one, for copy number `number` of a unit, 1 or more. It is as long.
std::string prefixOfCopy(llvm::StringRef prefix, uint64_t number);

/// Gives the names of a device module the prefix `to` in place of `from`. `change` gets each slot's name before and
/// after.
void changePrefix(llvm::Module &device, llvm::StringRef from, llvm::StringRef to,
                  llvm::function_ref<void(llvm::StringRef before, llvm::StringRef after)> change);

/// The device's part of a unit whose Cilk functions, if it has any, have been lowered and linked back; null if nobody
/// can call anything in it. Names of what is local get `prefix`, so that units can be linked. Adds the addresses of
/// variables to `module`.
std::unique_ptr<llvm::Module> extractDeviceModule(llvm::Module &module, llvm::StringRef prefix);

/// Whether a device module has kernels: without any, it is only of use to others.
bool hasKernels(const llvm::Module &device);

/// Embeds a device module in its unit, in the section and format that LLVM's tools for offloading know.
void embedDeviceModule(llvm::Module &module, llvm::Module &device);

/// Whether that was done.
bool hasDeviceModule(const llvm::Module &module);

/// Once a unit is optimised: what it only names for devices, in code that is gone on the host, need not be there when
/// the program is linked. What images really use the device linker asks for again.
struct WeakenListedPass : llvm::PassInfoMixin<WeakenListedPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Device modules embedded in an object file, in their order. Other languages' offloading code is left out. An error
/// says what is wrong with the file, which messages call `name`.
llvm::Error readDeviceModules(llvm::MemoryBufferRef file, llvm::StringRef name, llvm::LLVMContext &context,
                              llvm::SmallVectorImpl<std::unique_ptr<llvm::Module>> &modules);

/// Keeps a text about the unit's graph in its device module; linked modules have their units' one after the other.
void addOutline(llvm::Module &device, llvm::StringRef text);
std::string outlineOf(const llvm::Module &device);

/// The value of kPointedAtAttr.
llvm::StringRef standsFor(const llvm::Function &function);

/// Prefix of the names of lists of such functions in device modules.
inline constexpr char kFunctionList[] = "__cilk2gpu_functions_";

/// Whether a device may have its own copy of a variable: a constant that is only read, never pointed at, as far as the
/// module shows. Addresses in it would be the device's, where the host's are meant. What a unit only reads another may
/// point at: a unit lists addresses of what it points at itself, and only the linked program tells what is copied.
bool isPrivateConstant(const llvm::GlobalVariable &variable);

/// Name by which a thunk of the host's for this call is known, which makes it for tasks on a GPU (HostThunks.h), and
/// metadata of a device module that lists those that there are, each with whether the function may look at anything
/// that the program points at.
std::string hostCallKey(const llvm::CallBase &call);
inline constexpr char kHostCallKeys[] = "cilk2gpu.host.calls";

/// A name without its unit's prefix, if it has one.
llvm::StringRef withoutPrefix(llvm::StringRef name);

/// The name in a device module of what such a name, or a hostCallKey, is about.
llvm::StringRef symbolOf(llvm::StringRef name);

/// What a name of a device module, or a hostCallKey, is in the program's source.
std::string writtenName(llvm::StringRef name);

/// Name of the slot that has the host's address of a variable or function of a device module.
std::string addressSlot(llvm::StringRef name);

/// Name of the kernel's entry for lanes that were restarted.
inline std::string restartSymbol(llvm::StringRef symbol) { return (symbol + "_r").str(); }

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_DEVICEMODULE_H
