// See OwnTable.h.
#include "OwnTable.h"
#include "ClangOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Option.h"

#include <algorithm>

using namespace llvm::opt;
using llvm::StringRef;

#define OPTTABLE_STR_TABLE_CODE
#include "OwnOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "OwnOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

#define OPTTABLE_PREFIXES_UNION_CODE
#include "OwnOptions.inc"
#undef OPTTABLE_PREFIXES_UNION_CODE

// The generated rows name the numbers OPT_... without a namespace.
using namespace cilk2gpu::driver::own;

static constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "OwnOptions.inc"
#undef OPTION
};

namespace {
class OwnOptionTable : public PrecomputedOptTable {
public:
  OwnOptionTable() : PrecomputedOptTable(OptionStrTable, OptionPrefixesTable, optionInfos, OptionPrefixesUnion) {}
};
} // namespace

namespace cilk2gpu::driver {

const OptTable &ownOptionTable() {
  static const OwnOptionTable table;
  return table;
}

OwnWord::OwnWord(StringRef word) : text(word.str()), words{text.c_str()}, list(std::begin(words), std::end(words)) {
  unsigned index = 0;
  arg = ownOptionTable().ParseOneArg(list, index);
  isOption = arg && !arg->getOption().matches(own::OPT_UNKNOWN) && !arg->getOption().matches(own::OPT_INPUT);
}

std::vector<OptionValue> valuesOf(OptSpecifier option) {
  const OptTable &table = ownOptionTable();
  std::vector<OptionValue> result;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    Option value = table.getOption(id);
    if (!value.getAlias().isValid() || value.getAlias().getID() != option.getID())
      continue;
    const char *help = table.getOptionHelpText(id);
    result.push_back({value.getAliasArgs(), help ? help : ""});
  }
  // TableGen sorts names, and so puts 16 before 4.
  llvm::sort(result,
             [](const OptionValue &a, const OptionValue &b) { return StringRef(a.name).compare_numeric(b.name) < 0; });
  if (!result.empty())
    return result;
  // An option whose value is a list has the names in its row.
  for (const std::string &name : table.suggestValueCompletions(table.getOptionPrefixedName(option), ""))
    result.push_back({name, ""});
  return result;
}

std::string nearestOwnOption(StringRef word) {
  std::string ours, clangs;
  unsigned most = std::min<unsigned>(3, unsigned(word.size()) / 3);
  unsigned distance = ownOptionTable().findNearest(word, ours);
  if (distance > most)
    return "";
  return clangOptionTable().findNearest(word, clangs, Visibility(clang::options::ClangOption)) < distance ? "" : ours;
}

} // namespace cilk2gpu::driver
