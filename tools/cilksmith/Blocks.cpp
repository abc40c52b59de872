// The choice of the objects that a spawned block uses, and its body.
#include "Function.h"

#include <algorithm>
#include <utility>

namespace cilksmith {

/// Chooses the objects that a block may write or read. Returns their access in the block. `after` becomes their access
/// behind the block.
State Blocks::lend(State &after) {
  State inside = body.state;
  for (int index = 0; index < objects.size(); ++index) {
    const Object &object = objects[index];
    unsigned cells = static_cast<unsigned>(inside[index].size()), choice = random.below(100);
    Access kept = Access::Given, lent = Access::Free;
    if (object.reducer >= 0) // only updated in the block
      kept = lent = Access::Shared;
    else if (object.isAlias) // reached through its array only
      lent = Access::Free;
    else if (choice < 35 && objects.allows(body.state, index, 0, cells, Need::Give))
      kept = Access::Free, lent = Access::Given;
    else if (choice < 75 && objects.allows(body.state, index, 0, cells, Need::Share))
      kept = lent = Access::Shared;
    else if (object.readOnly && !object.opaque && !object.addressable) // a loop's counter never changes
      kept = Access::Free;
    std::fill(inside[index].begin(), inside[index].end(), kept);
    for (Access &access : after[index])
      access = std::max(access, lent);
  }
  // What a block gets of an element, its array counts, too.
  for (int index = 0; index < objects.size(); ++index)
    if (int array = objects[index].elementOf;
        array >= 0 && !objects[index].isAlias && inside[index][0] != Access::Given)
      objects.take(after, {index, 0, static_cast<unsigned>(inside[index].size()), "", objects[index].type},
                   inside[index][0] == Access::Free ? Access::Given : Access::Shared);
  return inside;
}

/// Writes a block. Its own `h` begins with the value of the variable `kept`.
void Blocks::blockBody(const std::string &kept) {
  int from = objects.size();
  Object hash; // hides the function's `h`
  hash.name = "h";
  hash.type.scalar = Scalar::ULong;
  hash.members = program.types.members(hash.type);
  hash.addressable = false;
  open(body.throws() ? "BLOCK" : "cilk_spawn {");
  writers.cpp.log();
  line("UNUSED u64 h = " + kept + " * 3 + " + writers.expressions.constant() + ";");
  objects.add(std::move(hash), body.state);
  ++body.depth;
  writers.statements.statements(random.between(1, 5));
  auto isOutside = [&](const Piece &piece) { return piece.object < from; };
  for (int tries = 0; tries < 3; ++tries)
    if (std::optional<Piece> piece = objects.member(body.state, Need::Write, isInteger); piece && isOutside(*piece)) {
      line(piece->text + " = " + writers.expressions.converted(piece->type.scalar, "h", piece->bits) + ";");
      break;
    }
  --body.depth;
  if (random.chance(50))
    body.leaveScope(from);
  else
    objects.truncate(from, body.state); // the end of the block waits
  close(body.throws() ? "BLOCK_END" : "}");
}

/// Declares variables that a block only reads, and that nothing else uses.
void Blocks::declareRead() {
  for (unsigned i = random.below(3); i > 0; --i) {
    Type type = program.types.randomType();
    if (type.isStruct() && program.types.structure(type.structure).owning())
      continue; // the memory that it owns is not copied for the block
    Object &object = objects[writers.variables.newLocal(type)];
    if (object.isVolatile) // not copied, either
      continue;
    object.readOnly = true;
    object.addressable = false;
  }
}

/// Changes the variables from this index on, and forgets them.
void Blocks::change(int from) {
  for (int index = from; index < objects.size(); ++index) {
    objects[index].readOnly = false;
    std::fill(body.state[index].begin(), body.state[index].end(), Access::Free);
    unsigned members = static_cast<unsigned>(objects[index].members.size());
    writers.assignments.mutate({{index, 0, members, "", objects[index].type}});
  }
  objects.truncate(from, body.state);
}

/// Writes a spawned assignment or a spawned block, in the block's access of the objects.
void Blocks::spawnedPart() {
  std::optional<Piece> piece = objects.member(body.state, Need::Write, [](Scalar) { return true; });
  if (piece && random.chance(25)) {
    bool wasQuiet = std::exchange(body.quiet, true);
    line("cilk_spawn " + piece->text + " = " + writers.expressions.value(piece->type.scalar, 2, piece->bits) + ";");
    body.quiet = wasQuiet;
    return;
  }
  std::string kept = fresh("kept");
  line("u64 " + kept + " = h;");
  blockBody(kept);
  line(kept + " = ~" + kept + ";");
}

void Blocks::spawnedBlock() {
  int from = objects.size();
  declareRead();
  State after = body.state;
  body.state = lend(after);
  {
    InnerPart part(body, std::move(after));
    spawnedPart();
  }
  body.spawns = body.spawnsInTry = true;
  change(from);
}

/// Writes a scope. Its end waits for the children that were spawned in it. Children from before may still run.
void Blocks::scope() {
  int from = objects.size();
  InnerPart part(body, body.state);
  open(body.throws() ? "SCOPE" : "cilk_scope {");
  ++body.depth;
  writers.statements.statements(random.between(1, 4));
  --body.depth;
  objects.truncate(from, body.state);
  close(body.throws() ? "SCOPE_END" : "}");
}

} // namespace cilksmith
