// The standard input, output and error of runs. Outputs are kept in files without names, so that runs can be compared
// byte by byte. All runs read the same input.
//
// Thread-safety: one thread. Files are opened by open(), and no memory is allocated later.
#ifndef CILK2GPU_RUNTIME_CHECK_RUNFILES_H
#define CILK2GPU_RUNTIME_CHECK_RUNFILES_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Runs whose outputs are kept: the first serial run, and the latest other run.
enum class KeptRun : uint8_t { Serial = 0, Other = 1 };

/// Where two outputs begin to differ. The texts are the rest of the line there; null: the output ends there.
struct OutputDifference {
  static constexpr uint64_t kMostText = 61;

  bool isDifferent;
  uint64_t byte, line; ///< both count from 1
  bool endsSerial, endsOther;
  char serial[kMostText], other[kMostText];
};

class RunFiles {
public:
  /// Opens the files, and reads an input that cannot be read again.
  void open();

  /// Called by the parent before a run.
  void prepare(KeptRun run) const;
  /// Called by the child: makes the files its standard input, output and error, and closes the others.
  void enter(KeptRun run) const;

  /// Compares an output of the two runs: STDOUT_FILENO or STDERR_FILENO.
  void compare(int output, OutputDifference &difference) const;

  /// Writes the serial run's outputs to the outputs of this process. Returns false after a message if that fails.
  bool writeSerial() const;

private:
  void openInput();
  static int openHidden(const char *name);
  static bool copy(int from, int to, const char *what);

  int input = -1;          ///< a copy of an input that cannot be read again; -1: the input itself is read
  int64_t inputStart = -1; ///< position in the input; -1: it is not read again
  int outputs[2][2];       ///< [run][output - 1]; -1: the output is closed
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_RUNFILES_H
