// The device modules of a link's objects.
//
// Objects may be copies of one another, as long as they define nothing that others know: one source, compiled twice.
// They are different functions with different variables, whose names on the device are the same. A copy gets names of
// its own, in its device module and in the tables of the object itself.
#ifndef CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
#define CILK2GPU_TOOLS_DEVICELINKER_UNITS_H

#include "Inputs.h"
#include "llvm/IR/Module.h"
#include <map>

namespace cilk2gpu {

class Units {
public:
  explicit Units(LinkInputs &inputs) : inputs(inputs) {}

  /// Reads them, fresh: building takes them. Where several objects define a name, only the definition is left that the
  /// linker takes.
  llvm::Expected<std::vector<std::unique_ptr<llvm::Module>>> read(llvm::LLVMContext &context);

  /// After read(): gives the objects that are copies their contents.
  llvm::Error separateCopies();

private:
  using Names = llvm::StringMap<std::string>; ///< a prefix and slots, as they were and as they become

  llvm::Error separate(llvm::Module &unit, size_t object, llvm::StringMap<std::vector<size_t>> &seen);

  LinkInputs &inputs;
  std::map<size_t, Names> renamed; ///< by number of the object
};

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
