// One function while its body is written: the text so far, the objects that it can name, and the limits that are left.
// Several writers share it, each for one concern (see Function.h).
#ifndef CILK2GPU_TOOLS_CILKSMITH_BODY_H
#define CILK2GPU_TOOLS_CILKSMITH_BODY_H

#include "Objects.h"
#include "Program.h"

namespace cilksmith {

/// Target of `break` and `continue`.
struct Target {
  int outside = 0; ///< objects below this index outlive the jump
  /// accesses that the loop's head allows for, and so the bound of children that may run at a `continue`
  State head = {};
  std::vector<State> breaks = {};
  bool isSwitch = false;
  unsigned tries = 0; ///< try blocks around the target
  std::string breakText = {}, continueText = {};
  bool breakUsed = false;
};

struct Body {
  Body(Program &program, const Signature &signature, bool isRoot);

  void line(const std::string &what);
  void open(const std::string &what);
  void close(const std::string &what);
  /// Can exceptions leave the tasks of the program? Its keywords are then macros of test/Pipeline/deferred.h.
  bool throws() const { return program.has(Feature::ThrowingTasks); }
  /// Writes a spawn; `spawned` contains the keyword.
  void spawn(const std::string &spawned);
  /// Is there an object, declared at or above this index, that children may touch?
  bool running(int from) const;
  /// Writes a sync. The sync frees all objects, except for objects around the body of a cilk_for.
  void sync();
  /// Ends the scope of the objects from this index on.
  void leaveScope(int from);

  Program &program;
  const Signature &signature;
  bool isRoot;
  Objects objects;
  State state;
  bool reachable = true;
  std::vector<Target> targets;
  std::vector<std::string> heap; ///< names of blocks to free
  std::string text;
  unsigned indent = 1;
  unsigned names = 0;       ///< numbers given to names so far
  unsigned budget;          ///< statements left
  unsigned depth = 0;       ///< nesting of statements
  unsigned times = 1;       ///< most times that the current statement runs
  unsigned calls = 0;       ///< calls of tasks so far, multiplied by the times that they run
  unsigned helperCalls = 0; ///< plain calls of helpers, counted in the same way
  bool spawns = false;      ///< has a spawn been written?
  unsigned divisor;         ///< D of Frame.h
  bool heavyUsed = false;   ///< has the large share of the fuel been given away?
  unsigned tries = 0;       ///< try blocks around the statement
  bool spawnsInTry = false; ///< has a spawn been written in the innermost try block?
  bool quiet = false;       ///< expressions without calls
  bool isIteration = false; ///< in the body of a cilk_for
  State shared;             ///< access of the objects around that body: a sync in it does not free them
};

/// The body of a cilk_for, a spawned block or a cilk_scope, while it is written. No jump leads out of it. Its syncs do
/// not free the objects around it.
class InnerPart {
public:
  /// `behind` becomes the access of the objects behind the part.
  InnerPart(Body &body, State behind);
  ~InnerPart();
  InnerPart(const InnerPart &) = delete;

private:
  Body &body;
  State behind, outerShared;
  std::vector<Target> outerTargets;
  bool outerIteration;
};

struct Writers;

/// Base of the writers. A writer adds statements of one kind to the body, or returns text for them. It calls the others
/// through `writers`.
class Writer {
public:
  Writer(Body &body, Writers &writers)
      : body(body), writers(writers), program(body.program), signature(body.signature), random(body.program.random),
        objects(body.objects) {}

protected:
  void line(const std::string &what) { body.line(what); }
  void open(const std::string &what) { body.open(what); }
  void close(const std::string &what = "}") { body.close(what); }
  std::string fresh(const char *stem) { return stem + std::to_string(++body.names); }
  bool has(Feature feature, unsigned percent = 100) { return program.has(feature, percent); }
  bool isCilk() const { return signature.kind == Kind::Cilk; }

  Body &body;
  Writers &writers;
  Program &program;
  const Signature &signature;
  Random &random;
  Objects &objects;
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_BODY_H
