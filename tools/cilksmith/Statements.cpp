// Statements other than loops and calls, and the parts of a function: prologue, base case, epilogue.
#include "Function.h"

#include <algorithm>

namespace cilksmith {

namespace {
constexpr unsigned kMaxDepth = 4;
constexpr unsigned kMaxElements = 8;
} // namespace

FunctionWriter::FunctionWriter(Program &program, const Signature &signature, bool isRoot)
    : program(program), signature(signature), isRoot(isRoot), random(program.random), objects(program.random) {
  budget = random.between(3, program.size.statements);
  if (signature.kind != Kind::Cilk)
    budget = std::min(budget, 8u);
  if (isRoot)
    budget = std::max(budget, 6u);
  divisor = random.chance(75) ? 2 : random.chance(50) ? 4 : 8;
}

void FunctionWriter::line(const std::string &what) { text += std::string(indent * 2, ' ') + what + "\n"; }

void FunctionWriter::open(const std::string &what) {
  line(what);
  ++indent;
}

void FunctionWriter::close(const std::string &what) {
  --indent;
  line(what);
}

bool FunctionWriter::running(int from) const {
  for (int index = from; index < objects.size(); ++index) {
    if (objects[index].elementOf >= 0)
      continue; // its array counts it
    for (Access access : state[index])
      if (access != Access::Free)
        return true;
  }
  return false;
}

void FunctionWriter::syncStatement() {
  line("cilk_sync;");
  for (auto &cells : state)
    std::fill(cells.begin(), cells.end(), Access::Free);
  std::copy(shared.begin(), shared.end(), state.begin());
}

void FunctionWriter::conditionalSync() {
  open("if (" + condition() + ") {");
  line("cilk_sync;"); // the other path may not have synced: nothing becomes free
  close();
}

void FunctionWriter::leaveScope(int from) {
  if (reachable && running(from))
    syncStatement();
  objects.truncate(from, state);
}

// ---- frame of the function ------------------------------------------------------------------------------------------

std::string FunctionWriter::body() {
  indent = 1;
  prologue();
  statements(budget);
  for (int tries = 0; tries < 5 && isCilk() && reachable && !spawns; ++tries)
    spawnStatement();
  if (reachable)
    epilogue();
  std::string bound = std::to_string(divisor * std::max(calls, 1u));
  for (size_t at; (at = text.find("@BOUND@")) != std::string::npos;)
    text.replace(at, 7, bound);
  return "{\n" + text + "}\n";
}

void FunctionWriter::prologue() {
  std::string unused;
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.role == Parameter::Role::Fuel)
      continue;
    Object object;
    object.name = parameter.name;
    object.type = parameter.type;
    object.members = program.types.members(parameter.type);
    object.parts = program.types.parts(parameter.type);
    object.count = parameter.count;
    object.subscripted = parameter.role == Parameter::Role::Pointer && !parameter.isReference;
    object.readOnly = parameter.readOnly;
    unused += (unused.empty() ? "(void)" : ", (void)") + object.name;
    objects.add(std::move(object), state);
  }
  if (!unused.empty())
    line(unused + ";");
  if (isRoot) {
    line("const unsigned fuel = " + std::to_string(random.between(program.size.fuel / 3, program.size.fuel)) + ";");
    for (unsigned i = 0; i < Program::kConfigSize && program.has(Feature::Globals); ++i)
      line(program.prefix + "config[" + std::to_string(i) + "] = " + constant() + ";");
    if (program.has(Feature::Globals))
      for (int i = 0; i < 2; ++i) {
        Object global;
        global.name = program.prefix + "global" + std::to_string(i);
        global.type.scalar = i ? Scalar::ULong : Scalar::Short;
        global.count = i ? 4 : 1;
        global.subscripted = i;
        global.members = program.types.members(global.type);
        objects.add(std::move(global), state);
      }
  }
  Object hash;
  hash.name = "h";
  hash.type.scalar = Scalar::ULong;
  hash.members = program.types.members(hash.type);
  hash.addressable = false; // always a free object, so that there is always an object to fold into
  std::string seed = constant();
  if (signature.isTemplate)
    seed += " + tag";
  if (signature.member == Signature::Member::Const || signature.member == Signature::Member::Virtual)
    seed += " + base";
  line("UNUSED u64 h = " + seed + ";");
  objects.add(std::move(hash), state);
  if (!signature.hasFuel())
    return;
  if (!isRoot)
    baseCase();
  line("UNUSED const unsigned light = (fuel - 1) / @BOUND@u;");
}

