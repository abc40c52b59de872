// Allocates pages from given ranges of memory, by first fit over the free runs of pages. Each free run holds its own
// list entry. The arenas above it ask for few and large blocks.
//
//   PageRuns pages;
//   pages.add(range, bytes);                       // whole pages
//   void *block = pages.allocate(bytes, align);    // null: no run is long enough
//   pages.release(block, bytes);
//
// Thread-safety: none. Freestanding. Host and device may use an object that both can reach, in turns.
#ifndef CILK2GPU_RUNTIME_CORE_PAGERUNS_H
#define CILK2GPU_RUNTIME_CORE_PAGERUNS_H

#include <stdint.h>

namespace cilk2gpu::rt {

class PageRuns {
public:
  static constexpr uint64_t kPage = 4096;

  /// Returns the bytes that a block of `bytes` bytes takes.
  static uint64_t wholePages(uint64_t bytes) { return bytes ? alignTo(bytes, kPage) : kPage; }

  void add(void *memory, uint64_t bytes) { release(memory, bytes); }

  void *allocate(uint64_t bytes, uint64_t align) {
    uint64_t wanted = wholePages(bytes);
    for (Run **link = &free; wanted >= bytes && *link; link = &(*link)->next) {
      Run *run = *link, *next = run->next;
      char *place = reinterpret_cast<char *>(alignTo(reinterpret_cast<uint64_t>(run), align < kPage ? kPage : align));
      uint64_t before = uint64_t(place - reinterpret_cast<char *>(run));
      if (before > run->bytes || run->bytes - before < wanted)
        continue;
      if (uint64_t after = run->bytes - before - wanted) {
        Run *rest = reinterpret_cast<Run *>(place + wanted);
        *rest = {next, after};
        next = rest;
      }
      if (before)
        *run = {next, before};
      else
        *link = next;
      return place;
    }
    return nullptr;
  }

  void release(void *memory, uint64_t bytes) {
    Run *previous = nullptr, **link = &free;
    for (; *link && reinterpret_cast<void *>(*link) < memory; link = &previous->next)
      previous = *link;
    Run *run = static_cast<Run *>(memory);
    *run = {*link, wholePages(bytes)};
    *link = run;
    merge(run);
    if (previous)
      merge(previous);
  }

private:
  /// Stands at the beginning of each free run of pages. The list is in the order of addresses, and neighbouring runs
  /// are merged.
  struct Run {
    Run *next;
    uint64_t bytes;
    char *end() { return reinterpret_cast<char *>(this) + bytes; }
  };

  static uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

  static void merge(Run *first) {
    Run *second = first->next;
    if (second && first->end() == reinterpret_cast<char *>(second))
      *first = {second->next, first->bytes + second->bytes};
  }

  Run *free = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_PAGERUNS_H
