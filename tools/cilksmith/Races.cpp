// The forms of races: the kind of memory, the kinds of accesses, and the tasks between the root and the accesses.
#include "Races.h"
#include "Function.h"

#include <utility>

namespace cilksmith {

namespace {
/// Returns the access `*at`, with the program's mark at the end of its line.
std::string access(Program &program, char mark, bool writes) {
  static const char *const kWrites[] = {"*at = n + 7;", "*at += 3;", "++*at;", "at[0] ^= 5;",
                                        "__builtin_memset(at, 1, sizeof *at);"};
  std::string text = writes ? kWrites[program.random.below(5)] : program.prefix + "seen_" + mark + " = *at;";
  return text + " // race " + std::to_string(program.number()) + " " + mark + "\n";
}

/// Returns a function with an access below `depth` further calls, spawns, blocks or iterations.
std::string carrier(Program &program, char mark, bool writes) {
  std::string name = program.prefix + "race_" + mark, next = name + "(depth - 1, n, at)";
  std::string text = "static void " + name + "(unsigned depth, u64 n, u64 *at) {\n  if (depth == 0) {\n    " +
                     access(program, mark, writes) + "    return;\n  }\n";
  switch (program.random.below(6)) {
  case 0:
    return text + "  " + next + ";\n}\n";
  case 1:
    return text + "  cilk_spawn " + next + ";\n}\n";
  case 2:
    return text + "  cilk_spawn {\n    " + next + ";\n  }\n  cilk_sync;\n}\n";
  case 3:
    return text + "  cilk_for (unsigned i = 0; i < 4; ++i)\n    if (i == n % 4)\n      " + next + ";\n}\n";
  case 4:
    return text + "  u64 own[2] = {n, n};\n  cilk_spawn " + next + ";\n  own[1] += own[0];\n  cilk_sync;\n  " +
           program.prefix + "kept_" + mark + " = own[1];\n}\n";
  default:
    return text + "  if (depth & 1)\n    cilk_spawn " + next + ";\n  else\n    " + next + ";\n}\n";
  }
}
} // namespace

std::string raceFunctions(Program &program) {
  unsigned kind = program.random.below(4); // at least one access writes
  std::string text;
  for (const char *name : {"seen_a", "seen_b", "kept_a", "kept_b", "raced[4]"})
    text += "u64 " + program.prefix + name + ";\n";
  return text + carrier(program, 'a', kind != 0) + carrier(program, 'b', kind != 1);
}

/// Returns a call of a function that makes an access, at a random depth below it.
std::string Races::callOf(const std::string &name, const std::string &place) {
  return name + "(" + std::to_string(random.below(4)) + "u, fuel, " + place + ")";
}

/// Starts the first access, in a child.
void Races::begin(const std::string &name, const std::string &place) {
  std::string call = callOf(name, place);
  switch (random.below(4)) {
  case 0:
    return line("cilk_spawn " + call + ";");
  case 1:
    return line("cilk_spawn { " + call + "; }");
  case 2:
    open("if (fuel != 1)");
    line("cilk_spawn " + call + ";");
    break;
  default:
    open("for (unsigned i = 0; i < 3; ++i)");
    line("if (i == fuel % 3) cilk_spawn " + call + ";");
  }
  --body.indent;
}

/// Writes statements that neither sync nor leave the root.
void Races::between() {
  for (unsigned i = random.below(4); i > 0; --i) {
    unsigned kind = random.below(body.throws() ? 2 : 6);
    if (kind == 0 && writers.calls.spawnStatement())
      continue;
    if (kind <= 1 && program.has(Feature::SpawnedBlocks))
      writers.blocks.spawnedBlock();
    else if (kind == 2 && program.has(Feature::CilkFor))
      writers.parallelLoops.cilkFor();
    else if (kind == 3 && writers.calls.callStatement())
      continue;
    else if (kind == 4)
      writers.variables.declaration();
    else if (kind == 5)
      writers.assignments.fold();
  }
}

/// Makes the second access while the child of the first one may run.
void Races::end(const std::string &name, const std::string &place) {
  std::string call = callOf(name, place);
  switch (random.below(5)) {
  case 0:
    return line("cilk_spawn " + call + ";");
  case 1:
    return line("cilk_spawn { " + call + "; }");
  case 2:
    return line("cilk_for (unsigned i = 0; i < 3; ++i) { if (i == 1) " + call + "; }");
  case 3:
    return line("if (fuel != 1) { " + call + "; }");
  default:
    return line(call + ";");
  }
}

/// Makes both accesses in iterations of one loop.
void Races::inOneLoop(const std::string &first, const std::string &second) {
  open("cilk_for (unsigned i = 0; i < 9; ++i) {");
  unsigned one = random.below(9), other = (one + random.between(1, 8)) % 9;
  line("if (i == " + std::to_string(one) + ")\n      " + first + ";");
  line("if (i == " + std::to_string(other) + ")\n      " + second + ";");
  close();
}

void Races::race() {
  std::string prefix = program.prefix, place = prefix + "raced";
  unsigned memory = random.below(3), at = random.below(3);
  line(memory == 0   ? "u64 *place = " + place + ";"
       : memory == 1 ? "u64 local[4] = {1, 2, 3, 4}, *place = local;"
                     : "u64 *place = (u64 *)calloc(4, sizeof(u64));");
  std::string first = "place + " + std::to_string(at),
              second = "place + " + std::to_string(*program.races ? at : at + 1);
  line("*(" + first + ") = fuel;"); // before both accesses
  between();
  bool swapped = random.chance(50);
  std::string names[] = {prefix + (swapped ? "race_b" : "race_a"), prefix + (swapped ? "race_a" : "race_b")};
  if (random.chance(25)) {
    inOneLoop(names[0] + "(" + std::to_string(random.below(3)) + "u, fuel, " + first + ")",
              names[1] + "(" + std::to_string(random.below(3)) + "u, fuel, " + second + ")");
  } else {
    begin(names[0], first);
    between();
    end(names[1], second);
  }
  between();
  body.sync();
  line("h = h * 31 + *(" + first + ") + *(" + second + ");"); // behind both accesses
  if (memory == 2)
    line("free(place);");
}

} // namespace cilksmith