void FunctionWriter::baseCase() {
  open("if (fuel <= @BOUND@u) {");
  quiet = true;
  for (unsigned i = random.below(3); i > 0; --i)
    assignment();
  if (program.has(Feature::Atomics, 30))
    atomic();
  quiet = false;
  returnStatement();
  reachable = true;
  close();
}

std::string FunctionWriter::returnValue() {
  fold();
  if (isRoot)
    return "h";
  if (!signature.result)
    return "";
  if (!signature.result->isStruct())
    return converted(signature.result->scalar, random.chance(70) ? "(h ^ " + expression(0) + ")" : "h");
  int structure = signature.result->structure;
  return random.chance(50) ? structValue(structure) : program.types.makerName(structure) + "(h)";
}

void FunctionWriter::returnStatement() {
  std::string result = returnValue();
  bool freed = !heap.empty();
  if (signature.result && freed) {
    line(program.types.spell(*signature.result) + " result = " + result + ";");
    result = "result";
  }
  // Children of a function's own locals may be left to the implicit sync. Children of a block's locals end with the
  // block.
  if (freed ? running(0) : depth > 0 && running(0))
    syncStatement();
  for (const std::string &name : heap)
    line("free(" + name + ");");
  if (signature.result)
    line("return " + result + ";");
  else {
    line("return;");
  }
  reachable = false;
}

/// Puts the results of a function without a result where they can be seen.
void FunctionWriter::keep() {
  if (std::optional<Piece> piece = objects.member(state, Need::Write, isInteger); piece && piece->text != "h")
    line(piece->text + " = " + converted(piece->type.scalar, "h", piece->bits) + ";");
  if (program.has(Feature::Atomics))
    line("__atomic_fetch_add(&" + program.prefix + "counter[0], h, __ATOMIC_RELAXED);");
}

void FunctionWriter::epilogue() {
  if (isCilk() && random.chance(60))
    syncStatement();
  unsigned folds = random.between(1, 4);
  for (unsigned i = 0; i < folds; ++i)
    fold();
  if (!signature.result)
    keep();
  returnStatement();
}

// ---- statements -----------------------------------------------------------------------------------------------------

void FunctionWriter::statements(unsigned count) {
  for (unsigned i = 0; i < count && budget > 0 && reachable; ++i)
    statement();
}

void FunctionWriter::block(unsigned count) {
  int from = objects.size();
  ++depth;
  statements(count);
  --depth;
  leaveScope(from);
}

void FunctionWriter::statement() {
  --budget;
  unsigned kind = random.below(100);
  if (isCilk()) {
    if (kind < (isRoot ? 45 : 30) && spawnStatement())
      return;
    if (kind >= 30 && kind < 35)
      return syncStatement();
    if (kind == 36 && has(Feature::ConditionalSyncs))
      return conditionalSync();
    if (kind >= 37 && kind < 42 && program.has(Feature::SpawnLoops) && depth < 2)
      return fillLoop();
    if (kind >= 42 && kind < 47 && program.has(Feature::CilkFor) && depth < 3 && times < 20)
      return cilkFor();
  }
  if (kind < 48 && callStatement())
    return;
  if (kind < 56 && depth < kMaxDepth)
    return ifStatement();
  if (program.has(Feature::Exceptions) && depth < kMaxDepth && random.chance(8))
    return tryStatement();
  if (kind < 60 && depth < kMaxDepth && program.has(Feature::Switches))
    return switchStatement();
  if (kind < 70 && depth < kMaxDepth && program.has(Feature::Loops) && times < 40)
    return loop();
  if (program.has(Feature::Copies, 15) && copy())
    return;
  if (kind < 78)
    return declaration();
  if (kind < 81 && program.has(Feature::Atomics))
    return atomic();
  if (kind < 83 && depth == 0 && program.has(Feature::Heap))
    return heapBlock();
  if (kind < 88)
    return fold();
  assignment();
}

