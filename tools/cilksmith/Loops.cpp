// Loops. Before the body is written, the writer decides which children may run when an iteration ends ("head"). In a
// spawn loop, children of earlier iterations may own the elements of one array, of which the iteration uses its own,
// and may read some objects. An iteration that leaves more children running than the head allows syncs before it ends.
#include "Function.h"

#include <algorithm>

namespace cilksmith {

/// Returns an array with `count` elements into which the loop's iterations may spawn.
std::optional<int> FunctionWriter::elementObject(unsigned count) {
  auto fits = [](const Object &object) { return object.elementOf < 0 && !object.isVolatile; };
  if (random.chance(50))
    if (std::optional<int> array = objects.array(state, Need::Give, count, fits))
      return array;
  return newArray(count + random.below(2), program.types.randomType());
}

/// Marks some objects that children of earlier iterations may still be reading.
void FunctionWriter::presume() {
  for (int index = 0; index < objects.size(); ++index) {
    const Object &object = objects[index];
    if (!object.addressable || object.reserved || object.elementOf >= 0 || !random.chance(30))
      continue;
    for (Access &access : state[index])
      access = std::max(access, Access::Shared);
  }
}

void FunctionWriter::loopBody(const std::string &step, const std::string &index, std::optional<int> array) {
  int from = objects.size();
  if (!step.empty())
    line(step);
  Object counter;
  counter.name = index;
  counter.type.scalar = Scalar::UInt;
  counter.members = program.types.members(counter.type);
  counter.readOnly = true;
  counter.addressable = false;
  objects.add(std::move(counter), state);
  if (array) {
    Object element = objects[*array];
    element.name += "[" + index + "]";
    std::erase_if(element.name, [](char c) { return c == '(' || c == ')'; });
    element.count = 1;
    element.subscripted = false;
    element.reserved = false;
    element.heap = false;
    element.elementOf = *array;
    objects.add(std::move(element), state);
  }
  ++depth;
  statements(random.between(1, 4));
  --depth;
  leaveScope(from);
  if (!reachable)
    return;
  const State &head = targets.back().head;
  for (int object = 0; object < objects.size(); ++object)
    for (size_t cell = 0; cell < state[object].size(); ++cell)
      if (state[object][cell] > head[object][cell])
        return syncStatement();
}

void FunctionWriter::loop() {
  unsigned bound = random.between(1, std::max(1u, std::min(6u, 40 / times)));
  std::optional<int> array;
  if (isCilk() && has(Feature::SpawnLoops, 60))
    array = elementObject(bound);
  std::string number = std::to_string(++names), i = "i" + number, n = std::to_string(bound) + "u";
  if (random.chance(50)) {
    line("const unsigned n" + number + " = (unsigned)(" + expression(1) + " % " + std::to_string(bound + 1) + ");");
    n = "n" + number;
  }
  if (array) {
    objects[*array].reserved = true;
    for (Access &access : state[*array])
      access = Access::Given;
  }
  if (isCilk())
    presume();
  unsigned outerTimes = times;
  times *= bound + 1;
  std::string guard = random.chance(20) ? " && " + condition() : "";
  times = outerTimes * bound;
  targets.push_back({objects.size(), state, {}, false, "break;", "continue;", false});
  switch (random.below(program.has(Feature::GotoLoops) ? 4 : 3)) {
  case 0:
    open("for (unsigned " + i + " = 0; " + i + " < " + n + guard + "; ++" + i + ") {");
    loopBody("", i, array);
    close();
    break;
  case 1:
    line("unsigned " + i + " = 0;");
    open("while (" + i + " < " + n + guard + ") {");
    loopBody("++" + i + ";", "(" + i + " - 1)", array);
    close();
    break;
  case 2:
    line("unsigned " + i + " = 0;");
    open("do {");
    loopBody("++" + i + ";", "(" + i + " - 1)", array);
    close("} while (" + i + " < " + n + guard + ");");
    break;
  default:
    line("unsigned " + i + " = 0;");
    targets.back().breakText = "goto end" + number + ";";
    targets.back().continueText = "goto again" + number + ";";
    text += "again" + number + ":\n";
    open("if (" + i + " < " + n + guard + ") {");
    loopBody("++" + i + ";", "(" + i + " - 1)", array);
    line("goto again" + number + ";");
    close();
    if (targets.back().breakUsed)
      text += "end" + number + ":;\n";
  }
  times = outerTimes;
  state = std::move(targets.back().head);
  for (const State &other : targets.back().breaks)
    merge(state, other);
  targets.pop_back();
  reachable = true;
  if (array)
    objects[*array].reserved = false;
}

/// Declares an array without initializer; results will fill all its elements.
Object FunctionWriter::filledArray(const Type &element, unsigned count) {
  Object array;
  array.name = fresh("a");
  array.type = element;
  array.count = count;
  array.subscripted = true;
  line("UNUSED " + program.types.spell(array.type) + " " + array.name + "[" + std::to_string(count) + "];");
  return array;
}

/// Declares an integer that children will change, in any order.
Object FunctionWriter::updatedScalar() {
  constexpr Scalar kScalars[] = {Scalar::UChar, Scalar::Short, Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong};
  Object sum;
  sum.name = fresh("s");
  sum.type.scalar = random.chance(50) ? Scalar::ULong : kScalars[random.below(std::size(kScalars))];
  std::string spelled = program.types.spell(sum.type);
  line("UNUSED " + spelled + " " + sum.name + " = (" + spelled + ")(" + expression(1) + ");");
  return sum;
}

/// Writes a loop that spawns into all elements of a new array, or into one new integer.
void FunctionWriter::fillLoop() {
  unsigned count = random.between(1, std::max(1u, std::min(8u, 40 / times)));
  unsigned outerTimes = times;
  times *= count;
  const Signature *chosen = callee(/*inExpression=*/true, /*spawned=*/true);
  std::optional<std::string> called;
  State after = state;
  if (chosen)
    called = call(*chosen, /*spawned=*/true, /*mayDeclare=*/false, after);
  times = outerTimes;
  if (!called)
    return fold();
  const Type &result = *chosen->result;
  bool updates =
      !result.isStruct() && isInteger(result.scalar) && sizeOf(result.scalar) <= 8 && has(Feature::Updates, 40);
  Object made = updates ? updatedScalar() : filledArray(result, count);
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
  line(to + "cilk_spawn " + *called + ";");
  close();
  state = std::move(after);
  spawns = true;
  int number = objects.add(std::move(made), state);
  for (Access &access : state[number])
    access = Access::Given;
}

} // namespace cilksmith
