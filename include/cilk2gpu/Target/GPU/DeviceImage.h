// Builds an image for one architecture from the device modules of a program. They are linked, retargeted, optimised
// with the device runtime, and checked for code that a GPU cannot run. The image is a code object (AMD) or PTX
// (NVIDIA).
//
// Nothing here is thread-safe: LLVM's targets are initialised once, and lld runs in process.
#ifndef CILK2GPU_TARGET_GPU_DEVICEIMAGE_H
#define CILK2GPU_TARGET_GPU_DEVICEIMAGE_H

#include "cilk2gpu/abi/Image.h"
#include "cilk2gpu/target-info/Architectures.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace cilk2gpu {

/// An architecture that --offload-arch names.
struct DeviceTarget {
  std::string arch; ///< "gfx90a", "gfx11-generic", "sm_90"
  llvm::Triple triple;
  abi::ImageKind kind;
  unsigned waveSize;                                 ///< lanes of a hardware wavefront
  std::string runtime;                               ///< name of the device runtime's bitcode file
  const target_info::AmdTraits *amd = nullptr;       ///< null unless the GPU is AMD's
  const target_info::NvidiaTraits *nvidia = nullptr; ///< null unless the GPU is NVIDIA's

  bool isAMD() const { return amd != nullptr; }
};

/// Returns the architecture's row of cilk2gpu/target-info/Architectures.def with the data that LLVM needs. Fails if
/// there is no such row.
llvm::Expected<DeviceTarget> findDeviceTarget(llvm::StringRef arch);

/// The error that a program's tasks contain code that a GPU cannot run. It has one line for each message:
/// "file:line:column: error: text".
class UnfitTasks : public llvm::ErrorInfo<UnfitTasks> {
public:
  static char ID;
  explicit UnfitTasks(std::string messages) : messages(std::move(messages)) {}
  void log(llvm::raw_ostream &os) const override { os << messages; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string messages;
};

/// Stages at which building a device program may stop.
enum class DeviceStage {
  LLVM,  ///< IR as text, after optimisation
  Isa,   ///< the target's assembly (AMD) or PTX (NVIDIA)
  Image, ///< a code object, or PTX
};

class FunctionTable;
class HostCalls;

class DeviceBuilder {
public:
  /// `runtimes` is the folder of the device runtime's bitcode.
  DeviceBuilder(const DeviceTarget &target, llvm::StringRef runtimes) : target(target), runtimes(runtimes) {}

  /// Builds a program's image, or the text of an earlier stage, from its device modules, of which it takes ownership.
  /// Fails with UnfitTasks if this GPU cannot run the program.
  llvm::Expected<std::string> build(std::vector<std::unique_ptr<llvm::Module>> units, DeviceStage stage);

  /// Makes build() add a line to `lines` for each call that the host makes for tasks.
  void keepRemarks(std::vector<std::string> &lines) { remarks = &lines; }

  /// Returns the symbols whose addresses in the program the last built image uses.
  llvm::ArrayRef<std::string> usedSymbols() const { return used; }

  /// Makes build() add a persistent kernel to the image.
  void makePersistent() { isPersistent = true; }

private:
  llvm::Expected<std::unique_ptr<llvm::Module>> link(std::vector<std::unique_ptr<llvm::Module>> units);
  llvm::Expected<std::unique_ptr<llvm::Module>> readRuntime(llvm::LLVMContext &context);
  llvm::Error linkRuntime(llvm::Module &program, std::unique_ptr<llvm::Module> runtime);
  void callHost(HostCalls &calls, FunctionTable &functions, llvm::Module &program);
  void optimise(llvm::Module &program);
  llvm::Expected<std::string> generate(llvm::Module &program, llvm::CodeGenFileType type);
  llvm::Expected<std::string> linkObject(llvm::StringRef object);

  DeviceTarget target;
  std::string runtimes;
  std::vector<std::string> *remarks = nullptr;
  std::vector<std::string> used;
  bool isPersistent = false;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_DEVICEIMAGE_H
