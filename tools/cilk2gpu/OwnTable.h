// The table of the driver's own options, which TableGen makes of Options.td. The table also has two options of Clang
// that mean more here, --offload-arch= and -fsanitize=cilk, for help and completion.
#ifndef CILK2GPU_TOOLS_CILK2GPU_OWNTABLE_H
#define CILK2GPU_TOOLS_CILK2GPU_OWNTABLE_H

#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

#include <memory>
#include <string>
#include <vector>

namespace cilk2gpu::driver {

namespace own {
enum ID {
  OPT_INVALID = 0, // an option's number in the table is its place, from 1
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "OwnOptions.inc"
#undef OPTION
};
} // namespace own

/// Thread-safe.
const llvm::opt::OptTable &ownOptionTable();

/// A word of the command line that is one of the table's options.
class OwnWord {
public:
  explicit OwnWord(llvm::StringRef word);
  OwnWord(const OwnWord &) = delete;

  /// Returns whether the word is an option.
  explicit operator bool() const { return isOption; }
  /// Returns the option's number. A Value has the number of the option whose value it is.
  unsigned id() const { return arg->getOption().getID(); }
  llvm::StringRef value() const { return arg->getNumValues() ? arg->getValue() : ""; }
  /// Returns whether the word is a Value.
  bool isValueListed() const { return arg->getAlias(); }

private:
  const std::string text;
  const char *const words[1];
  llvm::opt::InputArgList list;
  std::unique_ptr<llvm::opt::Arg> arg;
  bool isOption;
};

/// A value of an option, with its help text, which may be empty.
struct OptionValue {
  std::string name;
  llvm::StringRef help;
};

/// Returns the fixed values of an option.
std::vector<OptionValue> valuesOf(llvm::opt::OptSpecifier option);

/// Returns the option of the table whose name is nearest to a word that is no option. The text is empty if no name is
/// near, or if Clang has an option with a nearer name.
std::string nearestOwnOption(llvm::StringRef word);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_OWNTABLE_H
