// One random program: its types, globals and functions. Several programs share a translation unit; all their names
// begin with the program's prefix.
#ifndef CILK2GPU_TOOLS_CILKSMITH_PROGRAM_H
#define CILK2GPU_TOOLS_CILKSMITH_PROGRAM_H

#include "Types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cilksmith {

/// Limits of one program.
struct Size {
  unsigned cilkFunctions; ///< at most
  unsigned helpers;       ///< at most
  unsigned statements;    ///< of a function, at most
  unsigned calls;         ///< calls of tasks in one run of a body, at most
  unsigned fuel;          ///< tasks of the whole program, about
};

enum class Kind {
  Cilk,   ///< spawns and syncs
  Bridge, ///< ordinary, calls Cilk functions
  Helper, ///< ordinary, calls earlier helpers only
};

struct Parameter {
  enum class Role { Fuel, Value, Pointer } role;
  std::string name;
  Type type;
  unsigned count = 1; ///< elements that a pointer points at
  bool readOnly = false;
  bool restricted = false;
  bool isReference = false; ///< a pointer parameter that C++ writes as a reference
};

struct Signature {
  std::string name;
  Kind kind;
  std::optional<Type> result; ///< none: void
  std::vector<Parameter> parameters;
  bool isStatic = true;
  bool noInline = false;
  enum class Member { No, Static, Const, Virtual } member = Member::No; ///< of the program's host class
  bool isTemplate = false;

  bool hasFuel() const { return kind != Kind::Helper; }
  bool writes() const {
    for (const Parameter &parameter : parameters)
      if (parameter.role == Parameter::Role::Pointer && !parameter.readOnly)
        return true;
    return false;
  }
};

class Program {
public:
  Program(uint64_t seed, const Size &size, const FeatureSet &enabled, Language language);

  /// Types, globals and functions.
  std::string text();
  /// Is the program's root spawned by main?
  bool spawnedFromMain() const { return fromMain; }
  std::string rootName() const { return prefix + "run"; }
  /// What is called: the function's name, with an object or template arguments.
  std::string callName(const Signature &signature) const;
  /// `name`'s parameter list, with names or with a0, a1, ...
  std::string parameterList(const Signature &signature, bool numbered) const;
  std::string resultType(const Signature &signature) const {
    return signature.result ? types.spell(*signature.result) : "void";
  }
  /// A variable that points at the function.
  std::string pointerName(const Signature &signature) const { return signature.name + "_pointer"; }
  /// An ordinary function that calls this one.
  std::string forwarderName(const Signature &signature) const { return signature.name + "_via"; }
  /// Has the function such a variable? A pointer to a member is another kind of thing.
  static bool hasPointer(const Signature &signature) {
    return signature.member == Signature::Member::No || signature.member == Signature::Member::Static;
  }
  /// A C expression: what the program's counters hold in the end.
  std::string counters() const;
  uint64_t number() const { return seed; }

  bool has(Feature feature) const { return features[static_cast<size_t>(feature)]; }
  bool has(Feature feature, unsigned percent) { return has(feature) && random.chance(percent); }

  uint64_t seed;
  Language language;
  std::string prefix;
  Random random;
  Size size;
  FeatureSet features;
  TypeTable types;
  std::vector<Signature> functions; ///< helpers first
  unsigned numHelpers = 0;

  static constexpr unsigned kTableSize = 16; ///< elements of the constant table
  static constexpr unsigned kConfigSize = 8; ///< elements of the global that the root writes before its first spawn
  static constexpr unsigned kCounters = 3;   ///< each with one operation of its own, as operations must commute

private:
  Signature makeSignature(Kind kind, unsigned number);
  Parameter makeParameter(unsigned number);
  void makeCpp(Signature &signature);
  enum class Form { Declaration, Definition, Pointer, Member };
  std::string declaration(const Signature &signature, Form form) const;
  std::string hostClass() const;
  std::string forwarder(const Signature &signature);
  std::string globals();

  bool fromMain = false;
};

/// The whole source file: programs with the seeds first, first + 1, ...
std::string translationUnit(uint64_t first, unsigned programs, const Size &size, const FeatureSet &enabled,
                            Language language);
/// What programs in C++ use: classes of which nothing can be copied by bytes, iterators, exceptions.
extern const char kCppPrelude[];

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_PROGRAM_H
