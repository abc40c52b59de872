// C types of generated programs: scalars and structs. A struct is flattened into its scalar members. For each scalar
// member, the generator tracks the tasks that may touch it.
#ifndef CILK2GPU_TOOLS_CILKSMITH_TYPES_H
#define CILK2GPU_TOOLS_CILKSMITH_TYPES_H

#include "Features.h"
#include "Random.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace cilksmith {

enum class Language { C, Cpp };

enum class Scalar {
  Bool,
  Char,
  SChar,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  LLong,
  ULLong,
  Int128,
  UInt128,
  Float,
  Double,
  TablePointer, ///< const u32 * into a constant table, with room for one more element behind it
};

bool isFloating(Scalar scalar);
bool isInteger(Scalar scalar);
unsigned sizeOf(Scalar scalar);

/// A scalar type, or the struct with this index.
struct Type {
  int structure = -1;
  Scalar scalar = Scalar::Int;

  bool isStruct() const { return structure >= 0; }
  bool operator==(const Type &) const = default;
};

/// A scalar inside an object. `path` follows the object's name: "", ".f2", ".f1[3]", ".f0.f2".
struct ScalarMember {
  std::string path;
  Scalar scalar;
  bool addressable;  ///< neither a bit-field nor a member of a packed struct
  unsigned bits = 0; ///< of a bit-field

  /// Is it in memory that the struct owns? No initializer reaches it there.
  bool isOwned() const { return path.ends_with(')'); }
};

/// A struct inside an object (the object itself with an empty path): members [first, first + count).
struct Part {
  std::string path;
  int structure;
  unsigned first, count;
};

struct Field {
  std::string name;
  Type type;
  unsigned elements = 0;          ///< 0 if it is no array
  unsigned bits = 0;              ///< 0 if it is no bit-field
  unsigned align = 0;             ///< 0 for the natural alignment
  unsigned shared = 0;            ///< bytes of another member of a union with this field; 0 if there is no union
  std::optional<Type> other = {}; ///< type of that other member; none for an array of bytes
};

struct Struct {
  std::string name;
  std::vector<Field> fields;
  bool packed = false;
  bool owns = false; ///< has a member with constructors and a destructor
  unsigned size = 0; ///< about the size in bytes
  std::vector<ScalarMember> members;
  std::vector<Part> parts;

  /// Does the struct, or a part of it, own memory?
  bool owning() const {
    return std::ranges::any_of(members, [](const ScalarMember &member) { return member.isOwned(); });
  }
};

/// All types of one program.
class TypeTable {
public:
  TypeTable(Random &random, const FeatureSet &features, Language language, std::string prefix, unsigned numStructs);

  std::string spell(const Type &type) const;
  const Struct &structure(int index) const { return structs[index]; }
  std::vector<ScalarMember> members(const Type &type) const;
  std::vector<Part> parts(const Type &type) const;

  Scalar randomScalar();
  Scalar randomInteger();
  Type randomType();
  /// Returns definitions of the structs and, for each, of a function that makes one from a number.
  std::string definitions() const;
  /// Returns `{...}` as an object of this type.
  std::string literal(const Type &type, const std::string &braces) const;
  std::string makerName(int structure) const { return "make_" + structs[structure].name; }

private:
  void makeStruct(unsigned index);
  Field makeField(unsigned number, bool packed);
  void overlay(Field &field);
  std::string maker(const Struct &made, const std::string &name) const;
  void addMembers(Struct &owner, const Field &field);

  Random &random;
  const FeatureSet &features;
  Language language;
  std::string prefix;
  std::vector<Struct> structs;
};

std::string spell(Scalar scalar);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_TYPES_H
