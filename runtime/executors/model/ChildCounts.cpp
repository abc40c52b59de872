// See ChildCounts.h. Nodes that may have changed are put in a list and examined one after the other, not recursively,
// because a chain of completions may be as long as the recursion is deep.
#include "executors/model/ChildCounts.h"

namespace cilk2gpu::rt {

WaveNode *ChildCounts::create(Wavefront &wavefront) {
  uint64_t lanes = wavefront.wave.lanes;
  auto *node = static_cast<WaveNode *>(shared.arena.allocate(WaveNode::bytes(lanes), alignof(WaveNode)));
  shared.waveNodes.add(WaveNode::bytes(lanes), alignof(WaveNode));
  *node = {.children = 0,
           .posts = 0,
           .task = wavefront.task,
           .next = nullptr,
           .lanes = uint32_t(lanes),
           .waiting = 0,
           .isOver = false,
           .isQueued = false,
           .isPostSync = wavefront.kind == WaveKind::PostSync};
  for (uint64_t i = 0; i < lanes; ++i) {
    node->parents()[i] = wavefront.parents[i];
    node->frames()[i] = node->isPostSync ? static_cast<void **>(wavefront.arrays.columns[0])[i] : nullptr;
    node->kernels()[i] = 0;
  }
  return node;
}

void ChildCounts::addPosts(Wavefront &wavefront, const abi::Cursor &synced, uint32_t kernel) {
  WaveNode &node = *wavefront.node;
  for (uint64_t i = 0; i < synced.next; ++i) {
    void *frame = static_cast<void **>(synced.columns[0])[i];
    uint32_t at = 0;
    if (node.isPostSync)
      while (at < node.lanes && node.frames()[at] != frame)
        ++at;
    else
      at = node.waiting++;
    if (at >= node.lanes)
      shared.internalError("a post-sync element has the frame of another wavefront", wavefront.task->level);
    node.frames()[at] = frame;
    node.kernels()[at] = kernel;
  }
  if (!node.isPostSync)
    node.posts += synced.next;
}

void ChildCounts::end(WaveNode *node) {
  node->isOver = true;
  lookAt(node);
  settle();
}

void ChildCounts::lookAt(WaveNode *node) {
  if (node->isQueued || node->children || !node->isOver)
    return;
  node->isQueued = true;
  node->next = unsettled;
  unsettled = node;
}

void ChildCounts::settle() {
  while (WaveNode *node = unsettled) {
    unsettled = node->next;
    node->isQueued = false;
    settle(node);
  }
}

void ChildCounts::makePostReady(LevelTask &task, uint32_t kernel, void *frame, WaveNode *tag) {
  static const abi::FieldRecord fields[] = {{sizeof(void *), alignof(void *)}, {sizeof(void *), alignof(void *)}};
  FrameChannel &queue = task.active->post(kernel);
  queue.channel.makeRoom(shared.arena, {fields, 2}, 1, ~uint64_t(0), tunables::kFirstElements);
  static_cast<void **>(queue.columns[0])[queue.channel.cursor.next] = frame;
  static_cast<WaveNode **>(queue.columns[1])[queue.channel.cursor.next] = tag;
  ++queue.channel.cursor.next;
  queue.ready = queue.channel.size();
  shared.candidates.insert(shared.arena, task.level);
}

void ChildCounts::settle(WaveNode *node) {
  LevelTask &task = *node->task;
  if (!node->isPostSync) {
    for (uint32_t i = 0; i < node->waiting; ++i)
      makePostReady(task, node->kernels()[i], node->frames()[i], node);
    node->waiting = 0;
    if (node->posts)
      return;
  }
  for (uint32_t i = 0; i < node->lanes; ++i) {
    WaveNode *parent = node->parents()[i];
    if (node->isPostSync && node->kernels()[i]) {
      makePostReady(task, node->kernels()[i], node->frames()[i], parent);
      continue;
    }
    if (!parent)
      continue;
    --(node->isPostSync ? parent->posts : parent->children);
    lookAt(parent);
  }
  shared.waveNodes.remove(WaveNode::bytes(node->lanes), alignof(WaveNode));
  shared.arena.release(node, WaveNode::bytes(node->lanes), alignof(WaveNode));
}

} // namespace cilk2gpu::rt
