// The wavefronts of a persistent kernel (PersistentRecord.h), which run at the same time. The wavefront with the first
// ticket is the aggregator: one of its lanes runs the scheduler. The others are workers, which get lanes through the
// board. No wavefront waits for a wavefront that has not arrived. Wavefronts that are not resident arrive later, and
// return when they find the last message.
//
// GPUs, and tests that run wavefronts as threads, use this source. Each defines two functions:
//
//   void runShare(const Message &, uint32_t worker);   runs a worker's lanes, together
//   [[noreturn]] void endWavefront();                   ends the wavefront from inside any call
//
// Thread-safety: see PersistentRecord.h and Board.h.
#ifndef CILK2GPU_RUNTIME_DEVICE_PERSISTENTWAVEFRONT_H
#define CILK2GPU_RUNTIME_DEVICE_PERSISTENTWAVEFRONT_H

#include "device/PersistentRecord.h"

namespace cilk2gpu::device {

void runShare(const Message &message, uint32_t worker);
[[noreturn]] void endWavefront();

namespace aggregators {

inline PersistentRecord &recordOf(void *context) { return *static_cast<PersistentRecord *>(context); }

inline void *allocate(void *context, uint64_t bytes, uint64_t align) {
  return recordOf(context).memory.pages.allocate(bytes, align);
}

inline void release(void *context, void *memory, uint64_t bytes, uint64_t) {
  recordOf(context).memory.pages.release(memory, bytes);
}

/// Copies a text, and cuts it off if it is too long.
template <uint64_t N> void copyText(char (&to)[N], const char *from) {
  uint64_t i = 0;
  for (; from && from[i] && i + 1 < N; ++i)
    to[i] = from[i];
  to[i] = 0;
}

inline void fail(void *context, const rt::Failure &failure) {
  PersistentRecord &record = recordOf(context);
  record.kind = failure.kind;
  record.value = failure.value;
  record.hasSubject = failure.subject != nullptr;
  copyText(record.what, failure.what);
  copyText(record.subject, failure.subject);
  record.outcome = PersistentRecord::Outcome::Failed;
  record.board.end();
  endWavefront();
}

inline bool pause(void *context) { return recordOf(context).memory.isShort(); }

/// Returns the number of workers that have arrived. Waits for the first worker, which is resident in the aggregator's
/// block.
inline uint32_t workersOf(PersistentRecord &record) {
  uint32_t come = record.tickets.awaitWorkers();
  return come < record.mostWorkers ? come : record.mostWorkers;
}

inline void dispatch(void *context, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  PersistentRecord &record = recordOf(context);
  Message message = {task.kernels[wave->kernel].lane, wave, wave->lanes, 0, restarts};
  record.board.dispatch(message, workersOf(record), record.wave);
}

/// Copies one word, as one lane.
template <typename Word> void copyWord(abi::Wave *wave, uint64_t lane, uint32_t) {
  static_cast<Word *>(wave->columns[0])[lane] = static_cast<const Word *>(wave->columns[1])[lane];
}

/// Copies memory with the workers, as lanes of a dispatch.
inline void copy(void *context, void *to, const void *from, uint64_t bytes) {
  PersistentRecord &record = recordOf(context);
  record.copiedColumns[0] = to;
  record.copiedColumns[1] = const_cast<void *>(from);
  record.copied.columns = record.copiedColumns;
  uint64_t places = reinterpret_cast<uint64_t>(to) | reinterpret_cast<uint64_t>(from) | bytes;
  abi::LaneFn body = places % 8 == 0 ? copyWord<uint64_t> : places % 4 == 0 ? copyWord<uint32_t> : copyWord<uint8_t>;
  uint64_t word = places % 8 == 0 ? 8 : places % 4 == 0 ? 4 : 1;
  if (bytes)
    record.board.dispatch({body, &record.copied, bytes / word, 0, false}, workersOf(record), record.wave);
}

/// Lists one frame, as one lane. The first column is the rt::FrameList.
inline void listFrame(abi::Wave *wave, uint64_t lane, uint32_t) {
  static_cast<const rt::FrameList *>(wave->columns[0])->set(lane);
}

/// Lists frames with the workers, as lanes of a dispatch, because the aggregator is a single lane. Leaves few frames to
/// the aggregator.
inline bool listFrames(void *context, void **list, char *chunk, uint64_t count, const rt::FrameShape &shape) {
  if (count < rt::tunables::kFewListedFrames)
    return false;
  PersistentRecord &record = recordOf(context);
  record.listed = {list, chunk, count, shape};
  record.copiedColumns[0] = &record.listed;
  record.copied.columns = record.copiedColumns;
  record.board.dispatch({listFrame, &record.copied, count, 0, false}, workersOf(record), record.wave);
  return true;
}

/// Runs the scheduler, with the kernel's functions in place of the host's. The function is not inlined into the
/// kernel's entry, which is compiled for speed: unrolled loops would make the scheduler's code five times as large.
[[gnu::noinline]] inline void run(PersistentRecord &record) {
  rt::Environment host = *record.environment;
  rt::DeviceHooks hostHooks = record.hooks;
  record.environment->allocate = allocate;
  record.environment->release = release;
  record.environment->fail = fail;
  record.environment->pause = pause;
  record.hooks = {&record, dispatch, allocate, release, copy, nullptr, listFrames, hostHooks.elides};
  bool done = record.goesOn ? record.scheduler->goOn() : record.scheduler->run(0);
  *record.environment = host;
  record.hooks = hostHooks;
  record.outcome = done ? PersistentRecord::Outcome::Done : PersistentRecord::Outcome::Paused;
  record.board.end();
}

} // namespace aggregators

/// Runs one wavefront of the kernel. On a GPU, all its lanes call this.
inline void runWavefront(PersistentRecord &record) {
  uint64_t ticket = 0;
  if (isLeader())
    ticket = record.tickets.take();
  ticket = fromLeader(ticket);
  if (ticket)
    record.board.work(uint32_t(ticket - 1), [&](const Message &message) { runShare(message, uint32_t(ticket - 1)); });
  else if (isLeader())
    aggregators::run(record);
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_PERSISTENTWAVEFRONT_H
