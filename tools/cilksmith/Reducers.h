// Reducers: global variables, locals, elements, members and parameters that all tasks may update at any time.
#ifndef CILK2GPU_TOOLS_CILKSMITH_REDUCERS_H
#define CILK2GPU_TOOLS_CILKSMITH_REDUCERS_H

#include "Body.h"

namespace cilksmith {

/// A kind of reducer: a type of the prelude with an associative operation.
struct ReducerKind {
  const char *type;               ///< name in the prelude
  const char *initial;            ///< initial value; empty if the type has a constructor
  std::vector<std::string> forms; ///< statements that update it: R stands for the view, E for a number
  const char *value;              ///< the value as a u64: R stands for the view
  enum class From { C, Cpp, CilkPlus } from = From::C; ///< programs that may have it
  enum class Shows { Number, Order } shows = Shows::Number;
};

const std::vector<ReducerKind> &reducerKinds();
/// Returns the text with another text in the place of a letter.
std::string replaced(std::string text, char mark, const std::string &with);
/// Returns the text of a kind's value where `view` names the reducer.
std::string reducerValue(unsigned kind, const std::string &view);
unsigned reducerNamed(std::string_view type);
/// Returns the definition of a reducer, or of an array of `count` reducers.
std::string reducerDefinition(unsigned kind, const std::string &name, unsigned count);
/// Returns the kinds that a program may have: those up to the result.
ReducerKind::From mostReducers(const Program &program);
/// Returns a kind that the program may have; if `isNumber`, one whose operation is one on integers.
unsigned randomReducerKind(Random &random, ReducerKind::From most, bool isNumber = false);
/// Types of reducers and their operations, in C and in C++.
extern const char kReducerPrelude[];
/// More of them, in C++ only.
extern const char kCppReducerPrelude[];
/// Classes of Cilk Plus.
extern const char kCilkPlusPrelude[];

/// Writes declarations, updates and reads of reducers.
///
/// A reducer is an object with one cell. The cell is `Shared` behind a spawn: the strand there has a view of its own.
/// Updates need no access. A read needs a free cell, and so a sync after the last spawn. Only the function that
/// declares a reducer reads it, because tasks elsewhere may update it.
class Reducers : public Writer {
public:
  using Writer::Writer;

  void statement();
  void update();
  /// Adds the program's global reducers to the objects that the body can name.
  void nameGlobals();
  /// Returns an argument for a parameter of this kind, or nothing. Records in `after` that the callee has the reducer.
  std::optional<std::string> argument(const Parameter &parameter, bool mayDeclare, State &after);
  /// Records a spawn: the strand behind it has views of its own of all reducers.
  void share(State &state) const;
  int add(unsigned kind, const std::string &name, unsigned count, bool foreign);

private:
  int declare(unsigned kind);
  void declareMembers();
  bool read();
  std::string view(const Object &object);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_REDUCERS_H
