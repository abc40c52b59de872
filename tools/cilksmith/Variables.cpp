// Declarations. A declared object is free: no child may touch it yet.
#include "Function.h"

namespace cilksmith {

namespace {
constexpr unsigned kMaxElements = 8;
} // namespace

int Variables::newLocal(const Type &type) {
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
    line("UNUSED " + spelled + "volatile " + object.name + " = " + writers.expressions.initializer(type) + ";");
  else
    line(before + spelled + " " + object.name + " = " + writers.expressions.initializer(type) + ";");
  return objects.add(std::move(object), body.state);
}

int Variables::newArray(unsigned count, const Type &type) {
  Object object;
  object.name = fresh("a");
  object.type = type;
  object.count = count;
  object.subscripted = true;
  object.members = program.types.members(type);
  object.parts = program.types.parts(type);
  if (has(Feature::DynamicLocals, 20)) {
    dynamicArray(object);
    return objects.add(std::move(object), body.state);
  }
  std::string list;
  for (unsigned i = 0; i < count; ++i)
    if (object.members.size() > 1 || type.isStruct() || type.scalar == Scalar::TablePointer || random.chance(40))
      list += (list.empty() ? "[" : ", [") + std::to_string(i) + "] = " + writers.expressions.initializer(type);
  line("UNUSED " + program.types.spell(type) + " " + object.name + "[" + std::to_string(count) + "] = {" +
       (list.empty() ? "[0] = " + writers.expressions.initializer(type) : list) + "};");
  return objects.add(std::move(object), body.state);
}

/// Declares an array of at least as many elements; their exact number is known only at run time.
void Variables::dynamicArray(const Object &array) {
  std::string type = program.types.spell(array.type), size = fresh("z");
  line("unsigned " + size + " = " + std::to_string(array.count) + "u + (unsigned)(" +
       writers.expressions.expression(1) + " & 3);");
  // alloca aligns its result for scalars.
  std::string pointer = type + " *";
  if (has(Feature::HeapArrays, 50))
    line("SmithArray<" + type + "> " + array.name + "(" + size + ");");
  else if (!array.type.isStruct() && random.chance(40))
    line(pointer + array.name + " = (" + pointer + ")__builtin_alloca(" + size + " * sizeof(" + type + "));");
  else
    line("UNUSED " + type + " " + array.name + "[" + size + "];");
  for (unsigned i = 0; i < array.count; ++i) {
    std::string made = writers.expressions.initializer(array.type);
    if (array.type.isStruct())
      made = program.types.literal(array.type, made);
    line(array.name + "[" + std::to_string(i) + "] = " + made + ";");
  }
}

/// Declares an array without initializer; results will fill all its elements.
Object Variables::filledArray(const Type &element, unsigned count) {
  Object array;
  array.name = fresh("a");
  array.type = element;
  array.count = count;
  array.subscripted = true;
  line("UNUSED " + program.types.spell(array.type) + " " + array.name + "[" + std::to_string(count) + "];");
  return array;
}

/// Declares an integer that children will change, in any order.
Object Variables::updatedScalar() {
  constexpr Scalar kScalars[] = {Scalar::UChar, Scalar::Short, Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong};
  Object sum;
  sum.name = fresh("s");
  sum.type.scalar = random.chance(50) ? Scalar::ULong : kScalars[random.below(std::size(kScalars))];
  std::string spelled = program.types.spell(sum.type);
  line("UNUSED " + spelled + " " + sum.name + " = (" + spelled + ")(" + writers.expressions.expression(1) + ");");
  return sum;
}

/// Returns an array with `count` elements into which the loop's iterations may spawn.
std::optional<int> Variables::elementObject(unsigned count) {
  auto fits = [](const Object &object) { return object.elementOf < 0 && !object.isVolatile; };
  if (random.chance(50))
    if (std::optional<int> array = objects.array(body.state, Need::Give, count, fits))
      return array;
  return newArray(count + random.below(2), program.types.randomType());
}

/// Declares a pointer to an element of an array, or to a part of an element, that is chosen at run time.
bool Variables::elementPointer() {
  auto fits = [](const Object &array) {
    return array.elementOf < 0 && array.addressable && !array.readOnly && !array.isVolatile && !array.reserved &&
           !array.opaque;
  };
  std::optional<int> chosen = objects.array(body.state, Need::Read, 2, fits);
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
  line("UNUSED " + program.types.spell(target.type) + " *" + name + " = &" + array.name + "[" +
       writers.expressions.expression(1) + " % " + std::to_string(array.count) + "u]" + path + ";");
  objects.add(std::move(target), body.state);
  return true;
}

void Variables::declaration() {
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

void Variables::heapBlock() {
  Object object;
  object.name = fresh("m");
  object.type.scalar = program.types.randomInteger();
  object.count = random.between(1, kMaxElements);
  object.subscripted = true;
  object.heap = true;
  object.members = program.types.members(object.type);
  std::string type = program.types.spell(object.type), count = std::to_string(object.count);
  line(type + " *" + object.name + " = (" + type + " *)malloc(" + count + " * sizeof(" + type + "));");
  body.quiet = true; // a call would run once for each element
  open("for (unsigned k = 0; k < " + count + "; ++k) {");
  line(object.name + "[k] = (" + type + ")(" + writers.expressions.expression(1) + " + k);");
  close();
  body.quiet = false;
  body.heap.push_back(object.name);
  objects.add(std::move(object), body.state);
}

} // namespace cilksmith
