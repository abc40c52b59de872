// Choice of objects by what is allowed at a point of the program.
#include "Objects.h"

#include <algorithm>

namespace cilksmith {

namespace {
constexpr int kTries = 14;
}

void merge(State &into, const State &other) {
  for (size_t object = 0; object < into.size(); ++object)
    for (size_t cell = 0; cell < into[object].size(); ++cell)
      into[object][cell] = std::max(into[object][cell], other[object][cell]);
}

int Objects::add(Object object, State &state) {
  state.emplace_back(object.count * object.leaves.size(), Access::Free);
  all.push_back(std::move(object));
  return size() - 1;
}

void Objects::truncate(int size, State &state) {
  all.resize(size, Object());
  state.resize(size);
}

bool Objects::allows(const State &state, int index, unsigned first, unsigned count, Need need) const {
  const Object &object = all[index];
  bool child = need == Need::Share || need == Need::Give;
  if (child && (!object.addressable || object.reserved || object.isVolatile))
    return false;
  if (object.readOnly && (need == Need::Write || need == Need::Give))
    return false;
  Access limit = need == Need::Read || need == Need::Share ? Access::Shared : Access::Free;
  for (unsigned cell = first; cell < first + count; ++cell)
    if (state[index][cell] > limit)
      return false;
  if (!object.isAlias)
    return true;
  const Object &array = all[object.elementOf];
  unsigned leaves = static_cast<unsigned>(array.leaves.size());
  for (unsigned i = 0; i < array.count; ++i)
    if (!allows(state, object.elementOf, i * leaves + object.firstLeaf + first, count, need))
      return false;
  return true;
}

void Objects::take(State &state, const Place &place, Access access) {
  for (unsigned cell = place.first; cell < place.first + place.count; ++cell)
    state[place.object][cell] = std::max(state[place.object][cell], access);
  int array = all[place.object].elementOf;
  if (array < 0)
    return;
  // Which element it is changes from iteration to iteration: all of them are taken.
  unsigned leaves = static_cast<unsigned>(all[array].leaves.size()), offset = all[place.object].firstLeaf;
  for (unsigned i = 0; i < all[array].count; ++i)
    for (unsigned cell = offset + place.first; cell < offset + place.first + place.count; ++cell)
      state[array][i * leaves + cell] = std::max(state[array][i * leaves + cell], access);
}

std::string Objects::element(int index, unsigned i) const {
  const Object &object = all[index];
  return object.subscripted ? object.name + "[" + std::to_string(i) + "]" : object.name;
}

std::optional<Place> Objects::leaf(const State &state, Need need, const std::function<bool(Scalar)> &fits) {
  if (all.empty())
    return std::nullopt;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    int index = static_cast<int>(random.below(static_cast<unsigned>(size())));
    Object &object = all[index];
    unsigned leaves = static_cast<unsigned>(object.leaves.size());
    unsigned i = random.below(object.count), number = random.below(leaves);
    const Leaf &leaf = object.leaves[number];
    bool child = need == Need::Share || need == Need::Give;
    if (object.opaque || !fits(leaf.scalar) || (child && !leaf.addressable) ||
        !allows(state, index, i * leaves + number, 1, need))
      continue;
    return Place{index, i * leaves + number, 1, element(index, i) + leaf.path, Type{-1, leaf.scalar}, leaf.bits};
  }
  return std::nullopt;
}

std::optional<Place> Objects::structure(const State &state, Need need, int structure) {
  std::vector<Place> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned leaves = static_cast<unsigned>(object.leaves.size());
    for (unsigned i = 0; i < object.count; ++i)
      for (const Part &part : object.parts)
        if (part.structure == structure && allows(state, index, i * leaves + part.first, part.count, need))
          found.push_back({index, i * leaves + part.first, part.count, element(index, i) + part.path,
                           Type{structure, Scalar::Int}, 0});
  }
  if (found.empty())
    return std::nullopt;
  const Place &place = random.pick(found);
  return place;
}

std::optional<Place> Objects::region(const State &state, Need need, const Type &type, unsigned count) {
  std::vector<Place> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned leaves = static_cast<unsigned>(object.leaves.size());
    if (object.type == type)
      for (unsigned i = 0; i + count <= object.count; ++i)
        if (allows(state, index, i * leaves, count * leaves, need)) {
          std::string offset = i ? " + " + std::to_string(i) : "";
          std::string text = object.subscripted ? object.name + offset : "&" + object.name;
          found.push_back({index, i * leaves, count * leaves, text, type, 0});
        }
    if (count > 1 || !object.type.isStruct())
      continue;
    for (unsigned i = 0; i < object.count; ++i) {
      if (type.isStruct()) {
        for (const Part &part : object.parts)
          if (part.structure == type.structure && allows(state, index, i * leaves + part.first, part.count, need))
            found.push_back({index, i * leaves + part.first, part.count, "&" + element(index, i) + part.path, type, 0});
        continue;
      }
      for (unsigned number = 0; number < leaves; ++number) {
        const Leaf &leaf = object.leaves[number];
        if (leaf.addressable && leaf.scalar == type.scalar && allows(state, index, i * leaves + number, 1, need))
          found.push_back({index, i * leaves + number, 1, "&" + element(index, i) + leaf.path, type, 0});
      }
    }
  }
  if (found.empty())
    return std::nullopt;
  const Place &place = random.pick(found);
  return place;
}

std::optional<int> Objects::array(const State &state, Need need, unsigned least,
                                  const std::function<bool(const Object &)> &fits) {
  std::vector<int> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned cells = static_cast<unsigned>(object.count * object.leaves.size());
    if (object.subscripted && object.count >= least && fits(object) && allows(state, index, 0, cells, need))
      found.push_back(index);
  }
  if (found.empty())
    return std::nullopt;
  int index = random.pick(found);
  return index;
}

} // namespace cilksmith
