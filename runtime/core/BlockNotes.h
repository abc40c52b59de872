// Notes about blocks of memory, apart from the blocks: for memory of a device, which the host should not touch. A note
// takes 32 bytes of the environment's memory. The notes of blocks that were taken are found by the block's address.
//
// Thread-safety: none; the notes belong to one arena. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_BLOCKNOTES_H
#define CILK2GPU_RUNTIME_CORE_BLOCKNOTES_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

/// A block of memory.
struct BlockNote {
  BlockNote *next; ///< of a list
  void *memory;
  uint64_t bytes, align;
};

class BlockNotes {
public:
  explicit BlockNotes(const Environment &environment) : environment(environment) {}
  BlockNotes(const BlockNotes &) = delete;

  /// Returns a note for the caller's lists; null: the environment has no memory.
  BlockNote *make(void *memory, uint64_t bytes, uint64_t align) {
    if (!spare && !addPage())
      return nullptr;
    BlockNote *note = spare;
    spare = note->next;
    *note = {nullptr, memory, bytes, align};
    return note;
  }
  /// Takes back a note from make() or remove().
  void drop(BlockNote *note) {
    note->next = spare;
    spare = note;
  }

  /// Notes that a block was taken.
  void add(BlockNote *note) {
    BlockNote *&list = listOf(note->memory);
    note->next = list;
    list = note;
  }
  /// Finds and removes the note of a taken block, which must be there.
  BlockNote *remove(const void *memory) {
    BlockNote **at = &listOf(memory);
    while ((*at)->memory != memory)
      at = &(*at)->next;
    BlockNote *note = *at;
    *at = note->next;
    return note;
  }
  /// Calls function(note) for each taken block, and gives up all notes.
  template <typename Function> void clear(Function function) {
    for (BlockNote *&list : taken)
      for (; list; list = list->next)
        function(*list);
    while (Page *page = pages) {
      pages = page->next;
      environment.release(environment.context, page, sizeof(Page), alignof(Page));
    }
    spare = nullptr;
  }

private:
  struct Page {
    Page *next;
    BlockNote notes[127];
  };
  static constexpr uint64_t kLists = 64;

  BlockNote *&listOf(const void *memory) {
    return taken[reinterpret_cast<uintptr_t>(memory) * 0x9e3779b97f4a7c15u >> 32 & (kLists - 1)];
  }

  bool addPage() {
    auto *page = static_cast<Page *>(environment.allocate(environment.context, sizeof(Page), alignof(Page)));
    if (!page)
      return false;
    page->next = pages;
    pages = page;
    for (BlockNote &note : page->notes)
      drop(&note);
    return true;
  }

  const Environment &environment;
  BlockNote *spare = nullptr, *taken[kLists] = {};
  Page *pages = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_BLOCKNOTES_H
