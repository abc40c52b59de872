// The choice of a statement, and the statements if, switch, break, continue, return and sync under a condition.
#include "Function.h"

namespace cilksmith {

namespace {
constexpr unsigned kMaxDepth = 4;
} // namespace

std::string Statements::returnValue() {
  writers.assignments.fold();
  if (body.isRoot)
    return "h";
  if (!signature.result)
    return "";
  if (!signature.result->isStruct())
    return writers.expressions.converted(signature.result->scalar,
                                         random.chance(70) ? "(h ^ " + writers.expressions.expression(0) + ")" : "h");
  int structure = signature.result->structure;
  // A return moves an object out of its variable, before the implicit sync.
  const Need need = program.types.structure(structure).owning() ? Need::Write : Need::Read;
  return random.chance(50) ? writers.expressions.structValue(structure, need)
                           : program.types.makerName(structure) + "(h)";
}

void Statements::returnStatement() {
  std::string result = returnValue();
  bool freed = !body.heap.empty();
  if (signature.result && freed) {
    line(program.types.spell(*signature.result) + " result = " + result + ";");
    result = "result";
  }
  // Children of a function's own locals may be left to the implicit sync. Children of a block's locals end with the
  // block.
  if (freed ? body.running(0) : body.depth > 0 && body.running(0))
    body.sync();
  for (const std::string &name : body.heap)
    line("free(" + name + ");");
  if (body.throws() && isCilk()) {
    if (body.tries)
      body.sync(); // in the try block in every form of the program
    line(signature.result ? "RETURN(" + result + ")" : "RETURN_NOTHING");
  } else {
    line(signature.result ? "return " + result + ";" : "return;");
  }
  body.reachable = false;
}

void Statements::statements(unsigned count) {
  for (unsigned i = 0; i < count && body.budget > 0 && body.reachable; ++i)
    statement();
}

void Statements::block(unsigned count) {
  int from = objects.size();
  ++body.depth;
  statements(count);
  --body.depth;
  body.leaveScope(from);
}

void Statements::statement() {
  --body.budget;
  unsigned kind = random.below(100);
  if (isCilk()) {
    if (kind < (body.isRoot ? 45 : 30) && writers.calls.spawnStatement())
      return;
    if (kind >= 30 && kind < 35)
      return body.sync();
    if (kind == 36 && has(Feature::ConditionalSyncs))
      return conditionalSync();
    if (kind >= 37 && kind < 42 && program.has(Feature::SpawnLoops) && body.depth < 2)
      return writers.loops.fillLoop();
    if (kind >= 42 && kind < 47 && program.has(Feature::CilkFor) && body.depth < 3 && body.times < 20)
      return writers.parallelLoops.cilkFor();
    if (kind >= 86 && kind < 93 && program.has(Feature::SpawnedBlocks) && body.depth < 3)
      return writers.blocks.spawnedBlock();
    if (kind == 93 && program.has(Feature::Scopes) && body.depth < 3)
      return writers.blocks.scope();
  }
  if (kind < 48 && writers.calls.callStatement())
    return;
  if (kind < 56 && body.depth < kMaxDepth)
    return ifStatement();
  if (body.throws() && random.chance(body.isRoot ? 2 : 7))
    return writers.cpp.throwing();
  if (program.has(Feature::Exceptions) && body.depth < kMaxDepth && random.chance(8))
    return writers.cpp.tryStatement();
  if (kind < 60 && body.depth < kMaxDepth && program.has(Feature::Switches))
    return switchStatement();
  if (kind < 70 && body.depth < kMaxDepth && program.has(Feature::Loops) && body.times < 40)
    return writers.loops.loop();
  if (program.has(Feature::Reducers, 20))
    return writers.reducers.statement();
  if (program.has(Feature::Copies, 15) && writers.copies.copy())
    return;
  if (kind < 78)
    return writers.variables.declaration();
  if (kind < 81 && program.has(Feature::Atomics))
    return writers.assignments.atomic();
  if (kind < 83 && body.depth == 0 && program.has(Feature::Heap))
    return writers.variables.heapBlock();
  if (kind < 88)
    return writers.assignments.fold();
  writers.assignments.assignment();
}

void Statements::ifStatement() {
  open("if (" + writers.expressions.condition() + ") {");
  State before = body.state;
  bool jumped = false;
  block(random.between(1, 3));
  if (body.reachable && random.chance(25)) {
    Target *inner = body.targets.empty() ? nullptr : &body.targets.back();
    if (inner && has(Feature::BreakContinue))
      jump(*inner, !inner->isSwitch && random.chance(50));
    else if (!body.isIteration && has(Feature::EarlyReturns, 60))
      returnStatement();
    jumped = !body.reachable;
  }
  State afterThen = body.state;
  bool thenReachable = body.reachable;
  body.state = before;
  body.reachable = true;
  if (!jumped && random.chance(40)) {
    close("} else {");
    ++body.indent;
    block(random.between(1, 3));
  }
  close();
  if (thenReachable && body.reachable)
    merge(body.state, afterThen);
  else if (thenReachable)
    body.state = afterThen;
  body.reachable |= thenReachable;
}

void Statements::switchStatement() {
  unsigned cases = random.between(2, 4);
  open("switch ((h ^ " + writers.expressions.expression(1) + ") % " + std::to_string(cases + random.below(2)) + ") {");
  State before = body.state;
  body.targets.push_back({.outside = objects.size(), .isSwitch = true, .tries = body.tries, .breakText = "break;"});
  State fallen;
  bool falls = false;
  bool hasDefault = random.chance(60);
  for (unsigned i = 0; i < cases; ++i) {
    bool last = i + 1 == cases;
    --body.indent;
    open(last && hasDefault ? "default: {" : "case " + std::to_string(i) + ": {");
    body.state = before;
    if (falls)
      merge(body.state, fallen);
    body.reachable = true;
    block(random.between(1, 3));
    falls = body.reachable && !last && random.chance(30);
    if (body.reachable && !falls)
      jump(body.targets.back(), false);
    close();
    ++body.indent;
    if (falls) {
      line("__attribute__((fallthrough));");
      fallen = body.state;
    }
  }
  close();
  Target target = std::move(body.targets.back());
  body.targets.pop_back();
  body.reachable = !hasDefault || !target.breaks.empty();
  if (hasDefault && body.reachable)
    body.state = target.breaks.front();
  else
    body.state = before;
  for (const State &other : target.breaks)
    merge(body.state, other);
}

void Statements::jump(Target &target, bool isContinue) {
  bool mustSync = body.running(target.outside);
  if (isContinue)
    for (int index = 0; index < target.outside; ++index)
      for (size_t cell = 0; cell < body.state[index].size(); ++cell)
        mustSync |= body.state[index][cell] > target.head[index][cell];
  if (mustSync || (body.throws() && isCilk() && body.tries > target.tries))
    body.sync();
  if (!isContinue) {
    State outside = body.state;
    outside.resize(target.outside);
    target.breaks.push_back(std::move(outside));
    target.breakUsed = true;
  }
  line(isContinue ? target.continueText : target.breakText);
  body.reachable = false;
}

void Statements::conditionalSync() {
  open("if (" + writers.expressions.condition() + ") {");
  line(body.throws() ? "SYNC" : "cilk_sync;"); // the other path may not have synced: nothing becomes free
  close();
}

} // namespace cilksmith
