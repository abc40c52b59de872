// See Shadow.h.
#include "Shadow.h"

#include <string.h>
#include <sys/mman.h>

namespace cilk2gpu::races {

static constexpr size_t kMostBytes = size_t(1) << 30, kMostLinks = size_t(1) << 29;
/// Entries in one list. Each access compares itself with the whole list of its location.
static constexpr unsigned kMostEntries = 256;

void Shadow::open() {
  leaves = static_cast<Cell **>(reserve((sizeof(Cell *) << kAddressBits) / kLeafBytes));
  bytes.open(kMostBytes);
  links.open(kMostLinks);
  links.add({{0, 0, 0}, 0});
  for (unsigned i = 0; i < kCellBytes; ++i) // index 0: none
    bytes.add({});
}

Shadow::Cell &Shadow::cellOf(uintptr_t at) {
  Cell *&leaf = leaves[at / kLeafBytes];
  if (!leaf)
    leaf = static_cast<Cell *>(reserve(kLeafBytes / kCellBytes * sizeof(Cell)));
  return leaf[at % kLeafBytes / kCellBytes];
}

void Shadow::addLink(Cell &cell, const Entry &entry) {
  uint32_t link = freeLink;
  if (link)
    freeLink = links[link].next;
  else
    link = links.add({});
  links[link] = {entry, cell.slots[1].task};
  cell.slots[1].task = link;
}

void Shadow::makeList(Cell &cell) {
  Cell old = cell;
  cell = {};
  cell.slots[0].task = kList;
  for (const Slot &slot : old.slots)
    if (slot.task)
      addLink(cell, {slot.task, slot.access, slot.locks});
}

/// Frees the links of a list from `link` on.
void Shadow::freeLinks(uint32_t link) {
  while (link) {
    uint32_t next = links[link].next;
    links[link].next = freeLink;
    freeLink = link;
    link = next;
  }
}

/// Checks an access against a list, and updates the list. A full list loses its oldest entry.
void Shadow::accessList(Cell &cell, uintptr_t at, const Entry &now) {
  bool isNeeded = true;
  unsigned count = 0;
  uint32_t *last = nullptr; // where the index of the last link is
  for (uint32_t *next = &cell.slots[1].task; *next;) {
    Link &link = links[*next];
    bool isParallel = strands.isParallel(link.entry.task);
    if (isParallel && locks.areDisjoint(link.entry.locks, now.locks))
      report(context, at, link.entry, now);
    if (!isParallel && locks.isSubset(now.locks, link.entry.locks)) {
      uint32_t removed = *next;
      *next = link.next;
      link.next = 0;
      freeLinks(removed);
      continue;
    }
    bool isSame = link.entry.task == now.task;
    isNeeded &= !((isParallel || isSame) && locks.isSubset(link.entry.locks, now.locks));
    last = next;
    next = &link.next;
    ++count;
  }
  if (!isNeeded)
    return;
  if (count == kMostEntries) {
    freeLinks(*last);
    *last = 0;
  }
  addLink(cell, now);
}

/// Checks an access against the slots, and updates them. Returns false if the entries need a list.
bool Shadow::accessSlots(Cell &cell, uintptr_t at, const Entry &now) {
  if (now.locks >> 2)
    return false;
  bool isNeeded = true;
  Slot kept[3] = {};
  unsigned count = 0;
  for (const Slot &slot : cell.slots) {
    if (!slot.task)
      continue;
    bool isParallel = slot.task != now.task && strands.isParallel(slot.task);
    bool isPart = !(now.locks & ~slot.locks); // the new access has no property that the entry lacks
    if (!isParallel && isPart)
      continue;
    isNeeded &= !((isParallel || slot.task == now.task) && !(slot.locks & ~now.locks));
    kept[count++] = slot;
    if (isParallel && !(slot.locks & now.locks))
      report(context, at, {slot.task, slot.access, slot.locks}, now);
  }
  if (isNeeded)
    kept[count++] = {now.task, now.access, now.locks};
  if (count > 2)
    return false;
  cell.slots[0] = kept[0];
  cell.slots[1] = kept[1];
  return true;
}

void Shadow::accessCell(Cell &cell, uintptr_t at, const Entry &now) {
  if (cell.slots[0].task != kList) {
    if (accessSlots(cell, at, now))
      return;
    makeList(cell);
  }
  accessList(cell, at, now);
}

Shadow::Cell *Shadow::bytesOf(Cell &cell) { return &bytes[cell.slots[1].task]; }

/// Gives each byte of the cell's location a cell of its own.
void Shadow::split(Cell &cell) {
  if (cell.slots[0].task == kSplit)
    return;
  uint32_t first = freeBytes;
  if (first) {
    freeBytes = bytes[first].slots[1].task;
  } else {
    first = bytes.add({});
    for (unsigned i = 1; i < kCellBytes; ++i)
      bytes.add({});
  }
  for (unsigned i = 0; i < kCellBytes; ++i) {
    Cell &own = bytes[first + i];
    own = cell;
    if (cell.slots[0].task != kList)
      continue;
    own.slots[1].task = 0;
    for (uint32_t link = cell.slots[1].task; link; link = links[link].next)
      addLink(own, links[link].entry);
  }
  cell = {};
  cell.slots[0].task = kSplit;
  cell.slots[1].task = first;
}

/// Checks an access of some bytes of one cell.
void Shadow::accessBytes(uintptr_t at, size_t size, const Entry &now) {
  Cell &cell = cellOf(at);
  if (cell.slots[0].task == now.task && cell.slots[0].locks == now.locks && !cell.slots[1].task && !(now.locks >> 2))
    return; // all bytes have just this entry
  split(cell);
  for (size_t i = 0; i < size; ++i)
    accessCell(bytesOf(cell)[at % kCellBytes + i], at + i, now);
}

void Shadow::access(uintptr_t at, size_t size, const Entry &now) {
  if (at >> kAddressBits || (at + size) >> kAddressBits)
    return;
  while (size) {
    size_t part = kCellBytes - at % kCellBytes;
    if (part > size)
      part = size;
    if (part < kCellBytes) {
      accessBytes(at, part, now);
    } else {
      Cell &cell = cellOf(at);
      const Slot &first = cell.slots[0], &second = cell.slots[1];
      // The entry of this task stands for the new access, and there is no other entry that might race with it.
      bool isKnown = first.task == now.task && !(first.locks & ~now.locks) && !second.task && !(now.locks >> 2);
      if (isKnown)
        ;
      else if (first.task == kSplit)
        for (size_t i = 0; i < kCellBytes; ++i)
          accessCell(bytesOf(cell)[i], at + i, now);
      else
        accessCell(cell, at, now);
    }
    at += part;
    size -= part;
  }
}

/// Forgets the accesses of some bytes of one cell.
void Shadow::clearBytes(uintptr_t at, size_t size) {
  Cell &cell = cellOf(at);
  if (!cell.slots[0].task)
    return;
  split(cell);
  for (size_t i = 0; i < size; ++i)
    clearCell(bytesOf(cell)[at % kCellBytes + i]);
}

void Shadow::clearCell(Cell &cell) {
  if (cell.slots[0].task == kList) {
    freeLinks(cell.slots[1].task);
  } else if (cell.slots[0].task == kSplit) {
    for (unsigned i = 0; i < kCellBytes; ++i)
      clearCell(bytesOf(cell)[i]);
    uint32_t first = cell.slots[1].task;
    bytes[first].slots[1].task = freeBytes;
    freeBytes = first;
  }
  cell = {};
}

/// Forgets whole cells that stand behind one another.
void Shadow::clearCells(Cell *first, size_t count) {
  // The pages of many cells are given back; they read as zero. Lists and split cells of these pages are lost.
  constexpr uintptr_t page = 4096;
  Cell *last = first + count;
  auto *pages = reinterpret_cast<Cell *>((uintptr_t(first) + page - 1) & ~(page - 1));
  auto *end = reinterpret_cast<Cell *>(uintptr_t(last) & ~(page - 1));
  if (pages + 64 * page / sizeof(Cell) <= end) {
    madvise(pages, size_t(end - pages) * sizeof(Cell), MADV_DONTNEED);
    clearCells(first, size_t(pages - first));
    return clearCells(end, size_t(last - end));
  }
  for (Cell *cell = first; cell != last; ++cell)
    if (cell->slots[0].task)
      clearCell(*cell);
}

void Shadow::clear(uintptr_t at, size_t size) {
  if (at >> kAddressBits || (at + size) >> kAddressBits)
    return;
  while (size) {
    size_t part = kLeafBytes - at % kLeafBytes;
    if (part > size)
      part = size;
    if (leaves[at / kLeafBytes] && (at % kCellBytes || part < kCellBytes)) {
      part = kCellBytes - at % kCellBytes;
      if (part > size)
        part = size;
      clearBytes(at, part);
    } else if (leaves[at / kLeafBytes]) {
      part -= part % kCellBytes;
      clearCells(&cellOf(at), part / kCellBytes);
    }
    at += part;
    size -= part;
  }
}

} // namespace cilk2gpu::races
