// A pool of workers with its own task table, for tests. It is not the process's pool.
#ifndef CILK2GPU_TEST_UNIT_PROGRAMS_MACHINE_H
#define CILK2GPU_TEST_UNIT_PROGRAMS_MACHINE_H

#include "Programs.h"
#include "executors/native/Workers.h"
#include "process/HostEnvironment.h"

namespace cilk2gpu::test {

class Machine {
public:
  Machine(uint32_t wave, uint64_t width, uint32_t workers = 1, rt::Sharing sharing = {})
      : Machine(rt::Limits{wave, width}, workers, sharing) {}
  explicit Machine(rt::Limits limits, uint32_t workers = 1, rt::Sharing sharing = {})
      : environment(rt::hostEnvironment()), tasks(environment), pool(limits, workers, sharing) {}
  /// Makes a machine whose kernels run on a device.
  Machine(rt::Limits limits, const rt::DeviceHooks *device)
      : environment(rt::hostEnvironment()), tasks(environment), pool(limits, 1, {}, nullptr, device) {}

  /// Unregisters its records: a record belongs to one table at a time.
  ~Machine() {
    for (const Program *program : allPrograms)
      forget(program->root);
    tasks.destroy();
  }

  /// Enqueues a root. Runs the graph if there is no room.
  void enqueue(abi::TaskRecord *task, int32_t argument, int64_t *result) {
    abi::Cursor *root = pool.root(tasks.add(task));
    if (!root) {
      pool.run();
      root = pool.root(tasks.add(task));
    }
    static_cast<int32_t *>(root->columns[0])[root->next] = argument;
    static_cast<int64_t **>(root->columns[1])[root->next] = result;
    ++root->next;
  }

  int64_t run(const Program &program, int32_t argument) {
    int64_t result = -1;
    enqueue(program.root, argument, &result);
    pool.run();
    return result;
  }

  rt::Counters counters() const { return pool.counters(tasks); }

private:
  static void forget(abi::TaskRecord *task) {
    task->state = nullptr;
    for (uint32_t t = 0; t < task->numTargets; ++t)
      if (task->targets[t]->state)
        forget(task->targets[t]);
  }

  rt::Environment environment;

public:
  rt::TaskTable tasks;
  rt::WorkerPool pool;
};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_PROGRAMS_MACHINE_H
