// Copies of memory by memcpy: structs with their padding, unions, and local arrays, also through arrays with elements
// of another size. A compiler that splits an object and joins it again must keep every byte.
#include "Function.h"

namespace cilksmith {

namespace {
constexpr unsigned kMostCopied = 4; // elements

std::vector<Scalar> words(bool wide) {
  std::vector<Scalar> found = {Scalar::UChar, Scalar::UShort, Scalar::UInt, Scalar::ULong};
  if (wide)
    found.push_back(Scalar::UInt128);
  return found;
}

std::string bytesOf(const std::string &type, unsigned count) {
  return (count > 1 ? std::to_string(count) + " * " : "") + "sizeof(" + type + ")";
}
} // namespace

/// Returns true if an object may be copied as bytes.
bool Copies::isCopied(const Object &object) const {
  bool isPlain = !object.isVolatile && !object.opaque && object.addressable;
  return isPlain && (!object.type.isStruct() || !program.types.structure(object.type.structure).owning());
}

/// Returns the variable that contains an object.
int Copies::variableOf(int object) const { return objects[object].elementOf < 0 ? object : objects[object].elementOf; }

/// Chooses elements that may be overwritten, in another variable than `source`.
std::optional<Piece> Copies::copyTarget(const Piece &source, unsigned count) {
  for (unsigned tries = 0; tries < 4; ++tries) {
    std::optional<Piece> target = objects.region(body.state, Need::Write, source.type, count);
    if (target && isCopied(objects[target->object]) && variableOf(target->object) != variableOf(source.object))
      return target;
  }
  return std::nullopt;
}

/// Declares an array with elements of any size that has room for the bytes, copies them there, and returns its name.
std::string Copies::copyAside(const std::string &from, const std::string &bytes) {
  std::string word = spell(random.pick(words(program.has(Feature::Int128)))), name = fresh("w");
  line(word + " " + name + "[(" + bytes + " + sizeof(" + word + ") - 1) / sizeof(" + word + ")];");
  line("__builtin_memcpy(" + name + ", " + from + ", " + bytes + ");");
  return name;
}

/// Copies the bytes of integers to an array of another type, which is used like any other array.
void Copies::reinterpret(const Piece &source, unsigned count) {
  Object object;
  object.name = fresh("a");
  object.type.scalar = random.pick(words(/*wide=*/false));
  unsigned bytes = sizeOf(source.type.scalar) * count, size = sizeOf(object.type.scalar);
  object.count = (bytes + size - 1) / size;
  object.subscripted = true;
  object.members = program.types.members(object.type);
  line("UNUSED " + spell(object.type.scalar) + " " + object.name + "[" + std::to_string(object.count) + "] = {0};");
  line("__builtin_memcpy(" + object.name + ", " + source.text + ", " + std::to_string(bytes) + ");");
  objects.add(std::move(object), body.state);
}

bool Copies::copy() {
  std::vector<int> found;
  for (int index = 0; index < objects.size(); ++index)
    if (isCopied(objects[index]) && (objects[index].type.isStruct() || objects[index].count > 1))
      found.push_back(index);
  if (found.empty())
    return false;
  const Object object = objects[random.pick(found)];
  unsigned count = random.between(1, std::min(object.count, kMostCopied));
  std::optional<Piece> source = objects.region(body.state, Need::Read, object.type, count);
  if (!source || !isCopied(objects[source->object]))
    return false;
  if (!object.type.isStruct() && isInteger(object.type.scalar) && random.chance(40)) {
    reinterpret(*source, count);
    return true;
  }
  std::string bytes = bytesOf(program.types.spell(object.type), count), from = source->text;
  for (unsigned steps = random.below(3); steps > 0; --steps) {
    from = copyAside(from, bytes);
    // The copied bytes wait in the task while children run.
    if (isCilk() && random.chance(30))
      writers.calls.spawnStatement();
    if (isCilk() && body.reachable && random.chance(25))
      body.sync();
  }
  if (!body.reachable)
    return true;
  std::optional<Piece> target = copyTarget(*source, count);
  if (!target && object.type.isStruct() && count == 1) {
    int copy = writers.variables.newLocal(object.type);
    target = Piece{copy, 0, 0, "&" + objects[copy].name, object.type, 0};
  }
  if (!target)
    return true;
  if (from == source->text && object.type.isStruct() && count == 1 && random.chance(40))
    line("*(" + target->text + ") = *(" + from + ");");
  else
    line("__builtin_memcpy(" + target->text + ", " + from + ", " + bytes + ");");
  return true;
}

} // namespace cilksmith
