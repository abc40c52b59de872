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
  unsigned cilkFunctions; ///< most Cilk functions
  unsigned helpers;       ///< most helpers
  unsigned statements;    ///< most statements of a function
  unsigned calls;         ///< most calls of tasks in one run of a body
  unsigned fuel;          ///< about the number of tasks of the whole program
};

enum class Kind {
  Cilk,   ///< spawns and syncs
  Bridge, ///< an ordinary function that calls Cilk functions
  Helper, ///< an ordinary function that calls earlier helpers only
};

struct Parameter {
  enum class Role { Fuel, Value, Pointer, Reducer } role;
  std::string name;
  Type type;
  unsigned count = 1; ///< elements that a pointer points at
  bool readOnly = false;
  bool restricted = false;
  unsigned reducer = 0;     ///< kind of a reducer
  bool isReference = false; ///< a pointer parameter that C++ writes as a reference
};

struct Signature {
  std::string name;
  Kind kind;
  std::optional<Type> result; ///< none for void
  std::vector<Parameter> parameters;
  bool isStatic = true;
  bool noInline = false;
  enum class Member { No, Static, Const, Virtual } member = Member::No; ///< kind of member of the program's host class
  bool isTemplate = false;

  bool hasFuel() const { return kind != Kind::Helper; }
  bool writes() const {
    for (const Parameter &parameter : parameters)
      if (parameter.role == Parameter::Role::Pointer && !parameter.readOnly)
        return true;
    return false;
  }
};

/// A reducer of the whole program.
struct GlobalReducer {
  std::string name; ///< of the variable or member
  unsigned kind;
  unsigned count; ///< elements
};

/// What is asked of programs.
struct Options {
  Size size;
  FeatureSet features = FeatureSet().set();
  Language language = Language::C;
  std::optional<bool> races; ///< two accesses that race (true), or would race at another place (false)
};

class Program {
public:
  Program(uint64_t seed, const Options &options);

  /// Returns the types, globals and functions as text.
  std::string text();
  /// Does main spawn the program's root?
  bool spawnedFromMain() const { return fromMain; }
  std::string rootName() const { return prefix + "run"; }
  /// Returns the text of a callee: the function's name, with an object or template arguments.
  std::string callName(const Signature &signature) const;
  /// Returns the parameter list of `name`, with names or with a0, a1, ...
  std::string parameterList(const Signature &signature, bool numbered) const;
  std::string resultType(const Signature &signature) const {
    return signature.result ? types.spell(*signature.result) : "void";
  }
  /// Returns the name of a variable that points at the function.
  std::string pointerName(const Signature &signature) const { return signature.name + "_pointer"; }
  /// Returns the name of an ordinary function that calls this function.
  std::string forwarderName(const Signature &signature) const { return signature.name + "_via"; }
  /// Does the function have such a variable? Pointers to members have other types.
  static bool hasPointer(const Signature &signature) {
    return signature.member == Signature::Member::No || signature.member == Signature::Member::Static;
  }
  /// Returns a C expression of the program's counters at the end.
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
  std::optional<bool> races;
  TypeTable types;
  std::vector<Signature> functions; ///< helpers first
  unsigned numHelpers = 0;
  std::string adderCall; ///< a statement of main (Adders.h); empty: none
  std::vector<GlobalReducer> reducers;

  static constexpr unsigned kTableSize = 16; ///< elements of the constant table
  static constexpr unsigned kConfigSize = 8; ///< elements of the global that the root writes before its first spawn
  static constexpr unsigned kCounters = 3; ///< each counter has one kind of operation, because operations must commute

private:
  Signature makeSignature(Kind kind, unsigned number);
  Parameter makeParameter(unsigned number);
  void makeCpp(Signature &signature);
  enum class Form { Declaration, Definition, Pointer, Member };
  std::string declaration(const Signature &signature, Form form) const;
  std::string hostClass() const;
  std::string forwarder(const Signature &signature);
  std::string globals();
  std::string globalReducers();
  std::string reducerValues() const;

  bool fromMain = false;
};

/// Returns the whole source file: programs with the seeds first, first + 1, ...
std::string translationUnit(uint64_t first, unsigned programs, const Options &options);
/// Definitions for programs in C++: classes that must not be copied by bytes, iterators, exceptions.
extern const char kCppPrelude[];
/// Definitions for programs whose tasks throw: records of destructors.
extern const char kThrowingPrelude[];

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_PROGRAM_H
