// Expressions. All arithmetic is unsigned, with 64 or 32 bits; divisors and shift counts are masked. Expressions have
// no side effects except commuting atomics of called functions, so the order of evaluation does not matter.
#include "Function.h"

namespace cilksmith {

namespace {
std::string hex(uint64_t value) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[value & 15]);
  while (value >>= 4);
  return "0x" + text + "ul";
}
} // namespace

std::string Expressions::constant() {
  switch (random.below(4)) {
  case 0:
    return hex(random.next());
  case 1:
    return hex(random.next() >> (32 + random.below(24)));
  default:
    return std::to_string(random.below(12)) + "ul";
  }
}

std::string Expressions::read(const std::string &lvalue, Scalar scalar) const {
  switch (scalar) {
  case Scalar::Int128:
  case Scalar::UInt128:
    return "(u64)((unsigned __int128)" + lvalue + " >> 29)";
  case Scalar::Float:
  case Scalar::Double:
    return "(u64)(" + lvalue + " * 16.0)";
  case Scalar::TablePointer:
    return "(u64)*" + lvalue;
  default:
    return "(u64)" + lvalue;
  }
}

std::string Expressions::term() {
  unsigned kind = random.below(20);
  if (kind < 3)
    return constant();
  if (kind == 3)
    return "(u64)" + program.prefix + "table[" + expression(0) + " & 15]";
  if (kind == 4 && program.has(Feature::Globals) && !body.isRoot)
    return program.prefix + "config[" + expression(0) + " & 7]";
  if (kind == 5 && signature.hasFuel())
    return "(u64)fuel";
  if (kind == 6) {
    auto scalars = [](const Object &object) { return !object.type.isStruct() && isInteger(object.type.scalar); };
    if (std::optional<int> array = objects.array(body.state, Need::Read, 2, scalars)) {
      const Object &object = objects[*array];
      std::string index = body.quiet ? constant() : expression(0);
      return read(object.name + "[" + index + " % " + std::to_string(object.count) + "]", object.type.scalar);
    }
  }
  if (std::optional<Piece> piece = objects.member(body.state, Need::Read, [](Scalar) { return true; }))
    return read(piece->text, piece->type.scalar);
  return constant();
}

std::string Expressions::expression(int depth) {
  if (depth <= 0 || random.chance(20))
    return term();
  std::string a = expression(depth - 1);
  static const char *const operators[] = {" + ", " - ", " * ", " ^ ", " | ", " & "};
  static const char *const comparisons[] = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  static const char *const narrow[] = {"signed char", "short", "int", "unsigned char", "unsigned short", "u32"};
  switch (random.below(16)) {
  case 0:
    return "(" + a + (random.chance(50) ? " << (" : " >> (") + expression(depth - 1) + " & 31))";
  case 1:
    return "(" + a + (random.chance(50) ? " / ((" : " % ((") + expression(depth - 1) + " & 15) + 1))";
  case 2:
    return "(u64)(" + a + comparisons[random.below(6)] + expression(depth - 1) + ")";
  case 3:
    return "(u64)((u32)" + a + operators[random.below(6)] + "(u32)" + expression(depth - 1) + ")";
  case 4: {
    std::string b = expression(depth - 1);
    return "((" + a + " & 1) ? " + b + " : " + expression(depth - 1) + ")";
  }
  case 5:
    return "(u64)((" + a + " & 3) != 0" + (random.chance(50) ? " && (" : " || (") + expression(depth - 1) +
           " & 2) != 0)";
  case 6:
    return "(u64)(" + std::string(narrow[random.below(6)]) + ")" + a;
  case 7:
    if (has(Feature::Floats))
      return "(u64)(((double)(" + a + " & 0xfff) + 0.5) * 3.0)";
    return a;
  case 8:
  case 9:
    return callTerm();
  default:
    return "(" + a + operators[random.below(6)] + expression(depth - 1) + ")";
  }
}

/// Writes a plain call as a term: of a helper, or of a Cilk function.
std::string Expressions::callTerm() {
  if (body.quiet)
    return term();
  const Signature *chosen = writers.calls.callee(/*inExpression=*/true, /*spawned=*/false);
  if (!chosen)
    return term();
  State after = body.state;
  body.quiet = true;
  std::optional<std::string> called = writers.calls.call(*chosen, /*spawned=*/false, /*mayDeclare=*/false, after);
  body.quiet = false;
  if (!called)
    return term();
  if (!chosen->result->isStruct())
    return read(*called, chosen->result->scalar);
  std::vector<ScalarMember> members = program.types.members(*chosen->result);
  const ScalarMember &member = random.pick(members);
  return read(*called + member.path, member.scalar);
}

std::string Expressions::condition() {
  static const char *const comparisons[] = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  switch (random.below(3)) {
  case 0:
    return "(" + expression(1) + " & " + std::to_string(1u << random.below(3)) + "ul) != 0";
  case 1:
    return expression(1) + " % " + std::to_string(random.between(2, 4)) + comparisons[random.below(6)] + "1ul";
  default:
    return expression(1) + " % 16" + comparisons[random.below(6)] + std::to_string(random.between(2, 12)) + "ul";
  }
}

std::string Expressions::value(Scalar scalar, int depth, unsigned bits) {
  return converted(scalar, expression(depth), bits);
}

std::string Expressions::converted(Scalar scalar, std::string e, unsigned bits) {
  if (bits) // a constant that does not fit would cause a warning
    e = "(" + e + " & " + std::to_string((1u << (bits - 1)) - 1) + ")";
  switch (scalar) {
  case Scalar::Bool:
    return "(_Bool)(" + e + " & 1)";
  case Scalar::Int128:
  case Scalar::UInt128:
    return "(" + spell(scalar) + ")((unsigned __int128)" + e + " * 0x9e3779b97f4a7c15ul)";
  case Scalar::Float:
  case Scalar::Double: {
    std::string text = "(" + spell(scalar) + ")(" + e + " & 0xffff) * 0.25" + (scalar == Scalar::Float ? "f" : "");
    if (std::optional<Piece> other = objects.member(body.state, Need::Read, isFloating))
      text += std::string(" + 0.5") + (scalar == Scalar::Float ? "f * (float)" : " * ") + other->text;
    return "(" + text + ")";
  }
  case Scalar::TablePointer:
    return "&" + program.prefix + "table[" + e + " & 7]";
  default:
    return "(" + spell(scalar) + ")" + e;
  }
}

std::string Expressions::structValue(int structure, Need need) {
  if (random.chance(65))
    if (std::optional<Piece> piece = objects.structure(body.state, need, structure))
      return piece->text;
  if (random.chance(75))
    return program.types.makerName(structure) + "(" + expression(0) + ")";
  Type type{structure, Scalar::Int};
  return program.types.literal(type, initializer(type));
}

std::string Expressions::initializer(const Type &type) {
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

} // namespace cilksmith
