// The result of --emit=hip: a folder with all parts of a program, to read and to build with HIP.
//
//   DIR/CMakeLists.txt     builds the program with hipcc, or a C++ compiler and HIP's headers and library
//   DIR/Images.cpp         the graph as comments, the code objects, their registration
//   DIR/images/ARCH.inc    the bytes of a code object, as elements of a C array
//   DIR/program/*.o        objects that Clang compiled for the host: main, the graph's descriptors
//   DIR/runtime/           the host's side as source: HIP's calls, launches, channels, the aggregator
#ifndef CILK2GPU_TOOLS_DEVICELINKER_HIPPROGRAM_H
#define CILK2GPU_TOOLS_DEVICELINKER_HIPPROGRAM_H

#include "Registration.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace cilk2gpu {

struct HipProgram {
  std::string folder;      ///< DIR
  std::string sources;     ///< folder of the host's side
  std::string outline;     ///< the graph in words
  bool persistent = false; ///< images have a persistent kernel
  llvm::ArrayRef<BuiltImage> images;
  llvm::ArrayRef<std::string> symbols; ///< symbols that images use and objects do not ask for
  llvm::ArrayRef<llvm::MemoryBufferRef> objects;
  std::vector<std::string> libraries; ///< for the linker: paths, -l and -L
};

/// Writes the folder, and overwrites files of the same names. Other files in it stay.
llvm::Error writeHipProgram(const HipProgram &program);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_HIPPROGRAM_H
