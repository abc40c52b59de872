// Instantiates Clang's generated option table. It is only data: Clang gives the options their meaning.
#include "ClangOptions.h"

#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

using namespace clang::options;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_VALUES_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_VALUES_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

#define OPTTABLE_PREFIXES_UNION_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_PREFIXES_UNION_CODE

static constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "clang/Options/Options.inc"
#undef OPTION
};

namespace {
class ClangOptionTable : public PrecomputedOptTable {
public:
  ClangOptionTable() : PrecomputedOptTable(OptionStrTable, OptionPrefixesTable, optionInfos, OptionPrefixesUnion) {}
};
} // namespace

const OptTable &cilk2gpu::driver::clangOptionTable() {
  static const ClangOptionTable table;
  return table;
}