void FunctionWriter::ifStatement() {
  open("if (" + condition() + ") {");
  State before = state;
  bool jumped = false;
  block(random.between(1, 3));
  if (reachable && random.chance(25)) {
    Target *inner = targets.empty() ? nullptr : &targets.back();
    if (inner && has(Feature::BreakContinue))
      jump(*inner, !inner->isSwitch && random.chance(50));
    else if (!isIteration && has(Feature::EarlyReturns, 60))
      returnStatement();
    jumped = !reachable;
  }
  State afterThen = state;
  bool thenReachable = reachable;
  state = before;
  reachable = true;
  if (!jumped && random.chance(40)) {
    close("} else {");
    ++indent;
    block(random.between(1, 3));
  }
  close();
  if (thenReachable && reachable)
    merge(state, afterThen);
  else if (thenReachable)
    state = afterThen;
  reachable |= thenReachable;
}

void FunctionWriter::switchStatement() {
  unsigned cases = random.between(2, 4);
  open("switch ((h ^ " + expression(1) + ") % " + std::to_string(cases + random.below(2)) + ") {");
  State before = state;
  targets.push_back({objects.size(), {}, {}, true, "break;", "", false});
  State fallen;
  bool falls = false;
  bool hasDefault = random.chance(60);
  for (unsigned i = 0; i < cases; ++i) {
    bool last = i + 1 == cases;
    --indent;
    open(last && hasDefault ? "default: {" : "case " + std::to_string(i) + ": {");
    state = before;
    if (falls)
      merge(state, fallen);
    reachable = true;
    block(random.between(1, 3));
    falls = reachable && !last && random.chance(30);
    if (reachable && !falls)
      jump(targets.back(), false);
    close();
    ++indent;
    if (falls) {
      line("__attribute__((fallthrough));");
      fallen = state;
    }
  }
  close();
  Target target = std::move(targets.back());
  targets.pop_back();
  reachable = !hasDefault || !target.breaks.empty();
  if (hasDefault && reachable)
    state = target.breaks.front();
  else
    state = before;
  for (const State &other : target.breaks)
    merge(state, other);
}

void FunctionWriter::jump(Target &target, bool isContinue) {
  bool mustSync = running(target.outside);
  if (isContinue)
    for (int index = 0; index < target.outside; ++index)
      for (size_t cell = 0; cell < state[index].size(); ++cell)
        mustSync |= state[index][cell] > target.head[index][cell];
  if (mustSync)
    syncStatement();
  if (!isContinue) {
    State outside = state;
    outside.resize(target.outside);
    target.breaks.push_back(std::move(outside));
    target.breakUsed = true;
  }
  line(isContinue ? target.continueText : target.breakText);
  reachable = false;
}

std::string FunctionWriter::initializer(const Type &type) {
  if (!type.isStruct())
    return value(type.scalar, 1);
  const Struct &structure = program.types.structure(type.structure);
  std::string list;
  for (const ScalarMember &member : structure.members) {
    // Table pointers are read whenever their struct is read, so they may not be null.
    if (member.scalar != Scalar::TablePointer && list.size() && !random.chance(25))
      continue;
    if (member.isOwned())
      continue;
    list += (list.empty() ? "" : ", ") + member.path + " = " + value(member.scalar, 0, member.bits);
  }
  return "{" + list + "}";
}

int FunctionWriter::newLocal(const Type &type) {
  Object object;
  object.name = fresh(type.isStruct() ? "s" : "v");
  object.type = type;
  object.members = program.types.members(type);
  object.parts = program.types.parts(type);
  object.isVolatile = !type.isStruct() && has(Feature::Volatile, 4);
  std::string before = object.isVolatile ? "UNUSED volatile " : "UNUSED ";
  if (has(Feature::Aligned, 3))
    before = "_Alignas(64) " + before; // at least the alignment of every field
  // This must be `const u32 *volatile v`, not a pointer to volatile.
  std::string spelled = program.types.spell(type);
  if (object.isVolatile && type.scalar == Scalar::TablePointer)
    line("UNUSED " + spelled + "volatile " + object.name + " = " + initializer(type) + ";");
  else
    line(before + spelled + " " + object.name + " = " + initializer(type) + ";");
  return objects.add(std::move(object), state);
}

