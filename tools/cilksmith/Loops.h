// Loops without cilk_for.
#ifndef CILK2GPU_TOOLS_CILKSMITH_LOOPS_H
#define CILK2GPU_TOOLS_CILKSMITH_LOOPS_H

#include "Body.h"

namespace cilksmith {

/// Writes loops of the four forms `for`, `while`, `do` and `goto`, and loops that spawn into a new array.
class Loops : public Writer {
public:
  using Writer::Writer;

  void loop();
  void fillLoop();

private:
  /// A loop with an iteration for each value of the variable `i`, from 0 on, while the condition holds.
  struct Form {
    std::string number; ///< makes the names of the loop unique
    std::string i, condition;
    std::optional<int> array; ///< the array of whose elements each iteration owns one
  };
  Form chooseForm(unsigned bound);
  void forLoop(const Form &form);
  void whileLoop(const Form &form);
  void doLoop(const Form &form);
  void gotoLoop(const Form &form);
  void loopBody(const std::string &step, const std::string &index, std::optional<int> array);
  void presume();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_LOOPS_H
