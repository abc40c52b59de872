// How the aggregator of a persistent kernel feeds the kernel's other wavefronts: each has a mailbox, in memory of the
// device.
//
//   aggregator: fills the message, then ++posted    worker: waits for `posted`, runs the lanes, then done = posted
//               waits for `done`
//
// Every word has one writer, so nothing here is a read-modify-write. A message stays as it is until it is done.
//
// Thread-safety and order: `posted` is stored with release and pairs with the worker's acquire, `done` the other way
// round: what any lane did in one dispatch happens before whatever any lane does in the next. Nobody waits for a
// wavefront that has not said that it runs: the aggregator posts only to workers that are there.
#ifndef CILK2GPU_RUNTIME_DEVICE_MAILBOX_H
#define CILK2GPU_RUNTIME_DEVICE_MAILBOX_H

#include "abi/Records.h"

namespace cilk2gpu::device {

/// A word that one side writes and the other waits for.
class Signal {
public:
  uint32_t read() const { return __atomic_load_n(&value, __ATOMIC_ACQUIRE); } // pairs with set()
  void set(uint32_t next);
  /// Returns once the word is not `old` any more.
  void awaitOtherThan(uint32_t old) const;

private:
  uint32_t value = 0;
};

/// Lanes of a dispatch; `body` is null where the kernel ends.
struct Message {
  abi::LaneFn body;
  abi::Wave *wave;
  uint64_t first, lanes; ///< of the dispatch's
  bool restarts;
};

struct alignas(64) Mailbox {
  // The aggregator's.
  Message message;
  Signal posted;
  // The worker's.
  alignas(64) Signal done;

  /// Aggregator: what was posted before is done.
  void post(const Message &next) {
    message = next;
    posted.set(posted.read() + 1);
  }
  void awaitDone() const {
    for (uint32_t wanted = posted.read(), seen; (seen = done.read()) != wanted;)
      done.awaitOtherThan(seen);
  }

  /// Worker: the next message.
  const Message &receive() const {
    posted.awaitOtherThan(done.read());
    return message;
  }
  void finish() { done.set(posted.read()); }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_MAILBOX_H
