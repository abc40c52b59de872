// From the host's LLVM IR to a GPU's, in steps: before the device runtime is linked and all is optimised, midway, and
// after.
#ifndef CILK2GPU_LIB_TARGET_GPU_RETARGET_H
#define CILK2GPU_LIB_TARGET_GPU_RETARGET_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"

namespace cilk2gpu {

/// Address spaces, the same on AMD and NVIDIA, where they have them.
inline constexpr unsigned kGlobalSpace = 1, kConstantSpace = 4;

/// The variable of an image that has the host's address of the variable or function `name`. `isOptional`: the host may
/// have none.
llvm::GlobalVariable *addressSlotOf(llvm::Module &program, llvm::StringRef name, bool isOptional = false);

/// Attribute of a slot for whose sake the program need not have what it is about, and of functions that call such.
inline constexpr char kWeakAttr[] = "cilk2gpu-weak";

/// Attribute of calls that have to leave no frame of their caller's behind (musttail), which GPUs cannot promise.
inline constexpr char kMustTailAttr[] = "cilk2gpu-musttail";

/// Lists those that kernels read and that must be filled (abi::kAddressNames). The last change of what kernels do.
/// Returns the symbols that the program must have for them.
std::vector<std::string> listAddresses(llvm::Module &program);

/// A constant of the image's that the host finds by its name.
llvm::GlobalVariable *addConstant(llvm::Module &program, llvm::Constant *value, llvm::StringRef name);

/// Makes a module one for `target`: triple, data layout, attributes, stack, arguments by value, no unwinding. Variables
/// stay where they are.
void retarget(llvm::Module &program, const DeviceTarget &target, const llvm::DataLayout &layout);

/// What is said to lead to shared memory (__cilk2gpu_device_global) is kept through optimisation, which it does not
/// hinder; afterwards, accesses through it become accesses of global memory.
void keepSharedMarks(llvm::Module &program);
void lowerSharedMarks(llvm::Module &program);

/// Puts kernels into the target's calling convention; everything else becomes local.
void markKernels(llvm::Module &program, const DeviceTarget &target);

/// Whether a function of a program whose kernels are marked is one.
bool isMarkedKernel(const llvm::Function &function);

/// Variables go where the target has them, before anything is optimised: LLVM's passes for GPUs do not expect any in
/// the generic space. Constants that nobody points at become the device's own.
void moveVariables(llvm::Module &program, const DeviceTarget &target);

/// Addresses of all other variables, and of functions, become the host's, read from slots. After what finds out about
/// variables and callees, and before passes that make constants, in which the addresses would be the device's, or merge
/// them.
void placeAddresses(llvm::Module &program);

/// Atomic operations that the target's code generator gets wrong: LLVM 22's NVPTX drops the order of every atomicrmw,
/// adds floats without subnormal numbers and knows no fences within a thread; its AMDGPU drops a wait in what releases.
void mendAtomics(llvm::Module &program, const DeviceTarget &target);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_RETARGET_H
