// Random struct types, their spelling and their scalar members.
#include "Types.h"

#include <algorithm>

namespace cilksmith {

namespace {
constexpr unsigned kLargestStruct = 200; // bytes
bool has(const FeatureSet &set, Feature feature) { return set[static_cast<size_t>(feature)]; }
} // namespace

bool isFloating(Scalar scalar) { return scalar == Scalar::Float || scalar == Scalar::Double; }
bool isInteger(Scalar scalar) { return scalar <= Scalar::UInt128; }

unsigned sizeOf(Scalar scalar) {
  constexpr unsigned sizes[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 16, 16, 4, 8, 8};
  return sizes[static_cast<int>(scalar)];
}

std::string spell(Scalar scalar) {
  constexpr const char *names[] = {"_Bool",       "char",
                                   "signed char", "unsigned char",
                                   "short",       "unsigned short",
                                   "int",         "unsigned",
                                   "long",        "unsigned long",
                                   "long long",   "unsigned long long",
                                   "__int128",    "unsigned __int128",
                                   "float",       "double",
                                   "const u32 *"};
  return names[static_cast<int>(scalar)];
}

TypeTable::TypeTable(Random &random, const FeatureSet &features, Language language, std::string prefix,
                     unsigned numStructs)
    : random(random), features(features), language(language), prefix(std::move(prefix)) {
  if (!has(features, Feature::Structs))
    return;
  for (unsigned i = 0; i < numStructs; ++i)
    makeStruct(i);
}

std::string TypeTable::spell(const Type &type) const {
  if (!type.isStruct())
    return cilksmith::spell(type.scalar);
  return (language == Language::C ? "struct " : "") + structs[type.structure].name;
}

std::string TypeTable::literal(const Type &type, const std::string &braces) const {
  return language == Language::C ? "(" + spell(type) + ")" + braces : spell(type) + braces;
}

std::vector<ScalarMember> TypeTable::members(const Type &type) const {
  if (type.isStruct())
    return structs[type.structure].members;
  return {{"", type.scalar, true, 0}};
}

std::vector<Part> TypeTable::parts(const Type &type) const {
  if (type.isStruct())
    return structs[type.structure].parts;
  return {};
}

Scalar TypeTable::randomInteger() {
  Scalar scalar = static_cast<Scalar>(random.below(static_cast<unsigned>(Scalar::UInt128) + 1));
  bool wide = scalar == Scalar::Int128 || scalar == Scalar::UInt128;
  return wide && !has(features, Feature::Int128) ? Scalar::ULong : scalar;
}

Scalar TypeTable::randomScalar() {
  if (has(features, Feature::Floats) && random.chance(15))
    return random.chance(50) ? Scalar::Float : Scalar::Double;
  if (has(features, Feature::TablePointers) && random.chance(5))
    return Scalar::TablePointer;
  return random.chance(25) ? Scalar::Int : randomInteger();
}

Type TypeTable::randomType() {
  Type type;
  if (!structs.empty() && random.chance(30))
    type.structure = static_cast<int>(random.below(static_cast<unsigned>(structs.size())));
  else
    type.scalar = randomScalar();
  return type;
}

Field TypeTable::makeField(unsigned number, bool packed) {
  Field field;
  field.name = "f" + std::to_string(number);
  field.type.scalar = randomScalar();
  if (packed)
    return field;
  if (has(features, Feature::Bitfields) && random.chance(8)) {
    field.type.scalar = random.chance(50) ? Scalar::UInt : Scalar::Int;
    field.bits = random.between(2, 31);
  } else if (!structs.empty() && random.chance(12)) {
    field.type.structure = static_cast<int>(random.below(static_cast<unsigned>(structs.size())));
    field.elements = random.chance(30) ? random.between(1, 3) : 0;
  } else {
    field.elements = random.chance(25) ? random.between(1, 9) : 0;
    if (has(features, Feature::Aligned) && random.chance(3))
      field.align = 16u << random.below(3);
  }
  if (!field.bits && has(features, Feature::Unions) && random.chance(8))
    field.shared = random.between(1, 24);
  if (field.type.isStruct() && structs[field.type.structure].owning())
    field.shared = 0; // a union would not know which member to destroy
  if (field.shared && !structs.empty() && random.chance(50))
    overlay(field);
  return field;
}

/// Makes a field of bytes a union with a struct, so that some of the bytes lie in the struct's padding.
void TypeTable::overlay(Field &field) {
  Type other;
  other.structure = static_cast<int>(random.below(static_cast<unsigned>(structs.size())));
  const Struct &covered = structs[other.structure];
  constexpr unsigned kMostBytes = 24;
  if (covered.owning())
    return;
  field.other = other;
  field.shared = 2 * covered.size; // about its size, with padding
  field.type = Type{-1, Scalar::UChar};
  field.elements = std::min(kMostBytes, random.between(1, covered.size + 8));
  field.align = 0;
}

void TypeTable::addMembers(Struct &owner, const Field &field) {
  unsigned copies = std::max(field.elements, 1u);
  for (unsigned i = 0; i < copies; ++i) {
    std::string path =
        "." + field.name + (field.shared ? ".m" : "") + (field.elements ? "[" + std::to_string(i) + "]" : "");
    unsigned first = static_cast<unsigned>(owner.members.size());
    for (Part part : parts(field.type))
      owner.parts.push_back({path + part.path, part.structure, first + part.first, part.count});
    for (ScalarMember member : members(field.type))
      owner.members.push_back({path + member.path, member.scalar, member.addressable && !field.bits && !owner.packed,
                               field.bits ? field.bits : member.bits});
  }
}

void TypeTable::makeStruct(unsigned index) {
  Struct made;
  made.name = prefix + "S" + std::to_string(index);
  made.packed = has(features, Feature::Packed) && random.chance(12);
  // A few members of one type: calling conventions have special types for sizes such as 3, 6 and 12 bytes.
  if (random.chance(20)) {
    Scalar scalar = randomScalar();
    if (sizeOf(scalar) <= 8)
      for (unsigned i = 0, count = random.between(2, 7); i < count; ++i, made.size += sizeOf(scalar))
        made.fields.push_back({"f" + std::to_string(i), Type{-1, scalar}});
  }
  // Sizes from one byte to structs that the ABI passes in memory. Small sizes are as likely as large ones.
  unsigned wanted = random.chance(50) ? random.between(1, 16) : random.between(1, kLargestStruct - 40);
  for (unsigned tries = made.fields.empty() ? 0 : 40; tries < 40 && (made.size < wanted || made.fields.empty());
       ++tries) {
    Field field = makeField(static_cast<unsigned>(made.fields.size()), made.packed);
    unsigned size = field.type.isStruct() ? structs[field.type.structure].size : sizeOf(field.type.scalar);
    size = std::max({size * std::max(field.elements, 1u), field.align, field.shared});
    if (made.size + size > kLargestStruct)
      continue;
    made.size += size;
    made.fields.push_back(field);
  }
  if (made.fields.empty()) {
    made.fields.push_back({"f0", Type{-1, Scalar::UChar}, 0, 0, 0});
    made.size = 1;
  }
  for (const Field &field : made.fields)
    addMembers(made, field);
  if (has(features, Feature::Classes) && !made.packed && random.chance(50)) {
    made.owns = true;
    made.size += 16;
    made.members.push_back({".own.ref()", Scalar::ULong, true, 0});
  }
  made.parts.insert(made.parts.begin(), {"", static_cast<int>(index), 0, static_cast<unsigned>(made.members.size())});
  structs.push_back(std::move(made));
}

std::string TypeTable::maker(const Struct &made, const std::string &name) const {
  std::string text = "UNUSED static struct " + made.name + " " + name + "(u64 x) {\n  struct " + made.name + " made;\n";
  unsigned factor = 1;
  for (const ScalarMember &member : made.members) {
    factor += 2;
    std::string mixed = "(x * " + std::to_string(factor) + " >> " + std::to_string(factor % 7) + ")";
    if (member.scalar == Scalar::TablePointer)
      mixed = "&" + prefix + "table[" + mixed + " & 7]";
    else if (isFloating(member.scalar))
      mixed = "(" + cilksmith::spell(member.scalar) + ")(" + mixed + " & 0xffff) * 0.25f";
    else
      mixed = "(" + cilksmith::spell(member.scalar) + ")" + mixed;
    text += "  made" + member.path + " = " + mixed + ";\n";
  }
  return text + "  return made;\n}\n";
}

std::string TypeTable::definitions() const {
  std::string text;
  for (const Struct &s : structs) {
    text += "struct " + s.name + " {\n";
    for (const Field &field : s.fields) {
      text += "  ";
      if (field.align)
        text += "_Alignas(" + std::to_string(field.align) + ") ";
      // The member that is read comes first. In C++, an initialiser that names no member sets the first member only; C
      // sets the rest to 0.
      if (field.shared)
        text += "union { ";
      text += spell(field.type) + " " + (field.shared ? "m" : field.name);
      if (field.elements)
        text += "[" + std::to_string(field.elements) + "]";
      if (field.bits)
        text += " : " + std::to_string(field.bits);
      if (field.shared)
        text += "; " +
                (field.other ? spell(*field.other) + " other"
                             : "unsigned char other[" + std::to_string(field.shared) + "]") +
                "; } " + field.name;
      text += ";\n";
    }
    if (s.owns)
      text += "  SmithOwn own;\n";
    text += std::string("}") + (s.packed ? " __attribute__((packed))" : "") + ";\n";
  }
  for (size_t i = 0; i < structs.size(); ++i)
    text += maker(structs[i], makerName(static_cast<int>(i)));
  return text;
}

} // namespace cilksmith
