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
};

struct Signature {
  std::string name;
  Kind kind;
  std::optional<Type> result; ///< none: void
  std::vector<Parameter> parameters;
  bool isStatic = true;
  bool noInline = false;

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
  Program(uint64_t seed, const Size &size, const FeatureSet &enabled);

  /// Types, globals and functions.
  std::string text();
  /// Is the program's root spawned by main?
  bool spawnedFromMain() const { return fromMain; }
  std::string rootName() const { return prefix + "run"; }
  /// A variable that points at the function.
  std::string pointerName(const Signature &signature) const { return signature.name + "_pointer"; }
  /// A C expression: what the program's counters hold in the end.
  std::string counters() const;
  uint64_t number() const { return seed; }

  bool has(Feature feature) const { return features[static_cast<size_t>(feature)]; }
  bool has(Feature feature, unsigned percent) { return has(feature) && random.chance(percent); }

  uint64_t seed;
  std::string prefix;
  Random random;
  Size size;
  FeatureSet features;
  TypeTable types;
  std::vector<Signature> functions; ///< helpers first
  unsigned numHelpers = 0;

  static constexpr unsigned kTableSize = 16;  ///< elements of the constant table
  static constexpr unsigned kConfigSize = 8;  ///< elements of the global that the root writes before its first spawn
  static constexpr unsigned kCounters = 3;    ///< each with one operation of its own, as operations must commute

private:
  Signature makeSignature(Kind kind, unsigned number);
  Parameter makeParameter(unsigned number);
  std::string declaration(const Signature &signature) const;
  std::string globals();

  bool fromMain = false;
};

/// The whole source file: programs with the seeds first, first + 1, ...
std::string translationUnit(uint64_t first, unsigned programs, const Size &size, const FeatureSet &enabled);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_PROGRAM_H
