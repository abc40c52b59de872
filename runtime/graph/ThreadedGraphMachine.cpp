// See ThreadedGraphMachine.h.
#include "graph/ThreadedGraphMachine.h"
#include "core/Tunables.h"
#include "process/Message.h"
#include "process/TaskScope.h"
#include "process/Threads.h"

#include <string.h>

namespace cilk2gpu::rt {

static thread_local uint32_t thisWorker = 0;
static thread_local ThreadedGraphMachine *kernelsMachine = nullptr; ///< whose kernel this thread runs; null: none
static thread_local Context *kernelsContext = nullptr;              ///< of that kernel's wavefront
static thread_local uint64_t turnTime = 0;                          ///< of the turn in the step that the worker does

/// Waits for a semaphore, whatever signals arrive meanwhile.
static void take(sem_t &semaphore) {
  while (sem_wait(&semaphore) != 0) {
  }
}

ThreadedGraphMachine::ThreadedGraphMachine(const GraphMachineSetup &setup) : NativeGraphMachine(setup, setup.workers) {
  sem_init(&lock, 0, 1);
  sem_init(&wakeUps, 0, 0);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Turns of the calling worker
//===--------------------------------------------------------------------------------------------------------------===//

/// The worker that asks is idle. Others that are idle ask, too.
Context *ThreadedGraphMachine::freeContext() { return GraphMachine::freeContext(thisWorker); }

/// A worker's own wavefronts go before the aggregator.
uint64_t ThreadedGraphMachine::nextTurn() { return machine.mayTurn(thisWorker) ? 0 : Machine::kNever; }

Machine::Ended ThreadedGraphMachine::giveTurn() {
  uint64_t start = machine.now();
  Machine::Ended over = machine.turnOf(thisWorker);
  turnTime = readClock() - start;
  return over;
}

//===--------------------------------------------------------------------------------------------------------------===//
// The lock
//===--------------------------------------------------------------------------------------------------------------===//

bool ThreadedGraphMachine::enterRuntime() {
  if (kernelsMachine != this)
    return false;
  take(lock);
  kernelsMachine = nullptr;
  machine.exchangeRunning(kernelsContext);
  return true;
}

void ThreadedGraphMachine::leaveRuntime() {
  kernelsContext = machine.exchangeRunning(nullptr);
  kernelsMachine = this;
  wakeOthers();
  sem_post(&lock);
}

/// Lets others have the lock until one of them wakes this worker.
void ThreadedGraphMachine::sleep() {
  ++sleepers;
  sem_post(&lock);
  take(wakeUps);
  take(lock);
}

void ThreadedGraphMachine::wakeAll() {
  for (; sleepers; --sleepers)
    sem_post(&wakeUps);
}

/// Wakes workers that sleep if there may be something for them to do.
void ThreadedGraphMachine::wakeOthers() {
  if (sleepers && (driver->isAwake(driver->device) || machine.nextTurn() != Machine::kNever))
    wakeAll();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Workers
//===--------------------------------------------------------------------------------------------------------------===//

/// Does one thing. Returns false if the calling worker has nothing to do.
bool ThreadedGraphMachine::step() {
  uint64_t start = readClock();
  turnTime = 0;
  bool any = driver->step(driver->device);
  actingTime += readClock() - start - turnTime;
  return any;
}

/// The run of one worker. It ends when no worker has anything to do.
void ThreadedGraphMachine::work(uint32_t index) {
  Arena arena(environment);
  pthread_mutex_t arenasLock = PTHREAD_MUTEX_INITIALIZER;
  {
    TaskScope inside(arena, arenasLock, index);
    thisWorker = index;
    take(lock);
    while (!isOver) {
      if (step())
        continue;
      isOver = !machine.occupied();
      if (isOver)
        break;
      wakeOthers();
      sleep();
    }
    wakeAll();
    sem_post(&lock);
  }
  arena.destroy();
}

void *ThreadedGraphMachine::threadMain(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  worker.machine->work(worker.index);
  return nullptr;
}

/// Starts a worker's thread. Returns false, with a warning, if that is not possible.
bool ThreadedGraphMachine::startThread(Worker &worker) {
  int error = createTaskThread(worker.thread, threadMain, &worker);
  if (error)
    warning("a worker thread of a graph could not be created (%s); the graph runs on with fewer", strerror(error));
  return !error;
}

void ThreadedGraphMachine::drive(const GraphDriver &chosen) {
  Worker workers[tunables::kMaxWorkers];
  uint32_t count = shape().cus, started = 1;
  driver = &chosen;
  isOver = false;
  while (started < count) {
    workers[started] = {.machine = this, .index = started, .thread = {}};
    if (!startThread(workers[started]))
      break;
    ++started;
  }
  work(0);
  while (--started)
    pthread_join(workers[started].thread, nullptr);
  driver = nullptr;
}

} // namespace cilk2gpu::rt
