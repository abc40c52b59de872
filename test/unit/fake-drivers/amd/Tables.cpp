// See Tables.h.
#include "Tables.h"

#include <unordered_map>

namespace cilk2gpu::test::amd {
namespace {

using Meanings = std::unordered_map<std::string_view, Execute>;

void add(Meanings &meanings, std::span<const Row> table) {
  for (const Row &row : table)
    for (std::string_view rest = row.names; !rest.empty();) {
      size_t end = std::min(rest.find(' '), rest.size());
      meanings.emplace(rest.substr(0, end), row.execute);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

const Meanings &meanings() {
  static const Meanings all = [] {
    Meanings made;
    for (auto table : {scalarTable(), controlTable(), integerTable(), numberTable(), comparisonTable(), laneTable()})
      add(made, table);
    return made;
  }();
  return all;
}

} // namespace

void findMeaning(Instruction &instruction) {
  if (findAccess(instruction))
    return;
  // Integers that a modifier clamps have rows of their own.
  std::string name(instruction.name);
  if (instruction.clamps && name.find("_f16") == name.npos && name.find("_f32") == name.npos &&
      name.find("_f64") == name.npos)
    name += ":clamp";
  auto found = meanings().find(name);
  instruction.execute = found == meanings().end() ? nullptr : found->second;
}

} // namespace cilk2gpu::test::amd
