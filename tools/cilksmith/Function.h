// Writes the body of one function, statement by statement. It keeps track of the objects that children may touch (see
// Objects.h), so that the body has no race and no undefined behaviour.
//
// The work of a function is bounded:
// - A function with fuel takes its base case unless fuel > D * K, where K bounds the calls of tasks in one run of its
//   body.
// - Its callees get (fuel - 1) / (D * K) each; one of them gets (fuel - 1) / D * (D - 1).
// - So a call makes at most `fuel` tasks in all.
//
// Values of type float and double stay in [0, 2^17), so that every conversion is defined.
#ifndef CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H
#define CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H

#include "Objects.h"
#include "Program.h"

namespace cilksmith {

class FunctionWriter {
public:
  FunctionWriter(Program &program, const Signature &signature, bool isRoot);

  /// Returns the body with its braces.
  std::string body();

private:
  /// Target of `break` and `continue`.
  struct Target {
    int outside; ///< objects below this index outlive the jump
    State head; ///< accesses that the loop's head allows for, and so the bound of children that may run at a `continue`
    std::vector<State> breaks;
    bool isSwitch = false;
    std::string breakText, continueText;
    bool breakUsed = false;
  };
  /// Destination of a spawned or called function's result. `text` stands before the call.
  struct Destination {
    std::string text;
    std::vector<Piece> pieces;
    std::optional<Object> declared;
  };

  // Statements.cpp
  void prologue();
  void baseCase();
  void keep();
  void epilogue();
  void statements(unsigned count);
  void statement();
  void ifStatement();
  void switchStatement();
  bool elementPointer();
  void declaration();
  void assignment();
  void fold();
  void atomic();
  void heapBlock();
  void mutate(const std::vector<Piece> &pieces);
  void block(unsigned count);
  void returnStatement();
  void jump(Target &target, bool isContinue);
  void syncStatement();
  void conditionalSync();
  int newArray(unsigned count, const Type &type);
  void dynamicArray(const Object &array);
  int newLocal(const Type &type);
  std::string initializer(const Type &type);
  std::string returnValue();

  // Cpp.cpp
  void tryStatement();
  void handler(const std::string &caught, const State &before);
  std::string spawnedLambda(const Signature &callee, const std::string &called, State &after);
  std::string rangeSpace(unsigned count, const Object &array, std::string &element);

  // CilkFor.cpp
  void cilkFor();
  std::string iterationSpace(unsigned count, const Object &array, Object &counter, std::string &element);
  void iteration(int array, const std::string &element, Object counter);

  // Loops.cpp
  void loop();
  void fillLoop();
  Object filledArray(const Type &element, unsigned count);
  Object updatedScalar();
  std::optional<int> elementObject(unsigned count);
  void loopBody(const std::string &step, const std::string &index, std::optional<int> array);
  void presume();

  // Copies.cpp
  bool copy();
  bool isCopied(const Object &object) const;
  int variableOf(int object) const;
  std::optional<Piece> copyTarget(const Piece &source, unsigned count);
  std::string copyAside(const std::string &from, const std::string &bytes);
  void reinterpret(const Piece &source, unsigned count);

  // Calls.cpp
  bool spawnStatement();
  bool callStatement();
  std::optional<std::string> call(const Signature &callee, bool spawned, bool mayDeclare, State &after,
                                  std::vector<Piece> *copied = nullptr);
  std::optional<std::string> pointerArgument(const Parameter &parameter, bool mayDeclare, State &after);
  std::optional<Destination> destination(const Signature &callee, bool spawned, State &after);
  std::optional<Destination> scalarDestination(Scalar result, bool spawned, State &after);
  std::optional<Destination> computedDestination(Scalar result, State &after);
  bool converts(Scalar from, Scalar to) const;
  const Signature *callee(bool inExpression, bool spawned);
  std::string fuel();
  bool affords(const Signature &callee) const;

  // Expressions.cpp: text of type u64 unless a function says otherwise
  std::string expression(int depth);
  std::string term();
  std::string callTerm();
  std::string condition();
  std::string constant();
  std::string read(const std::string &lvalue, Scalar scalar) const;
  std::string value(Scalar scalar, int depth, unsigned bits = 0);
  /// Converts an expression of type u64 to the scalar's type.
  std::string converted(Scalar scalar, std::string from, unsigned bits = 0);
  std::string structValue(int structure);

  // Emission
  void line(const std::string &text);
  void open(const std::string &text);
  void close(const std::string &text = "}");
  std::string fresh(const char *stem) { return stem + std::to_string(++names); }
  bool has(Feature feature, unsigned percent = 100) { return program.has(feature, percent); }
  bool isCilk() const { return signature.kind == Kind::Cilk; }
  /// Is there an object, declared at or above this index, that children may touch?
  bool running(int from) const;
  /// Ends the scope of the objects from this index on.
  void leaveScope(int from);

  Program &program;
  const Signature &signature;
  bool isRoot;
  Random &random;
  Objects objects;
  State state;
  bool reachable = true;
  std::vector<Target> targets;
  std::vector<std::string> heap;
  std::string text;
  unsigned indent = 1;
  unsigned names = 0;
  unsigned budget;          ///< statements left
  unsigned depth = 0;       ///< nesting of statements
  unsigned times = 1;       ///< most times that the current statement runs
  unsigned calls = 0;       ///< calls of tasks so far, multiplied by the times that they run
  unsigned helperCalls = 0; ///< plain calls of helpers, counted in the same way
  bool spawns = false;      ///< has a spawn been written?
  unsigned divisor;         ///< D
  bool heavyUsed = false;   ///< has the large share of the fuel been given away?
  bool quiet = false;       ///< expressions without calls
  bool isIteration = false; ///< in the body of a cilk_for
  State shared;             ///< access of the objects around that body: a sync in it does not free them
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H
