// Statements that read and change free objects, and atomic operations on the counters of the program.
#include "Function.h"

namespace cilksmith {

void Assignments::assignment() {
  if (program.has(Feature::Structs) && random.chance(20)) {
    std::vector<int> found;
    for (int index = 0; index < objects.size(); ++index)
      if (objects[index].type.isStruct())
        found.push_back(index);
    if (!found.empty()) {
      int structure = objects[random.pick(found)].type.structure;
      if (std::optional<Piece> piece = objects.structure(body.state, Need::Write, structure)) {
        // A struct may not be assigned from a part of itself.
        line(piece->text + " = " + program.types.literal(piece->type, writers.expressions.initializer(piece->type)) +
             ";");
        return;
      }
    }
  }
  if (std::optional<Piece> piece = objects.member(body.state, Need::Write, [](Scalar) { return true; })) {
    bool compound = isInteger(piece->type.scalar) && !piece->bits && piece->type.scalar >= Scalar::UInt &&
                    (piece->type.scalar == Scalar::UInt || piece->type.scalar == Scalar::ULong ||
                     piece->type.scalar == Scalar::ULLong || piece->type.scalar == Scalar::UInt128);
    static const char *const operators[] = {" += ", " -= ", " ^= ", " *= ", " |= "};
    std::string assign = compound && random.chance(40) ? operators[random.below(5)] : " = ";
    line(piece->text + assign + writers.expressions.value(piece->type.scalar, 2, piece->bits) + ";");
    return;
  }
  fold();
}

/// Changes arguments that were passed by value, so that a copy that is made too late shows.
void Assignments::mutate(const std::vector<Piece> &pieces) {
  for (const Piece &piece : pieces) {
    const Object &object = objects[piece.object];
    unsigned members = static_cast<unsigned>(object.members.size());
    unsigned cell = piece.first + random.below(piece.count);
    if (!objects.allows(body.state, piece.object, cell, 1, Need::Write))
      continue;
    const ScalarMember &member = object.members[cell % members];
    line(objects.element(piece.object, cell / members) + member.path + " = " +
         writers.expressions.value(member.scalar, 1, member.bits) + ";");
  }
}

void Assignments::fold() {
  auto scalars = [](const Object &object) { return !object.type.isStruct() && object.elementOf < 0; };
  if (random.chance(25))
    if (std::optional<int> array = objects.array(body.state, Need::Read, 2, scalars)) {
      const Object &object = objects[*array];
      open("for (unsigned k = 0; k < " + std::to_string(object.count) + "; ++k) {");
      line("h = h * 33 + " + writers.expressions.read(object.name + "[k]", object.type.scalar) + ";");
      close();
      return;
    }
  std::string sum = "h * 31";
  for (unsigned i = random.between(1, 4); i > 0; --i)
    if (std::optional<Piece> piece = objects.member(body.state, Need::Read, [](Scalar) { return true; }))
      sum = "(" + sum + " + " + writers.expressions.read(piece->text, piece->type.scalar) + ")" + (i > 1 ? " * 7" : "");
  line("h = " + sum + ";");
}

void Assignments::atomic() {
  static const char *const operations[Program::kCounters] = {"add", "xor", "or"};
  unsigned counter = random.below(Program::kCounters);
  std::string amount =
      counter == 2 ? "1ul << (" + writers.expressions.expression(1) + " & 63)" : writers.expressions.expression(1);
  line("__atomic_fetch_" + std::string(operations[counter]) + "(&" + program.prefix + "counter[" +
       std::to_string(counter) + "], " + amount + ", __ATOMIC_RELAXED);");
}

/// Puts the results of a function without a result where they can be seen.
void Assignments::keep() {
  if (std::optional<Piece> piece = objects.member(body.state, Need::Write, isInteger); piece && piece->text != "h")
    line(piece->text + " = " + writers.expressions.converted(piece->type.scalar, "h", piece->bits) + ";");
  if (program.has(Feature::Atomics))
    line("__atomic_fetch_add(&" + program.prefix + "counter[0], h, __ATOMIC_RELAXED);");
}

} // namespace cilksmith