int FunctionWriter::newArray(unsigned count, const Type &type) {
  Object object;
  object.name = fresh("a");
  object.type = type;
  object.count = count;
  object.subscripted = true;
  object.members = program.types.members(type);
  object.parts = program.types.parts(type);
  if (has(Feature::DynamicLocals, 20)) {
    dynamicArray(object);
    return objects.add(std::move(object), state);
  }
  std::string list;
  for (unsigned i = 0; i < count; ++i)
    if (object.members.size() > 1 || type.isStruct() || type.scalar == Scalar::TablePointer || random.chance(40))
      list += (list.empty() ? "[" : ", [") + std::to_string(i) + "] = " + initializer(type);
  line("UNUSED " + program.types.spell(type) + " " + object.name + "[" + std::to_string(count) + "] = {" +
       (list.empty() ? "[0] = " + initializer(type) : list) + "};");
  return objects.add(std::move(object), state);
}

/// Declares an array of at least as many elements; their exact number is known only at run time.
void FunctionWriter::dynamicArray(const Object &array) {
  std::string type = program.types.spell(array.type), size = fresh("z");
  line("unsigned " + size + " = " + std::to_string(array.count) + "u + (unsigned)(" + expression(1) + " & 3);");
  // alloca aligns its result for scalars.
  std::string pointer = type + " *";
  if (has(Feature::HeapArrays, 50))
    line("SmithArray<" + type + "> " + array.name + "(" + size + ");");
  else if (!array.type.isStruct() && random.chance(40))
    line(pointer + array.name + " = (" + pointer + ")__builtin_alloca(" + size + " * sizeof(" + type + "));");
  else
    line("UNUSED " + type + " " + array.name + "[" + size + "];");
  for (unsigned i = 0; i < array.count; ++i) {
    std::string made = initializer(array.type);
    if (array.type.isStruct())
      made = program.types.literal(array.type, made);
    line(array.name + "[" + std::to_string(i) + "] = " + made + ";");
  }
}

/// Declares a pointer to an element of an array, or to a part of an element, that is chosen at run time.
bool FunctionWriter::elementPointer() {
  auto fits = [](const Object &array) {
    return array.elementOf < 0 && array.addressable && !array.readOnly && !array.isVolatile && !array.reserved &&
           !array.opaque;
  };
  std::optional<int> chosen = objects.array(state, Need::Read, 2, fits);
  if (!chosen)
    return false;
  const Object &array = objects[*chosen];
  Object target;
  std::string path;
  if (array.type.isStruct() && random.chance(70)) {
    unsigned number = random.below(static_cast<unsigned>(array.members.size()));
    const ScalarMember &member = array.members[number];
    if (!member.addressable || member.isOwned())
      return false;
    path = member.path;
    target.type.scalar = member.scalar;
    target.firstMember = number;
  } else {
    target.type = array.type;
  }
  std::string name = fresh("p");
  target.name = "(*" + name + ")";
  target.members = program.types.members(target.type);
  target.parts = program.types.parts(target.type);
  target.elementOf = *chosen;
  target.isAlias = true;
  target.heap = array.heap;
  line("UNUSED " + program.types.spell(target.type) + " *" + name + " = &" + array.name + "[" + expression(1) + " % " +
       std::to_string(array.count) + "u]" + path + ";");
  objects.add(std::move(target), state);
  return true;
}

void FunctionWriter::declaration() {
  if (program.has(Feature::ElementPointers, 25) && elementPointer())
    return;
  Type type = program.types.randomType();
  if (random.chance(35)) {
    newArray(random.between(1, kMaxElements), type);
    if (program.has(Feature::ElementPointers, 50))
      elementPointer();
  } else {
    newLocal(type);
  }
}

