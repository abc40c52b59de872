// Spawns and plain calls.
#ifndef CILK2GPU_TOOLS_CILKSMITH_CALLS_H
#define CILK2GPU_TOOLS_CILKSMITH_CALLS_H

#include "Body.h"

namespace cilksmith {

/// Writes spawns and calls, with their arguments and the destinations of their results.
class Calls : public Writer {
public:
  using Writer::Writer;

  bool spawnStatement();
  bool callStatement();
  /// Returns a function that the body can afford to call, or null.
  const Signature *callee(bool inExpression, bool spawned);
  /// Returns the text of a call, or nothing if an argument cannot be found. `after` becomes the access of the objects
  /// while the callee runs.
  std::optional<std::string> call(const Signature &callee, bool spawned, bool mayDeclare, State &after,
                                  std::vector<Piece> *copied = nullptr);

private:
  /// Destination of a spawned or called function's result. `text` stands before the call.
  struct Destination {
    std::string text;
    std::vector<Piece> pieces;
    std::optional<Object> declared;
  };

  std::optional<std::string> pointerArgument(const Parameter &parameter, bool mayDeclare, State &after);
  std::optional<Destination> destination(const Signature &callee, bool spawned, State &after);
  std::optional<Destination> scalarDestination(Scalar result, bool spawned, State &after);
  std::optional<Destination> computedDestination(Scalar result, State &after);
  bool converts(Scalar from, Scalar to) const;
  std::string fuel();
  bool affords(const Signature &callee) const;
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_CALLS_H
