// The object file that brings images into a program: the images as data, their records (cilk2gpu/abi/Image.h), and a
// constructor that registers them.
#ifndef CILK2GPU_TOOLS_DEVICELINKER_REGISTRATION_H
#define CILK2GPU_TOOLS_DEVICELINKER_REGISTRATION_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"

namespace cilk2gpu {

struct BuiltImage {
  DeviceTarget target;
  std::string contents; ///< empty if the tasks cannot run on this GPU, which the program then reports
};

/// Writes the object for this machine, with references to `symbols`, and returns its contents.
llvm::Expected<std::string> createRegistrationObject(llvm::ArrayRef<BuiltImage> images,
                                                     llvm::ArrayRef<std::string> symbols);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_REGISTRATION_H
