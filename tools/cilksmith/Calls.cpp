// Spawns and plain calls: the callee, its arguments, the destination of its result, and the objects that it takes from
// the parent.
#include "Function.h"

#include <utility>

namespace cilksmith {

bool Calls::affords(const Signature &callee) const {
  return !callee.hasFuel() || (signature.hasFuel() && body.calls + body.times <= program.size.calls);
}

const Signature *Calls::callee(bool inExpression, bool spawned) {
  // Fuel does not bound the time of helpers.
  unsigned helperLimit = signature.kind == Kind::Helper ? 2 : 12;
  std::vector<const Signature *> cilk, ordinary;
  for (const Signature &candidate : program.functions) {
    if (signature.kind == Kind::Helper && &candidate >= &signature)
      break;
    if (!affords(candidate) || (inExpression && (!candidate.result || candidate.writes())))
      continue;
    if (candidate.kind == Kind::Cilk)
      cilk.push_back(&candidate);
    else if (candidate.hasFuel() || (spawned ? body.calls : body.helperCalls) + body.times <= helperLimit)
      ordinary.push_back(&candidate);
  }
  unsigned percent = spawned ? 80 : 45;
  if (spawned && !program.has(Feature::PlainSpawns))
    ordinary.clear();
  if (!spawned && !program.has(Feature::PlainCalls))
    cilk.clear();
  bool preferCilk = ordinary.empty() || (!cilk.empty() && random.chance(percent));
  const std::vector<const Signature *> &from = preferCilk ? cilk : ordinary;
  return from.empty() ? nullptr : random.pick(from);
}

/// Returns the share of the fuel that a callee gets.
std::string Calls::fuel() {
  if (!body.heavyUsed && body.times == 1 && random.chance(50)) {
    body.heavyUsed = true;
    std::string share = "(fuel - 1) / " + std::to_string(body.divisor) + "u";
    return body.divisor > 2 ? share + " * " + std::to_string(body.divisor - 1) + "u" : share;
  }
  return random.chance(60) ? "light" : "light - (u32)(" + writers.expressions.expression(1) + " % light)";
}

std::optional<std::string> Calls::pointerArgument(const Parameter &parameter, bool mayDeclare, State &after) {
  Need need = parameter.readOnly ? Need::Share : Need::Give;
  if (parameter.readOnly && parameter.type == Type{-1, Scalar::UInt} && random.chance(40))
    return "&" + program.prefix + "table[" + std::to_string(random.below(Program::kTableSize - parameter.count + 1)) +
           "]";
  std::optional<Piece> piece = objects.region(after, need, parameter.type, parameter.count);
  if (!piece && mayDeclare) {
    size_t before = body.state.size();
    if (parameter.count > 1 || random.chance(30))
      writers.variables.newArray(parameter.count + random.below(3), parameter.type);
    else
      writers.variables.newLocal(parameter.type);
    after.insert(after.end(), body.state.begin() + static_cast<long>(before), body.state.end());
    piece = objects.region(after, need, parameter.type, parameter.count);
  }
  if (!piece)
    return std::nullopt;
  objects.take(after, *piece, parameter.readOnly ? Access::Shared : Access::Given);
  return piece->text;
}

std::optional<std::string> Calls::call(const Signature &callee, bool spawned, bool mayDeclare, State &after,
                                       std::vector<Piece> *copied) {
  std::string arguments;
  if (callee.hasFuel() || spawned)
    body.calls += body.times;
  else
    body.helperCalls += body.times;
  if (spawned)
    writers.reducers.share(after);
  for (const Parameter &parameter : callee.parameters) {
    std::string argument;
    if (parameter.role == Parameter::Role::Fuel) {
      argument = fuel();
    } else if (parameter.role == Parameter::Role::Reducer) {
      std::optional<std::string> reducer = writers.reducers.argument(parameter, mayDeclare, after);
      if (!reducer)
        return std::nullopt;
      argument = *reducer;
    } else if (parameter.role == Parameter::Role::Pointer) {
      std::optional<std::string> pointer = pointerArgument(parameter, mayDeclare, after);
      if (!pointer)
        return std::nullopt;
      argument = *pointer;
      if (parameter.isReference)
        argument = argument[0] == '&' ? argument.substr(1) : "*(" + argument + ")";
    } else if (parameter.type.isStruct()) {
      std::optional<Piece> piece;
      if (random.chance(75))
        piece = objects.structure(body.state, Need::Read, parameter.type.structure);
      if (piece && copied)
        copied->push_back(*piece);
      argument = piece ? piece->text : writers.expressions.structValue(parameter.type.structure);
    } else {
      // The compiler refuses a spawn with an address computed from a temporary as an argument.
      bool wasQuiet = body.quiet;
      body.quiet |= spawned && parameter.type.scalar == Scalar::TablePointer;
      argument = writers.expressions.value(parameter.type.scalar, wasQuiet ? 1 : 2);
      body.quiet = wasQuiet;
    }
    arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  bool indirect = has(Feature::IndirectCalls, 12) && Program::hasPointer(callee);
  bool forwarded = !indirect && callee.kind == Kind::Cilk && has(Feature::Forwarders, 30);
  return (indirect    ? program.pointerName(callee)
          : forwarded ? program.forwarderName(callee)
                      : program.callName(callee)) +
         "(" + arguments + ")";
}

bool Calls::converts(Scalar from, Scalar to) const {
  if (from == to)
    return true;
  if (!program.has(Feature::ConvertingSpawns) || from == Scalar::TablePointer || to == Scalar::TablePointer)
    return false;
  if (isFloating(to))
    return isFloating(from) || from == Scalar::Bool || from == Scalar::UChar || from == Scalar::UShort;
  return !isFloating(from) || sizeOf(to) >= 4 || to == Scalar::Bool;
}

/// Makes a destination that is known only at run time. Children may get any piece that it may be in.
std::optional<Calls::Destination> Calls::computedDestination(Scalar result, State &after) {
  Destination made;
  // C++ evaluates the destination after the call, so values that the child may change must not decide it.
  auto afterwards = [&](auto &&write) {
    std::swap(body.state, after);
    std::string text = write();
    std::swap(body.state, after);
    return text;
  };
  if (random.chance(40)) {
    auto fits = [&](const Object &object) { return !object.type.isStruct() && converts(result, object.type.scalar); };
    std::optional<int> array = objects.array(after, Need::Give, 2, fits);
    if (!array)
      return std::nullopt;
    const Object &object = objects[*array];
    made.text = object.name + "[" + afterwards([&] { return writers.expressions.expression(1); }) + " % " +
                std::to_string(object.count) + "] = ";
    made.pieces.push_back({*array, 0, object.count, object.name, object.type, 0});
    return made;
  }
  std::optional<Piece> first = objects.member(after, Need::Give, [&](Scalar to) { return converts(result, to); });
  if (!first)
    return std::nullopt;
  made.pieces.push_back(*first);
  std::string address = "&" + first->text;
  std::optional<Piece> second = objects.member(after, Need::Give, [&](Scalar to) { return to == first->type.scalar; });
  if (second && random.chance(60)) {
    address = afterwards([&] { return writers.expressions.condition(); }) + " ? " + address + " : &" + second->text;
    made.pieces.push_back(*second);
  }
  if (random.chance(50)) {
    std::string name = fresh("q");
    line(program.types.spell(first->type) + " *" + name + " = " + address + ";");
    made.text = "*" + name + " = ";
  } else {
    made.text = "*(" + address + ") = ";
  }
  return made;
}

std::optional<Calls::Destination> Calls::scalarDestination(Scalar result, bool spawned, State &after) {
  Need need = spawned ? Need::Give : Need::Write;
  if (spawned && has(Feature::SpawnThroughPointers, 15))
    if (std::optional<Destination> made = computedDestination(result, after))
      return made;
  auto fits = [&](Scalar to) { return converts(result, to); };
  bool elements = program.has(Feature::SpawnIntoElements);
  for (int index = objects.size() - 1; elements && index >= 0 && random.chance(60); --index) {
    const Object &object = objects[index];
    if (object.elementOf < 0)
      continue;
    unsigned cell = random.below(static_cast<unsigned>(object.members.size()));
    const ScalarMember &member = object.members[cell];
    if (member.addressable && fits(member.scalar) && objects.allows(after, index, cell, 1, need))
      return Destination{object.name + member.path + " = ", {{index, cell, 1, "", Type{-1, member.scalar}, 0}}, {}};
  }
  std::optional<Piece> piece = objects.member(after, need, fits);
  if (!piece || (!elements && objects[piece->object].members.size() * objects[piece->object].count > 1) || piece->bits)
    return std::nullopt;
  return Destination{piece->text + " = ", {*piece}, {}};
}

std::optional<Calls::Destination> Calls::destination(const Signature &callee, bool spawned, State &after) {
  if (!callee.result || random.chance(8))
    return Destination{callee.result && !spawned ? "(void)" : "", {}, {}};
  const Type &type = *callee.result;
  if (random.chance(70)) {
    std::optional<Destination> existing;
    if (!type.isStruct())
      existing = scalarDestination(type.scalar, spawned, after);
    else if (std::optional<Piece> piece = objects.structure(after, spawned ? Need::Give : Need::Write, type.structure))
      existing = Destination{piece->text + " = ", {*piece}, {}};
    if (existing) {
      for (const Piece &piece : existing->pieces)
        objects.take(after, piece, Access::Given);
      return existing;
    }
  }
  Object object;
  object.name = fresh("r");
  object.type = type;
  if (!type.isStruct() && random.chance(25)) {
    Scalar other = program.types.randomScalar();
    if (converts(type.scalar, other))
      object.type.scalar = other;
  }
  object.members = program.types.members(object.type);
  object.parts = program.types.parts(object.type);
  std::string spelled = program.types.spell(object.type);
  if (spawned && body.throws()) // the variable keeps its value if the child throws
    line("UNUSED " + spelled + " " + object.name + " = " + writers.expressions.initializer(type) + ";");
  else if (random.chance(60))
    return Destination{"UNUSED " + spelled + " " + object.name + " = ", {}, object};
  else
    line("UNUSED " + spelled + " " + object.name + ";");
  return Destination{object.name + " = ", {}, object};
}

bool Calls::spawnStatement() {
  const Signature *chosen = callee(/*inExpression=*/false, /*spawned=*/true);
  if (!chosen)
    return false;
  State after = body.state;
  std::vector<Piece> copied;
  // Where tasks throw, the parent throws nothing while it evaluates the operands.
  bool wasQuiet = std::exchange(body.quiet, body.quiet || body.throws());
  std::optional<std::string> called = call(*chosen, /*spawned=*/true, /*mayDeclare=*/true, after, &copied);
  if (!called) {
    body.quiet = wasQuiet;
    return false;
  }
  std::optional<Destination> where = destination(*chosen, /*spawned=*/true, after);
  std::string spawned = has(Feature::Lambdas, 20) ? writers.cpp.spawnedLambda(*chosen, *called, after) : *called;
  body.quiet = wasQuiet;
  body.spawn(where->text + "cilk_spawn " + spawned);
  body.state = std::move(after);
  if (where->declared) {
    int made = objects.add(std::move(*where->declared), body.state);
    for (Access &access : body.state[made])
      access = Access::Given;
  }
  if (random.chance(60))
    writers.assignments.mutate(copied);
  return true;
}

bool Calls::callStatement() {
  const Signature *chosen = callee(/*inExpression=*/false, /*spawned=*/false);
  if (!chosen)
    return false;
  State after = body.state; // keeps pointers of one call apart; the call ends before the next statement
  std::optional<std::string> called = call(*chosen, /*spawned=*/false, /*mayDeclare=*/true, after);
  if (!called)
    return false;
  std::optional<Destination> where = destination(*chosen, /*spawned=*/false, after);
  line(where->text + *called + ";");
  if (where->declared)
    objects.add(std::move(*where->declared), body.state);
  return true;
}

} // namespace cilksmith
