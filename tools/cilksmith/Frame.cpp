// The order of the parts of a body. K is known when the body ends, so its text has @BOUND@ for D * K until then.
#include "Function.h"

#include <algorithm>

namespace cilksmith {

void Frame::parameters() {
  std::string unused;
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.role == Parameter::Role::Fuel)
      continue;
    if (parameter.role == Parameter::Role::Reducer) {
      writers.reducers.add(parameter.reducer, parameter.isReference ? parameter.name : "(*" + parameter.name + ")", 1,
                           /*foreign=*/true);
      unused += (unused.empty() ? "(void)" : ", (void)") + parameter.name;
      continue;
    }
    Object object;
    object.name = parameter.name;
    object.type = parameter.type;
    object.members = program.types.members(parameter.type);
    object.parts = program.types.parts(parameter.type);
    object.count = parameter.count;
    object.subscripted = parameter.role == Parameter::Role::Pointer && !parameter.isReference;
    object.readOnly = parameter.readOnly;
    unused += (unused.empty() ? "(void)" : ", (void)") + object.name;
    objects.add(std::move(object), body.state);
  }
  if (!unused.empty())
    line(unused + ";");
}

/// Writes the code that only the root of the program has: it sets the fuel and the globals.
void Frame::rootPrologue() {
  line("const unsigned fuel = " + std::to_string(random.between(program.size.fuel / 3, program.size.fuel)) + ";");
  if (!program.has(Feature::Globals))
    return;
  for (unsigned i = 0; i < Program::kConfigSize; ++i)
    line(program.prefix + "config[" + std::to_string(i) + "] = " + writers.expressions.constant() + ";");
  for (int i = 0; i < 2; ++i) {
    Object global;
    global.name = program.prefix + "global" + std::to_string(i);
    global.type.scalar = i ? Scalar::ULong : Scalar::Short;
    global.count = i ? 4 : 1;
    global.subscripted = i;
    global.members = program.types.members(global.type);
    objects.add(std::move(global), body.state);
  }
}

void Frame::prologue() {
  parameters();
  if (body.isRoot)
    rootPrologue();
  Object hash;
  hash.name = "h";
  hash.type.scalar = Scalar::ULong;
  hash.members = program.types.members(hash.type);
  hash.addressable = false; // always a free object, so that there is always an object to fold into
  std::string seed = writers.expressions.constant();
  if (signature.isTemplate)
    seed += " + tag";
  if (signature.member == Signature::Member::Const || signature.member == Signature::Member::Virtual)
    seed += " + base";
  line("UNUSED u64 h = " + seed + ";");
  objects.add(std::move(hash), body.state);
  writers.reducers.nameGlobals();
  if (!signature.hasFuel())
    return;
  if (!body.isRoot)
    baseCase();
  line("UNUSED const unsigned light = (fuel - 1) / @BOUND@u;");
}

void Frame::baseCase() {
  open("if (fuel <= @BOUND@u) {");
  body.quiet = true;
  for (unsigned i = random.below(3); i > 0; --i)
    writers.assignments.assignment();
  if (program.has(Feature::Atomics, 30))
    writers.assignments.atomic();
  if (program.has(Feature::Reducers, 40))
    writers.reducers.update();
  body.quiet = false;
  writers.statements.returnStatement();
  body.reachable = true;
  close();
}

void Frame::epilogue() {
  if (isCilk() && random.chance(60))
    body.sync();
  unsigned folds = random.between(1, 4);
  for (unsigned i = 0; i < folds; ++i)
    writers.assignments.fold();
  if (!signature.result)
    writers.assignments.keep();
  writers.statements.returnStatement();
}

std::string Frame::write() {
  body.indent = 1;
  prologue();
  if (body.isRoot && program.races)
    writers.races.race();
  writers.statements.statements(body.budget);
  for (int tries = 0; tries < 5 && isCilk() && body.reachable && !body.spawns; ++tries)
    writers.calls.spawnStatement();
  if (body.reachable)
    epilogue();
  std::string bound = std::to_string(body.divisor * std::max(body.calls, 1u));
  for (size_t at; (at = body.text.find("@BOUND@")) != std::string::npos;)
    body.text.replace(at, 7, bound);
  if (!body.throws() || !isCilk())
    return "{\n" + body.text + "}\n";
  return "{\n  SmithLog log(" + program.prefix + "log);\n  BEGIN\n" + body.text + "  END\n}\n";
}

std::string functionBody(Program &program, const Signature &signature, bool isRoot) {
  Body body(program, signature, isRoot);
  return Writers(body).frame.write();
}

} // namespace cilksmith