void FunctionWriter::heapBlock() {
  Object object;
  object.name = fresh("m");
  object.type.scalar = program.types.randomInteger();
  object.count = random.between(1, kMaxElements);
  object.subscripted = true;
  object.heap = true;
  object.members = program.types.members(object.type);
  std::string type = program.types.spell(object.type), count = std::to_string(object.count);
  line(type + " *" + object.name + " = (" + type + " *)malloc(" + count + " * sizeof(" + type + "));");
  quiet = true; // a call would run once for each element
  open("for (unsigned k = 0; k < " + count + "; ++k) {");
  line(object.name + "[k] = (" + type + ")(" + expression(1) + " + k);");
  close();
  quiet = false;
  heap.push_back(object.name);
  objects.add(std::move(object), state);
}

void FunctionWriter::assignment() {
  if (program.has(Feature::Structs) && random.chance(20)) {
    std::vector<int> found;
    for (int index = 0; index < objects.size(); ++index)
      if (objects[index].type.isStruct())
        found.push_back(index);
    if (!found.empty()) {
      int structure = objects[random.pick(found)].type.structure;
      if (std::optional<Piece> piece = objects.structure(state, Need::Write, structure)) {
        // A struct may not be assigned from a part of itself.
        line(piece->text + " = " + program.types.literal(piece->type, initializer(piece->type)) + ";");
        return;
      }
    }
  }
  if (std::optional<Piece> piece = objects.member(state, Need::Write, [](Scalar) { return true; })) {
    bool compound = isInteger(piece->type.scalar) && !piece->bits && piece->type.scalar >= Scalar::UInt &&
                    (piece->type.scalar == Scalar::UInt || piece->type.scalar == Scalar::ULong ||
                     piece->type.scalar == Scalar::ULLong || piece->type.scalar == Scalar::UInt128);
    static const char *const operators[] = {" += ", " -= ", " ^= ", " *= ", " |= "};
    std::string assign = compound && random.chance(40) ? operators[random.below(5)] : " = ";
    line(piece->text + assign + value(piece->type.scalar, 2, piece->bits) + ";");
    return;
  }
  fold();
}

/// Changes arguments that were passed by value, so that a copy that is made too late shows.
void FunctionWriter::mutate(const std::vector<Piece> &pieces) {
  for (const Piece &piece : pieces) {
    const Object &object = objects[piece.object];
    unsigned members = static_cast<unsigned>(object.members.size());
    unsigned cell = piece.first + random.below(piece.count);
    if (!objects.allows(state, piece.object, cell, 1, Need::Write))
      continue;
    const ScalarMember &member = object.members[cell % members];
    line(objects.element(piece.object, cell / members) + member.path + " = " + value(member.scalar, 1, member.bits) +
         ";");
  }
}

void FunctionWriter::fold() {
  auto scalars = [](const Object &object) { return !object.type.isStruct() && object.elementOf < 0; };
  if (random.chance(25))
    if (std::optional<int> array = objects.array(state, Need::Read, 2, scalars)) {
      const Object &object = objects[*array];
      open("for (unsigned k = 0; k < " + std::to_string(object.count) + "; ++k) {");
      line("h = h * 33 + " + read(object.name + "[k]", object.type.scalar) + ";");
      close();
      return;
    }
  std::string sum = "h * 31";
  for (unsigned i = random.between(1, 4); i > 0; --i)
    if (std::optional<Piece> piece = objects.member(state, Need::Read, [](Scalar) { return true; }))
      sum = "(" + sum + " + " + read(piece->text, piece->type.scalar) + ")" + (i > 1 ? " * 7" : "");
  line("h = " + sum + ";");
}

void FunctionWriter::atomic() {
  static const char *const operations[Program::kCounters] = {"add", "xor", "or"};
  unsigned counter = random.below(Program::kCounters);
  std::string amount = counter == 2 ? "1ul << (" + expression(1) + " & 63)" : expression(1);
  line("__atomic_fetch_" + std::string(operations[counter]) + "(&" + program.prefix + "counter[" +
       std::to_string(counter) + "], " + amount + ", __ATOMIC_RELAXED);");
}

} // namespace cilksmith
