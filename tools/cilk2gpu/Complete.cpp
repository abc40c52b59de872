// See Complete.h.
#include "Complete.h"
#include "OptionList.h"
#include "OwnTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Option.h"

using namespace llvm::opt;
using llvm::StringRef;

namespace cilk2gpu::driver {

static void printLine(llvm::raw_ostream &os, StringRef text, StringRef help) {
  os << text;
  if (!help.empty())
    os << '\t' << help;
  os << '\n';
}

/// Prints the options that begin with `word`. Values of an option follow when the option is complete.
static void printOptions(llvm::raw_ostream &os, StringRef word) {
  const OptTable &table = ownOptionTable();
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    Option option = table.getOption(id);
    bool isListed = table.getOptionHelpText(id) || !valuesOf(id).empty();
    if (option.getKind() == Option::GroupClass || option.getAlias().isValid() || !isListed)
      continue;
    const char *help = table.getOptionHelpText(id);
    if (option.getPrefixedName().starts_with(word))
      printLine(os, option.getPrefixedName(), help ? help : "");
  }
}

/// Prints the values of an option that begin with `start`. `option` ends in '='. Returns whether Clang has the option.
static bool printValues(llvm::raw_ostream &os, StringRef option, StringRef start) {
  if (option == "-fsanitize=" && StringRef("cilk").starts_with(start))
    printLine(os, "cilk", ownOptionTable().getOptionHelpText(own::OPT_fsanitize_cilk));
  OwnWord known(option);
  if (!known)
    return true;
  for (const OptionValue &value : valuesOf(known.id()))
    if (StringRef(value.name).starts_with(start))
      printLine(os, value.name, value.help);
  return known.id() == own::OPT_offload_arch_EQ;
}

bool printCompletions(llvm::raw_ostream &os, StringRef word) {
  auto [name, value] = word.split('=');
  bool hasValue = name.size() != word.size();
  if (word.starts_with("CILK")) {
    if (hasValue)
      for (const std::string &allowed : valuesOfVariable(name))
        if (StringRef(allowed).starts_with(value))
          printLine(os, allowed, "");
    return false;
  }
  if (!hasValue) {
    if (word.starts_with("-"))
      printOptions(os, word);
    return true;
  }
  return printValues(os, word.take_front(name.size() + 1), value);
}

} // namespace cilk2gpu::driver
