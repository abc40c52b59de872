// Loops. Before the body is written, the writer decides which children may run when an iteration ends ("head"). In a
// spawn loop, children of earlier iterations may own the elements of one array, of which the iteration uses its own,
// and may read some objects. An iteration that leaves more children running than the head allows syncs before it ends.
#include "Function.h"

#include <algorithm>
#include <utility>

namespace cilksmith {

/// Marks some objects that children of earlier iterations may still be reading.
void Loops::presume() {
  for (int index = 0; index < objects.size(); ++index) {
    const Object &object = objects[index];
    bool isReducer = object.reducer >= 0; // an iteration may spawn
    if (!isReducer && (!object.addressable || object.reserved || object.elementOf >= 0 || !random.chance(30)))
      continue;
    for (Access &access : body.state[index])
      access = std::max(access, Access::Shared);
  }
}

void Loops::loopBody(const std::string &step, const std::string &index, std::optional<int> array) {
  int from = objects.size();
  if (!step.empty())
    line(step);
  Object counter;
  counter.name = index;
  counter.type.scalar = Scalar::UInt;
  counter.members = program.types.members(counter.type);
  counter.readOnly = true;
  counter.addressable = false;
  objects.add(std::move(counter), body.state);
  if (array) {
    Object element = objects[*array];
    element.name += "[" + index + "]";
    std::erase_if(element.name, [](char c) { return c == '(' || c == ')'; });
    element.count = 1;
    element.subscripted = false;
    element.reserved = false;
    element.heap = false;
    element.elementOf = *array;
    objects.add(std::move(element), body.state);
  }
  ++body.depth;
  writers.statements.statements(random.between(1, 4));
  --body.depth;
  body.leaveScope(from);
  if (!body.reachable)
    return;
  const State &head = body.targets.back().head;
  for (int object = 0; object < objects.size(); ++object)
    for (size_t cell = 0; cell < body.state[object].size(); ++cell)
      if (body.state[object][cell] > head[object][cell])
        return body.sync();
}

void Loops::forLoop(const Form &form) {
  open("for (unsigned " + form.i + " = 0; " + form.condition + "; ++" + form.i + ") {");
  loopBody("", form.i, form.array);
  close();
}

void Loops::whileLoop(const Form &form) {
  line("unsigned " + form.i + " = 0;");
  open("while (" + form.condition + ") {");
  loopBody("++" + form.i + ";", "(" + form.i + " - 1)", form.array);
  close();
}

void Loops::doLoop(const Form &form) {
  line("unsigned " + form.i + " = 0;");
  open("do {");
  loopBody("++" + form.i + ";", "(" + form.i + " - 1)", form.array);
  close("} while (" + form.condition + ");");
}

void Loops::gotoLoop(const Form &form) {
  line("unsigned " + form.i + " = 0;");
  body.targets.back().breakText = "goto end" + form.number + ";";
  body.targets.back().continueText = "goto again" + form.number + ";";
  body.text += "again" + form.number + ":\n";
  open("if (" + form.condition + ") {");
  loopBody("++" + form.i + ";", "(" + form.i + " - 1)", form.array);
  line("goto again" + form.number + ";");
  close();
  if (body.targets.back().breakUsed)
    body.text += "end" + form.number + ":;\n";
}

/// Chooses the bound and the condition of a loop. In a spawn loop, also chooses the array whose elements the iterations
/// own.
Loops::Form Loops::chooseForm(unsigned bound) {
  Form form;
  if (isCilk() && has(Feature::SpawnLoops, 60))
    form.array = writers.variables.elementObject(bound);
  form.number = std::to_string(++body.names);
  form.i = "i" + form.number;
  std::string n = std::to_string(bound) + "u";
  if (random.chance(50)) {
    line("const unsigned n" + form.number + " = (unsigned)(" + writers.expressions.expression(1) + " % " +
         std::to_string(bound + 1) + ");");
    n = "n" + form.number;
  }
  if (form.array) {
    objects[*form.array].reserved = true;
    for (Access &access : body.state[*form.array])
      access = Access::Given;
  }
  if (isCilk())
    presume();
  unsigned outerTimes = body.times;
  body.times *= bound + 1;
  form.condition = form.i + " < " + n + (random.chance(20) ? " && " + writers.expressions.condition() : "");
  body.times = outerTimes;
  return form;
}

void Loops::loop() {
  unsigned outerTimes = body.times;
  unsigned bound = random.between(1, std::max(1u, std::min(6u, 40 / outerTimes)));
  Form form = chooseForm(bound);
  body.times = outerTimes * bound;
  body.targets.push_back({.outside = objects.size(),
                          .head = body.state,
                          .tries = body.tries,
                          .breakText = "break;",
                          .continueText = "continue;"});
  constexpr void (Loops::*kForms[])(const Form &) = {&Loops::forLoop, &Loops::whileLoop, &Loops::doLoop,
                                                     &Loops::gotoLoop};
  (this->*kForms[random.below(program.has(Feature::GotoLoops) ? 4 : 3)])(form);
  body.times = outerTimes;
  body.state = std::move(body.targets.back().head);
  for (const State &other : body.targets.back().breaks)
    merge(body.state, other);
  body.targets.pop_back();
  body.reachable = true;
  if (form.array)
    objects[*form.array].reserved = false;
}

/// Writes a loop that spawns into all elements of a new array, or into one new integer.
void Loops::fillLoop() {
  unsigned count = random.between(1, std::max(1u, std::min(8u, 40 / body.times)));
  unsigned outerTimes = body.times;
  body.times *= count;
  const Signature *chosen = writers.calls.callee(/*inExpression=*/true, /*spawned=*/true);
  std::optional<std::string> called;
  State after = body.state;
  bool wasQuiet = std::exchange(body.quiet, body.quiet || body.throws());
  if (chosen)
    called = writers.calls.call(*chosen, /*spawned=*/true, /*mayDeclare=*/false, after);
  body.quiet = wasQuiet;
  body.times = outerTimes;
  if (!called)
    return writers.assignments.fold();
  const Type &result = *chosen->result;
  bool updates = !result.isStruct() && isInteger(result.scalar) && sizeOf(result.scalar) <= 8 &&
                 has(Feature::Updates, body.throws() ? 100 : 40);
  if (body.throws() && !updates)
    return writers.assignments.fold(); // an element would have no value if its child throws
  Object made = updates ? writers.variables.updatedScalar() : writers.variables.filledArray(result, count);
  made.members = program.types.members(made.type);
  made.parts = program.types.parts(made.type);
  std::string i = fresh("i"), bound = std::to_string(count) + "u", to = made.name + "[" + i + "] = ";
  if (updates) { // sums of u64 only: they wrap
    constexpr const char *kSums[] = {" += ", " -= "}, *kBitwise[] = {" &= ", " |= ", " ^= "};
    to = made.name +
         (made.type.scalar == Scalar::ULong && random.chance(60) ? kSums[random.below(2)] : kBitwise[random.below(3)]);
  }
  if (random.chance(50))
    open("for (unsigned " + i + " = 0; " + i + " < " + bound + "; ++" + i + ") {");
  else
    open("for (unsigned " + i + " = " + bound + "; " + i + "-- > 0u;) {");
  body.spawn(to + "cilk_spawn " + *called);
  close();
  body.state = std::move(after);
  int number = objects.add(std::move(made), body.state);
  for (Access &access : body.state[number])
    access = Access::Given;
}

} // namespace cilksmith
