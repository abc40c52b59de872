// Steps from the host's LLVM IR to a GPU's. Some run before the device runtime is linked and the program is optimised,
// some during optimisation, and some after it.
#ifndef CILK2GPU_LIB_TARGET_GPU_RETARGET_H
#define CILK2GPU_LIB_TARGET_GPU_RETARGET_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"

namespace cilk2gpu {

/// Numbers of address spaces that have the same meaning on AMD and NVIDIA.
inline constexpr unsigned kGlobalSpace = 1, kConstantSpace = 4;

/// Returns the image's variable that holds the host's address of the variable or function `name`. With `isOptional`,
/// the host may lack `name`.
llvm::GlobalVariable *addressSlotOf(llvm::Module &program, llvm::StringRef name, bool isOptional = false);

/// Attribute of a slot whose symbol the program may lack, and of functions that call through such a slot.
inline constexpr char kWeakAttr[] = "cilk2gpu-weak";

/// Attribute of a call that must reuse its caller's frame (musttail). GPUs cannot promise that.
inline constexpr char kMustTailAttr[] = "cilk2gpu-musttail";

/// Lists the slots that kernels read and the host must fill (abi::kAddressNames). Returns the symbols that the program
/// must have for them. No later step may change the addresses that kernels use.
std::vector<std::string> listAddresses(llvm::Module &program);

/// Adds a constant to the image that the host finds by its name.
llvm::GlobalVariable *addConstant(llvm::Module &program, llvm::Constant *value, llvm::StringRef name);

/// Makes a module fit for `target`: triple, data layout, attributes, stack, arguments by value, no unwinding. Does not
/// move variables.
void retarget(llvm::Module &program, const DeviceTarget &target, const llvm::DataLayout &layout);

/// Keeps marks of shared memory (__cilk2gpu_device_global) through optimisation, which they do not hinder.
void keepSharedMarks(llvm::Module &program);
/// Turns accesses through marked pointers into accesses of global memory. Runs after optimisation.
void lowerSharedMarks(llvm::Module &program);

/// Gives kernels the target's calling convention, and makes all other symbols local.
void markKernels(llvm::Module &program, const DeviceTarget &target);

/// Returns true if a function is a kernel, in a program whose kernels are marked.
bool isMarkedKernel(const llvm::Function &function);

/// Moves variables to the target's address spaces before optimisation, because LLVM's passes for GPUs expect none in
/// the generic space. A constant whose address is not taken becomes the device's own copy.
void moveVariables(llvm::Module &program, const DeviceTarget &target);

/// Replaces the addresses of all other variables and of functions by the host's addresses, which are read from slots.
/// Must run after the passes that look for variables and callees, and before the passes that make or merge constants,
/// which would hold the device's addresses.
void placeAddresses(llvm::Module &program);

/// Corrects atomic operations for which the target's code generator of LLVM 22 emits wrong code:
/// - NVPTX drops the order of every atomicrmw;
/// - NVPTX adds floats without subnormal numbers;
/// - NVPTX does not support fences within a thread;
/// - AMDGPU drops a wait in releasing operations.
void mendAtomics(llvm::Module &program, const DeviceTarget &target);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_RETARGET_H
