// The table behind the feature names.
#include "Features.h"

namespace cilksmith {

namespace {
struct Entry {
  std::string_view name, meaning;
};
constexpr Entry kFeatures[] = {
#define CILKSMITH_FEATURE(id, name, meaning) {name, meaning},
    CILKSMITH_FEATURES(CILKSMITH_FEATURE)
#undef CILKSMITH_FEATURE
};
} // namespace

std::string_view featureName(Feature feature) { return kFeatures[static_cast<size_t>(feature)].name; }
std::string_view featureMeaning(Feature feature) { return kFeatures[static_cast<size_t>(feature)].meaning; }

std::optional<Feature> featureNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(kFeatures); ++i)
    if (kFeatures[i].name == name)
      return static_cast<Feature>(i);
  return std::nullopt;
}

} // namespace cilksmith
