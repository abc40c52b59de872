// Size classes are multiples of 16 bytes up to 128, and four steps per power of two above. So rounding wastes at most a
// quarter of a block. Classes of the 64-byte lists are rounded up to a multiple of 64.
#include "core/Arena.h"
#include "Tunables.h"

namespace cilk2gpu::rt {

using tunables::kCacheLine;

static constexpr uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

uint32_t Arena::sizeClass(uint64_t bytes) {
  if (bytes <= 128)
    return bytes == 0 ? 0 : uint32_t((bytes - 1) / 16);
  uint32_t log = 63 - __builtin_clzll(bytes - 1); // 2^log <= bytes - 1 < 2^(log + 1), log >= 7
  return 8 + (log - 7) * 4 + uint32_t(((bytes - 1) >> (log - 2)) & 3);
}

uint64_t Arena::classBytes(uint32_t sizeClass) {
  if (sizeClass < 8)
    return (sizeClass + 1) * 16;
  uint32_t log = 7 + (sizeClass - 8) / 4;
  return (uint64_t(1) << log) + (uint64_t((sizeClass - 8) % 4 + 1) << (log - 2));
}

uint64_t Arena::blockBytes(uint64_t bytes, uint64_t align) {
  if (bytes > tunables::kArenaLargest || align > 64)
    return bytes;
  return classBytes(sizeClass(align > 16 ? alignTo(bytes, 64) : bytes));
}

void Arena::account(uint64_t bytes) {
  inUse += bytes;
  if (inUse > mostInUse)
    __atomic_store_n(&mostInUse, inUse, __ATOMIC_RELAXED);
  if (MemoryBudget *shared = budget())
    // Relaxed: a sum that no other memory depends on.
    if (__atomic_add_fetch(&shared->used, bytes, __ATOMIC_RELAXED) > shared->cap) {
      environment.fail(environment.context, {FailureKind::OverBudget, shared->source, subject, bytes});
      __builtin_unreachable();
    }
}

void Arena::discount(uint64_t bytes) {
  inUse -= bytes;
  if (MemoryBudget *shared = budget())
    __atomic_fetch_sub(&shared->used, bytes, __ATOMIC_RELAXED); // as above
}

void Arena::outOfMemory(const char *what, uint64_t bytes, const char *subject) {
  environment.fail(environment.context, {FailureKind::OutOfMemory, what, subject, bytes});
  __builtin_unreachable();
}

void *Arena::get(uint64_t bytes, uint64_t align) {
  if (device)
    return device->allocate(device->context, bytes, align);
  bool isApart = isForFrames && environment.allocateFrames;
  return (isApart ? environment.allocateFrames : environment.allocate)(environment.context, bytes, align);
}

void Arena::put(void *memory, uint64_t bytes, uint64_t align) {
  if (device)
    return device->release(device->context, memory, bytes, align);
  bool isApart = isForFrames && environment.releaseFrames;
  (isApart ? environment.releaseFrames : environment.release)(environment.context, memory, bytes, align);
}

void Arena::copy(void *to, const void *from, uint64_t bytes) {
  uint64_t distance = uint64_t(static_cast<const char *>(from) - static_cast<char *>(to)); // large: `to` is above
  // A device copies pieces that do not overlap. If there would be many small pieces, the host copies instead.
  if (!device || bytes / tunables::kCopiedPieces > distance) {
    __builtin_memmove(to, from, bytes);
    return;
  }
  for (uint64_t done = 0; done < bytes; done += distance) {
    uint64_t piece = bytes - done < distance ? bytes - done : distance;
    device->copy(device->context, static_cast<char *>(to) + done, static_cast<const char *>(from) + done, piece);
    if (piece == bytes - done)
      break;
  }
}

/// Returns memory of the environment for a short time.
void *Arena::getOwn(uint64_t bytes) {
  void *memory = environment.allocate(environment.context, bytes, alignof(void *));
  if (!memory)
    outOfMemory("a list of frames", bytes, subject);
  return memory;
}

BlockNote *Arena::note(void *memory, uint64_t bytes, uint64_t align) {
  BlockNote *result = notes.make(memory, bytes, align);
  if (!result)
    outOfMemory("lists of a device's memory", sizeof(BlockNote), subject);
  return result;
}

void *Arena::allocateApart(uint64_t bytes, uint64_t align) {
  void *memory = get(bytes, align);
  if (!memory)
    outOfMemory("channels and frames", bytes, subject);
  notes.add(note(memory, bytes, align));
  return memory;
}

void *Arena::allocateLarge(uint64_t bytes, uint64_t align) {
  if (device)
    return allocateApart(bytes, align);
  if (align < alignof(Header))
    align = alignof(Header);
  uint64_t offset = alignTo(sizeof(Header), align), total;
  char *memory = nullptr;
  if (!__builtin_add_overflow(bytes, offset, &total))
    memory = static_cast<char *>(get(total, align));
  if (!memory)
    outOfMemory("channels and frames", bytes, subject);
  Header *header = reinterpret_cast<Header *>(memory + offset) - 1;
  *header = {blocks, nullptr, total, align};
  if (blocks)
    blocks->previous = header;
  blocks = header;
  return memory + offset;
}

void Arena::releaseLarge(void *memory) {
  if (device) {
    BlockNote *block = notes.remove(memory);
    put(memory, block->bytes, block->align);
    return notes.drop(block);
  }
  Header *header = static_cast<Header *>(memory) - 1;
  (header->previous ? header->previous->next : blocks) = header->next;
  if (header->next)
    header->next->previous = header->previous;
  uint64_t total = header->bytes, align = header->align;
  put(static_cast<char *>(memory) - alignTo(sizeof(Header), align), total, align);
}

void *Arena::carve(uint64_t bytes, uint64_t align) {
  char *start = reinterpret_cast<char *>(alignTo(reinterpret_cast<uintptr_t>(bump), align));
  if (!bump || start + bytes > bumpEnd) {
    uint64_t chunk = nextChunk ? nextChunk : tunables::kArenaFirstChunk;
    nextChunk = chunk < tunables::kArenaLargestChunk ? 2 * chunk : chunk;
    uint64_t payload = chunk - alignTo(sizeof(Header), kCacheLine);
    start = static_cast<char *>(allocateLarge(payload, kCacheLine));
    bumpEnd = start + payload;
  }
  bump = start + bytes;
  return start;
}

void *Arena::allocate(uint64_t bytes, uint64_t align) {
  if (bytes > tunables::kArenaLargest || align > 64) {
    account(bytes);
    return allocateLarge(bytes, align);
  }
  uint32_t list = align > 16, index = sizeClass(list ? alignTo(bytes, 64) : bytes);
  account(classBytes(index));
  if (FreeBlock *block = freeBlocks[list][index]) {
    freeBlocks[list][index] = block->next;
    return block;
  }
  if (BlockNote *block = freeNotes[list][index]) {
    void *memory = block->memory;
    freeNotes[list][index] = block->next;
    notes.drop(block);
    return memory;
  }
  return carve(classBytes(index), list ? 64 : 16);
}

void Arena::release(void *memory, uint64_t bytes, uint64_t align) {
  if (!memory)
    return;
  if (bytes > tunables::kArenaLargest || align > 64) {
    discount(bytes);
    return releaseLarge(memory);
  }
  uint32_t list = align > 16, index = sizeClass(list ? alignTo(bytes, 64) : bytes);
  discount(classBytes(index));
  if (device) {
    BlockNote *block = note(memory, bytes, align);
    block->next = freeNotes[list][index];
    freeNotes[list][index] = block;
    return;
  }
  FreeBlock *block = static_cast<FreeBlock *>(memory);
  block->next = freeBlocks[list][index];
  freeBlocks[list][index] = block;
}

void Arena::destroy() {
  while (Header *header = blocks) {
    blocks = header->next;
    uint64_t total = header->bytes, align = header->align;
    char *memory = reinterpret_cast<char *>(header + 1) - alignTo(sizeof(Header), align);
    put(memory, total, align);
  }
  notes.clear([this](const BlockNote &block) { put(block.memory, block.bytes, block.align); });
  for (uint32_t list = 0; list < 2; ++list)
    for (uint32_t index = 0; index < kClasses; ++index) {
      freeBlocks[list][index] = nullptr;
      freeNotes[list][index] = nullptr;
    }
  bump = bumpEnd = nullptr;
  discount(inUse);
}

} // namespace cilk2gpu::rt
