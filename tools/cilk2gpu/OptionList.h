// The driver's options and the environment variables of compiled programs, as lists for people: --help, the manual page
// and completions show them.
#ifndef CILK2GPU_TOOLS_CILK2GPU_OPTIONLIST_H
#define CILK2GPU_TOOLS_CILK2GPU_OPTIONLIST_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace cilk2gpu::driver {

/// An option as it is written, such as "-fcilk-vector-length=N", or a variable, such as "CILK2GPU_WAVE=N".
struct ListedItem {
  std::string form;
  llvm::StringRef help;
};

struct OptionSection {
  llvm::StringRef title;
  std::vector<ListedItem> options;
};

/// Returns the options that have a help text, by sections.
std::vector<OptionSection> optionSections();

/// Returns the variables, with a row for each value of CILK2GPU_DEVICE.
std::vector<ListedItem> programVariables();

/// Returns the variables of the compiler.
std::vector<ListedItem> compilerVariables();

/// Returns the names of a variable's values, as far as it has fixed ones.
std::vector<std::string> valuesOfVariable(llvm::StringRef name);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_OPTIONLIST_H
