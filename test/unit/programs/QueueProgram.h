// A graph with queues, translated to kernels by hand: tree(n) spawns tree(n - 1) twice and enqueues n to the queue
// `work`, whose consumer enqueues it to the queue `sum`. Counts the elements that each queue holds.
#ifndef CILK2GPU_TEST_UNIT_PROGRAMS_QUEUEPROGRAM_H
#define CILK2GPU_TEST_UNIT_PROGRAMS_QUEUEPROGRAM_H

#include "Programs.h"

namespace cilk2gpu::test {

/// Elements of one queue that are enqueued and not consumed.
struct Held {
  uint64_t now, most, total;
  void add() {
    ++total;
    most = ++now > most ? now : most;
  }
};
inline Held works, sums;
inline int64_t queueTotal;

namespace queues {

struct Frame {
  int32_t n;
};

/// tree(n): enqueue n to `work`, spawn tree(n - 1) twice; the number of a site is how much of that is done.
inline void treeFrom(abi::Wave *wave, Frame *frame, uint32_t site) {
  for (; frame->n > 0 && site < 3; ++site) {
    bool done = site == 1 ? spawn(wave, 1, frame->n) : spawn(wave, 0, frame->n - 1);
    if (!done)
      return yield(wave, frame, site);
    if (site == 1)
      works.add();
  }
  giveFrame(wave, frame);
}

inline void treeStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    auto *frame = takeFrame<Frame>(wave);
    frame->n = load<int32_t>(wave, lane, 0);
    treeFrom(wave, frame, 0);
  }
}

inline void treeAgain(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    treeFrom(wave, static_cast<Frame *>(load<void *>(wave, lane, 0)), load<uint32_t>(wave, lane, 1));
}

/// work(n): enqueue n to `sum`.
inline void workFrom(abi::Wave *wave, Frame *frame) {
  if (!spawn(wave, 0, frame->n))
    return yield(wave, frame, 1);
  sums.add();
  giveFrame(wave, frame);
}

inline void workStart(abi::Wave *wave) {
  works.now -= wave->lanes;
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    auto *frame = takeFrame<Frame>(wave);
    frame->n = load<int32_t>(wave, lane, 0);
    workFrom(wave, frame);
  }
}

inline void workAgain(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    workFrom(wave, static_cast<Frame *>(load<void *>(wave, lane, 0)));
}

inline void sumStart(abi::Wave *wave) {
  sums.now -= wave->lanes;
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    queueTotal += load<int32_t>(wave, lane, 0);
}

inline const abi::FieldRecord fields[] = {{4, 4}};
inline const abi::KernelRecord treeKernels[] = {{.name = "tree.k0", .run = treeStart, .resume = treeAgain}};
inline const abi::KernelRecord workKernels[] = {{.name = "work.k0", .run = workStart, .resume = workAgain}};
inline const abi::KernelRecord sumKernels[] = {{.name = "sum.k0", .run = sumStart}};

} // namespace queues

/// The records of the graph, whose queues have a capacity.
struct QueueProgram {
  abi::TaskRecord tree, work, sum;
  abi::TaskRecord *treeTargets[2] = {&tree, &work}, *workTargets[1] = {&sum};

  explicit QueueProgram(uint64_t capacity) {
    tree = {.name = "tree",
            .fields = queues::fields,
            .kernels = queues::treeKernels,
            .targets = treeTargets,
            .frameSize = sizeof(queues::Frame),
            .frameAlign = alignof(queues::Frame),
            .numFields = 1,
            .numKernels = 1,
            .numTargets = 2};
    work = {.name = "work",
            .fields = queues::fields,
            .kernels = queues::workKernels,
            .targets = workTargets,
            .frameSize = sizeof(queues::Frame),
            .frameAlign = alignof(queues::Frame),
            .numFields = 1,
            .numKernels = 1,
            .numTargets = 1,
            .kind = abi::NodeKind::Queue,
            .capacity = capacity};
    sum = {.name = "sum",
           .fields = queues::fields,
           .kernels = queues::sumKernels,
           .numFields = 1,
           .numKernels = 1,
           .kind = abi::NodeKind::Queue,
           .capacity = capacity};
    works = sums = {};
    queueTotal = 0;
  }
  QueueProgram(const QueueProgram &) = delete;

  /// The sum of what tree(n) enqueues.
  static int64_t expected(int32_t n) {
    int64_t sum = 0;
    for (int32_t each = n; each > 0; --each)
      sum += int64_t(each) << (n - each);
    return sum;
  }
};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_PROGRAMS_QUEUEPROGRAM_H
