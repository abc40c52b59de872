// Choice of objects that are allowed at a point of the program.
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
  state.emplace_back(object.count * object.members.size(), Access::Free);
  all.push_back(std::move(object));
  return size() - 1;
}

void Objects::truncate(int size, State &state) {
  all.resize(size, Object());
  state.resize(size);
}

bool Objects::allows(const State &state, int index, unsigned first, unsigned count, Need need) const {
  const Object &object = all[index];
  if (object.opaque)
    return false;
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
  unsigned members = static_cast<unsigned>(array.members.size());
  for (unsigned i = 0; i < array.count; ++i)
    if (!allows(state, object.elementOf, i * members + object.firstMember + first, count, need))
      return false;
  return true;
}

void Objects::take(State &state, const Piece &piece, Access access) {
  for (unsigned cell = piece.first; cell < piece.first + piece.count; ++cell)
    state[piece.object][cell] = std::max(state[piece.object][cell], access);
  int array = all[piece.object].elementOf;
  if (array < 0)
    return;
  // The chosen element changes from iteration to iteration, so all elements are taken.
  unsigned members = static_cast<unsigned>(all[array].members.size()), offset = all[piece.object].firstMember;
  for (unsigned i = 0; i < all[array].count; ++i)
    for (unsigned cell = offset + piece.first; cell < offset + piece.first + piece.count; ++cell)
      state[array][i * members + cell] = std::max(state[array][i * members + cell], access);
}

std::string Objects::element(int index, unsigned i) const {
  const Object &object = all[index];
  return object.subscripted ? object.name + "[" + std::to_string(i) + "]" : object.name;
}

std::optional<Piece> Objects::member(const State &state, Need need, const std::function<bool(Scalar)> &fits) {
  if (all.empty())
    return std::nullopt;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    int index = static_cast<int>(random.below(static_cast<unsigned>(size())));
    Object &object = all[index];
    unsigned members = static_cast<unsigned>(object.members.size());
    unsigned i = random.below(object.count), number = random.below(members);
    const ScalarMember &member = object.members[number];
    bool child = need == Need::Share || need == Need::Give;
    if (object.opaque || !fits(member.scalar) || (child && !member.addressable) ||
        !allows(state, index, i * members + number, 1, need))
      continue;
    return Piece{index, i * members + number, 1, element(index, i) + member.path, Type{-1, member.scalar}, member.bits};
  }
  return std::nullopt;
}

std::optional<Piece> Objects::structure(const State &state, Need need, int structure) {
  std::vector<Piece> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned members = static_cast<unsigned>(object.members.size());
    for (unsigned i = 0; i < object.count; ++i)
      for (const Part &part : object.parts)
        if (part.structure == structure && allows(state, index, i * members + part.first, part.count, need))
          found.push_back({index, i * members + part.first, part.count, element(index, i) + part.path,
                           Type{structure, Scalar::Int}, 0});
  }
  if (found.empty())
    return std::nullopt;
  const Piece &piece = random.pick(found);
  return piece;
}

std::optional<Piece> Objects::region(const State &state, Need need, const Type &type, unsigned count) {
  std::vector<Piece> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned members = static_cast<unsigned>(object.members.size());
    if (object.type == type)
      for (unsigned i = 0; i + count <= object.count; ++i)
        if (allows(state, index, i * members, count * members, need)) {
          std::string offset = i ? " + " + std::to_string(i) : "";
          std::string text = object.subscripted ? object.name + offset : "&" + object.name;
          found.push_back({index, i * members, count * members, text, type, 0});
        }
    if (count > 1 || !object.type.isStruct())
      continue;
    for (unsigned i = 0; i < object.count; ++i) {
      if (type.isStruct()) {
        for (const Part &part : object.parts)
          if (part.structure == type.structure && allows(state, index, i * members + part.first, part.count, need))
            found.push_back(
                {index, i * members + part.first, part.count, "&" + element(index, i) + part.path, type, 0});
        continue;
      }
      for (unsigned number = 0; number < members; ++number) {
        const ScalarMember &member = object.members[number];
        if (member.addressable && member.scalar == type.scalar && allows(state, index, i * members + number, 1, need))
          found.push_back({index, i * members + number, 1, "&" + element(index, i) + member.path, type, 0});
      }
    }
  }
  if (found.empty())
    return std::nullopt;
  const Piece &piece = random.pick(found);
  return piece;
}

std::optional<int> Objects::array(const State &state, Need need, unsigned least,
                                  const std::function<bool(const Object &)> &fits) {
  std::vector<int> found;
  for (int index = 0; index < size(); ++index) {
    const Object &object = all[index];
    unsigned cells = static_cast<unsigned>(object.count * object.members.size());
    if (object.subscripted && object.count >= least && fits(object) && allows(state, index, 0, cells, need))
      found.push_back(index);
  }
  if (found.empty())
    return std::nullopt;
  int index = random.pick(found);
  return index;
}

} // namespace cilksmith
