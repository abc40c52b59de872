// Ends the process with a message if simulated code touches memory that is not there.
//
// Thread-safety: each thread has its own.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAULTS_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAULTS_H

namespace cilk2gpu::test {

/// While it lives, faults of this thread are those of the simulated code. `fail` gets the context and what was wrong.
/// It ends the process.
class FaultsOfCode {
public:
  using Fail = void (*)(const void *context, const char *what);

  FaultsOfCode(Fail fail, const void *context);
  ~FaultsOfCode();
  FaultsOfCode(const FaultsOfCode &) = delete;
};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAULTS_H
