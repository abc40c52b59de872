// Two accesses at known lines, which race or go to different elements.
#ifndef CILK2GPU_TOOLS_CILKSMITH_RACES_H
#define CILK2GPU_TOOLS_CILKSMITH_RACES_H

#include "Body.h"

namespace cilksmith {

/// Writes the race of a program into its root, in front of everything that may leave the root or sync. The lines of the
/// two accesses end with `// race SEED a` and `// race SEED b`. Each access happens once. Without the race, the second
/// access goes to the element behind the first one's.
class Races : public Writer {
public:
  using Writer::Writer;

  void race();

private:
  std::string callOf(const std::string &name, const std::string &place);
  void begin(const std::string &name, const std::string &place);
  void between();
  void end(const std::string &name, const std::string &place);
  void inOneLoop(const std::string &first, const std::string &second);
};

/// Returns the globals of a program's race, and the functions that make its accesses.
std::string raceFunctions(Program &program);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_RACES_H
