// See OptionList.h.
#include "OptionList.h"
#include "OwnTable.h"
#include "process/Devices.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"

using namespace llvm::opt;
using llvm::StringRef;

namespace cilk2gpu::driver {

static constexpr own::ID sections[] = {own::OPT_stages, own::OPT_language, own::OPT_lanes,
                                       own::OPT_tools,  own::OPT_gpus,     own::OPT_help_group};

/// Returns the options of a section, in the table's order. Options with fixed values are shown by their values.
static std::vector<ListedItem> optionsOf(own::ID section) {
  const OptTable &table = ownOptionTable();
  std::vector<ListedItem> result;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const char *help = table.getOptionHelpText(id);
    if (!help || table.getOptionGroupID(id) != section)
      continue;
    const char *value = table.getOptionMetaVar(id);
    result.push_back({table.getOptionPrefixedName(id).str() + (value ? value : ""), help});
  }
  return result;
}

std::vector<OptionSection> optionSections() {
  std::vector<OptionSection> result;
  for (own::ID section : sections)
    result.push_back({ownOptionTable().getOptionHelpText(section), optionsOf(section)});
  return result;
}

namespace {
struct Variable {
  StringRef name, values, help;
};
} // namespace

static constexpr Variable variables[] = {
#define CILK2GPU_VARIABLE(name, value, help, named, parse, allowed) {"CILK2GPU_" #name, value, help},
#define CILK2GPU_OTHER_VARIABLE(name, value, help) {#name, value, help},
#include "process/Variables.def"
};

/// Returns whether the values of the variable are those of the table of devices.
static bool isDevice(const Variable &variable) { return variable.values.empty(); }

std::vector<ListedItem> programVariables() {
  std::vector<ListedItem> result;
  for (const Variable &variable : variables)
    if (isDevice(variable))
      for (const rt::DeviceTraits &traits : rt::kDevices)
        result.push_back({(variable.name + "=" + traits.name).str(), traits.help});
    else
      result.push_back({(variable.name + "=" + variable.values).str(), variable.help});
  return result;
}

std::vector<ListedItem> compilerVariables() {
  return {{"CILK2GPU_CLANG=PATH", "Path of the Clang 22 to run, instead of the one known when cilk2gpu was built"}};
}

std::vector<std::string> valuesOfVariable(StringRef name) {
  std::vector<std::string> result;
  for (const Variable &variable : variables) {
    if (variable.name != name)
      continue;
    if (isDevice(variable))
      for (const rt::DeviceTraits &traits : rt::kDevices)
        result.push_back(traits.name);
    else if (variable.values.contains('|'))
      for (StringRef value : llvm::split(variable.values, '|'))
        result.push_back(value.str());
  }
  return result;
}

} // namespace cilk2gpu::driver
