// Lines of text, and the effect of a sync and of the end of a scope on the objects.
#include "Body.h"

#include <algorithm>
#include <utility>

namespace cilksmith {

Body::Body(Program &program, const Signature &signature, bool isRoot)
    : program(program), signature(signature), isRoot(isRoot), objects(program.random) {
  Random &random = program.random;
  budget = random.between(3, program.size.statements);
  if (signature.kind != Kind::Cilk)
    budget = std::min(budget, 8u);
  if (isRoot)
    budget = std::max(budget, 6u);
  divisor = random.chance(75) ? 2 : random.chance(50) ? 4 : 8;
}

void Body::line(const std::string &what) { text += std::string(indent * 2, ' ') + what + "\n"; }

void Body::open(const std::string &what) {
  line(what);
  ++indent;
}

void Body::close(const std::string &what) {
  --indent;
  line(what);
}

void Body::spawn(const std::string &spawned) {
  line(throws() ? "SPAWN(" + spawned + ")" : spawned + ";");
  spawns = spawnsInTry = true;
}

bool Body::running(int from) const {
  for (int index = from; index < objects.size(); ++index) {
    if (objects[index].elementOf >= 0)
      continue; // its array counts it
    for (Access access : state[index])
      if (access != Access::Free)
        return true;
  }
  return false;
}

void Body::sync() {
  line(throws() ? "SYNC" : "cilk_sync;");
  for (auto &cells : state)
    std::fill(cells.begin(), cells.end(), Access::Free);
  std::copy(shared.begin(), shared.end(), state.begin());
}

void Body::leaveScope(int from) {
  if (reachable && running(from))
    sync();
  objects.truncate(from, state);
}

InnerPart::InnerPart(Body &body, State behind)
    : body(body), behind(std::move(behind)), outerShared(std::exchange(body.shared, body.state)),
      outerTargets(std::exchange(body.targets, {})), outerIteration(std::exchange(body.isIteration, true)) {}

InnerPart::~InnerPart() {
  body.isIteration = outerIteration;
  body.targets = std::move(outerTargets);
  body.shared = std::move(outerShared);
  body.state = std::move(behind);
  body.reachable = true;
}

} // namespace cilksmith
