// Notes behind a failed link: which object files need an option, a library or another compiler, as their undefined
// symbols show.
#ifndef CILK2GPU_TOOLS_CILK2GPU_LINKNOTES_H
#define CILK2GPU_TOOLS_CILK2GPU_LINKNOTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cilk2gpu::driver {

/// The files of a link whose symbols can be read.
struct Link {
  std::vector<std::string> objects;   ///< object files of the command line
  std::vector<std::string> libraries; ///< other files of the command line, the run-time library and those of options
  bool hasCpp = false;                ///< the C++ library is linked
};

/// Prints a note for each object file with an undefined symbol whose name shows what is missing: an option, a library
/// or another compiler. Symbols that another file of the link defines are not missing. `program` is the driver's name.
/// Reads archives and ELF files of 64 bits, and skips others.
void printLinkNotes(llvm::raw_ostream &os, llvm::StringRef program, const Link &link);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_LINKNOTES_H
