// The device modules of a link's objects.
//
// Objects may be copies of one another if they define no name that others know: for example, if one source is compiled
// twice. Their functions and variables differ, but have the same names on the device. So a copy gets new names, in its
// device module and in the tables of its object.
#ifndef CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
#define CILK2GPU_TOOLS_DEVICELINKER_UNITS_H

#include "Inputs.h"
#include "llvm/IR/Module.h"
#include <map>

namespace cilk2gpu {

class Units {
public:
  explicit Units(LinkInputs &inputs) : inputs(inputs) {}

  /// Reads the modules. Each call reads them again, because building consumes them. If several objects define a name,
  /// only the definition that the linker takes is kept.
  llvm::Expected<std::vector<std::unique_ptr<llvm::Module>>> read(llvm::LLVMContext &context);

  /// Gives objects that are copies their new contents. Must be called after read().
  llvm::Error separateCopies();

private:
  using Names = llvm::StringMap<std::string>; ///< a prefix and slots: old name to new name

  llvm::Error separate(llvm::Module &unit, size_t object, llvm::StringMap<std::vector<size_t>> &seen);

  LinkInputs &inputs;
  std::map<size_t, Names> renamed; ///< by number of the object
};

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
