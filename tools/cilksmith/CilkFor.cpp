// cilk_for. An iteration owns one element of an array, as an object, and the variables that it declares. Iterations and
// their children only read variables declared around the loop. Each iteration syncs at its end, and the loop waits for
// all iterations. Tasks spawned before the loop may still run after it.
#include "Function.h"

#include <algorithm>
#include <utility>

namespace cilksmith {

/// Returns the loop's header for at most `count` iterations. `counter` becomes the loop variable that the body sees.
/// `element` becomes the text that names an iteration's element of `array`.
std::string ParallelLoops::iterationSpace(unsigned count, const Object &array, Object &counter, std::string &element) {
  if (has(Feature::Iterators, 40)) {
    counter.name.clear();
    return writers.cpp.rangeSpace(count, array, element);
  }
  unsigned start = random.below(20), step = random.between(1, 4);
  std::string i = fresh("i"), first = std::to_string(start), by = std::to_string(step);
  if (random.chance(25)) {
    std::string pointer = program.types.spell(array.type) + " *" + i, end = array.name + " + " + std::to_string(count);
    element = "(*" + i + ")";
    counter.name.clear();
    return pointer + " = " + array.name + "; " + i + (random.chance(50) ? " < " : " != ") + end + "; ++" + i;
  }
  constexpr Scalar types[] = {Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong, Scalar::Short, Scalar::UChar};
  counter.name = i;
  counter.type.scalar = types[random.below(6)];
  // At most 20 + 4 * 8: this value and the value that ends the loop fit every type.
  std::string type = spell(counter.type.scalar), last = std::to_string(start + step * count);
  std::string index = "(" + i + " - " + first + ") / " + by;
  switch (random.below(4)) {
  case 0:
    element = array.name + "[" + index + "]";
    return type + " " + i + " = " + first + "; " + i + " < " + last + "; " + i + " += " + by;
  case 1:
    element = array.name + "[" + index + " - 1]";
    return type + " " + i + " = " + last + "; " + i + " > " + first + "; " + i + " -= " + by;
  case 2:
    element = array.name + "[" + index + "]";
    return type + " " + i + " = " + first + "; " + i + " != " + last + "; " + i + " += " + by;
  default: {
    std::string bound = fresh("n");
    line("const unsigned " + bound + " = (unsigned)(" + writers.expressions.expression(1) + " % " +
         std::to_string(count + 1) + ");");
    element = array.name + "[" + i + "]";
    counter.type.scalar = Scalar::UInt;
    return "unsigned " + i + " = 0; " + i + " < " + bound + "; ++" + i;
  }
  }
}

void ParallelLoops::iteration(int array, const std::string &element, Object counter) {
  int from = objects.size();
  if (!counter.name.empty()) {
    counter.members = program.types.members(counter.type);
    counter.readOnly = true;
    counter.addressable = false;
    objects.add(std::move(counter), body.state);
  }
  Object own = objects[array];
  own.name = element;
  own.count = 1;
  own.subscripted = own.reserved = own.heap = false;
  own.elementOf = array;
  objects.add(std::move(own), body.state);
  Object hash; // hides the function's `h`
  hash.name = "h";
  hash.type.scalar = Scalar::ULong;
  hash.members = program.types.members(hash.type);
  hash.addressable = false;
  line("UNUSED u64 h = " + writers.expressions.constant() + ";");
  objects.add(std::move(hash), body.state);
  ++body.depth;
  writers.statements.statements(random.between(1, 5));
  if (std::optional<Piece> piece = objects.member(body.state, Need::Write, isInteger); piece && piece->object >= from)
    line(piece->text + " = " + writers.expressions.converted(piece->type.scalar, "h", piece->bits) + ";");
  --body.depth;
  if (random.chance(50))
    body.leaveScope(from);
  else
    objects.truncate(from, body.state);
}

void ParallelLoops::cilkFor() {
  unsigned count = random.between(1, std::max(1u, std::min(8u, 40 / body.times)));
  int array = *writers.variables.elementObject(count);
  Object counter;
  std::string element, header = iterationSpace(count, objects[array], counter, element);
  State before = body.state;
  for (auto &cells : body.state)
    for (Access &access : cells)
      access = std::max(access, Access::Shared);
  std::fill(body.state[array].begin(), body.state[array].end(), Access::Given);
  InnerPart part(body, std::move(before));
  unsigned outerTimes = body.times;
  body.times *= count;
  objects[array].reserved = true;
  if (random.chance(20))
    line("_Pragma(\"cilk grainsize = " + std::to_string(random.between(1, 5)) + "\")");
  open(body.throws() ? "FOR_EACH(" + header + ")" : "cilk_for (" + header + ") {");
  writers.cpp.log();
  iteration(array, element, counter);
  close(body.throws() ? "FOR_END" : "}");
  objects[array].reserved = false;
  body.times = outerTimes;
}

} // namespace cilksmith
