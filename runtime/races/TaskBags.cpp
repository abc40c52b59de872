// See TaskBags.h.
#include "TaskBags.h"

namespace cilk2gpu::races {

static constexpr size_t kMostTasks = size_t(1) << 30, kMostSites = 1 << 20, kMostParts = 1 << 26;

void TaskBags::open() {
  tasks.open(kMostTasks);
  views.open();
  sites.open(kMostSites);
  parts.open(kMostParts);
  static const Cilk2gpuSite unknown = {"the program", "", 0, 0, kCilk2gpuFunctionSite, ""};
  sites.add(&unknown);
  tasks.add({kRoot | kParallel, 0, 0, 0}); // task 0: none
  parts.add({Kind::Function, false, 0, 0, 0, 0, {}, {}});
  startTask(0, 0, 0);
}

// A site is asked for at each spawn. So the table is searched by hash, and spawns repeat the last sites mostly.
uint32_t TaskBags::numberOf(const Cilk2gpuSite *site) {
  static uint32_t table[1 << 16];
  size_t at = (uintptr_t(site) / sizeof(Cilk2gpuSite)) & 0xffff;
  for (;; at = (at + 1) & 0xffff) {
    if (!table[at])
      return table[at] = sites.size() < 0xf000 ? sites.add(site) : 0;
    if (sites[table[at]] == site)
      return table[at];
    if (sites.size() >= 0xf000)
      return 0;
  }
}

TaskId TaskBags::rootOf(TaskId task) const {
  while (!(tasks[task].link & kRoot))
    task = tasks[task].link;
  return task;
}

TaskId TaskBags::unite(TaskId left, TaskId right, uint32_t kind) {
  if (!left || !right) {
    TaskId only = left ? left : right;
    if (only)
      tasks[only].link = (tasks[only].link & ~kParallel) | kind;
    return only;
  }
  uint32_t leftRank = (tasks[left].link & ~kRoot) >> 1, rightRank = (tasks[right].link & ~kRoot) >> 1;
  TaskId top = leftRank < rightRank ? right : left, below = top == left ? right : left;
  uint32_t rank = leftRank == rightRank ? leftRank + 1 : leftRank < rightRank ? rightRank : leftRank;
  tasks[below].link = top;
  tasks[top].link = kRoot | rank << 1 | kind;
  return top;
}

void TaskBags::startTask(TaskId parent, uint32_t site, uint32_t position) {
  running = tasks.add({kRoot, parent, site, position});
}

void TaskBags::endTask(TaskId outer, TaskId &to, ViewSet &ended) {
  views.endChild(ended);
  to = unite(to, rootOf(running), kParallel);
  running = outer;
}

void TaskBags::waitFor(TaskId &children, ViewSet &ended) {
  views.wait(ended);
  if (children)
    unite(rootOf(running), children, 0);
  children = 0;
}

void TaskBags::removeReducer(void *key) {
  Removal removal = views.beginRemoval(key);
  for (Part *part = &parts.back(); !removal.isDone; --part) {
    removal = views.take(part->childViews, key, removal);
    removal = views.take(part->doneViews, key, removal);
    if (part == &parts[0])
      break;
  }
}

TaskBags::Part &TaskBags::frame() {
  Part *part = &parts.back();
  while (part->kind == Kind::Child)
    --part; // a child outside of functions with keywords: part 0 is a function
  return *part;
}

uint32_t TaskBags::enter() { return parts.add({Kind::Function, false, running, 0, 0, 0, {}, {}}); }

void TaskBags::endIteration(Part &loop) {
  if (!loop.inIteration)
    return;
  waitFor(loop.children, loop.childViews);
  endTask(loop.outer, loop.done, loop.doneViews);
  loop.inIteration = false;
}

void TaskBags::endPart() {
  Part &part = parts.back();
  switch (part.kind) {
  case Kind::Function:
    waitFor(part.children, part.childViews);
    parts.pop();
    break;
  case Kind::Child: {
    TaskId outer = part.outer;
    parts.pop();
    endTask(outer, frame().children, frame().childViews);
    break;
  }
  case Kind::Loop:
    endIteration(part);
    waitFor(part.done, part.doneViews);
    parts.pop();
    break;
  }
}

void TaskBags::leave(uint32_t function) {
  while (parts.size() > function)
    endPart();
}

void TaskBags::unwind(uint32_t function, uint32_t loops) {
  size_t keep = function + 1;
  for (; loops && keep < parts.size(); ++keep)
    loops -= parts[keep].kind == Kind::Loop;
  while (parts.size() > keep)
    endPart();
  waitFor(frame().children, frame().childViews);
}

void TaskBags::spawn(const Cilk2gpuSite *site) {
  TaskId outer = running;
  startTask(outer, numberOf(site), 0);
  parts.add({Kind::Child, false, outer, 0, 0, 0, {}, {}});
}

void TaskBags::endChild() { endPart(); }

void TaskBags::sync() { waitFor(frame().children, frame().childViews); }

void TaskBags::beginLoop(const Cilk2gpuSite *site) {
  parts.add({Kind::Loop, false, running, 0, 0, numberOf(site), {}, {}});
}

void TaskBags::beginIteration(uint64_t index) {
  Part &loop = parts.back();
  endIteration(loop);
  loop.inIteration = true;
  startTask(loop.outer, loop.site, uint32_t(index));
}

void TaskBags::endLoop() { endPart(); }

} // namespace cilk2gpu::races
