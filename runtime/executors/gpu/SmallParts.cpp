// See SmallParts.h.
#include "executors/gpu/SmallParts.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

struct SmallParts::Chunk {
  char *start;
  Chunk *next; ///< with free blocks of the same size
  uint32_t size, numFree;
  uint32_t firstWord; ///< no word before this one has a free block
  uint64_t isTaken[];

  uint64_t indexOf(const void *block) const { return uint64_t(static_cast<const char *>(block) - start) / size; }
};

SmallParts::~SmallParts() {
  for (uint64_t i = 0; i < count; ++i)
    free(chunks[i]);
  free(chunks);
}

uint32_t SmallParts::indexFor(uint64_t bytes, uint64_t align) {
  uint64_t least = bytes > align ? bytes : align;
  return least <= uint64_t(1) << kLeastLog ? 0 : 64 - kLeastLog - uint32_t(__builtin_clzll(least - 1));
}

void *SmallParts::take(uint64_t bytes, uint64_t align) {
  Chunk *&link = open[indexFor(bytes, align)], *chunk = link;
  if (!chunk)
    return nullptr;
  while (!~chunk->isTaken[chunk->firstWord])
    ++chunk->firstWord;
  uint64_t &word = chunk->isTaken[chunk->firstWord];
  auto bit = uint32_t(__builtin_ctzll(~word));
  word |= uint64_t(1) << bit;
  if (!--chunk->numFree)
    link = chunk->next;
  return chunk->start + (uint64_t(64) * chunk->firstWord + bit) * chunk->size;
}

bool SmallParts::growIndex() {
  uint64_t wanted = capacity ? 2 * capacity : 64;
  auto *fresh = static_cast<Chunk **>(realloc(chunks, wanted * sizeof(Chunk *)));
  if (!fresh)
    return false;
  chunks = fresh;
  capacity = wanted;
  return true;
}

bool SmallParts::addChunk(void *memory, uint64_t bytes, uint64_t align) {
  uint32_t index = indexFor(bytes, align), size = 1u << (index + kLeastLog), blocks = uint32_t(kChunk / size);
  uint32_t words = (blocks + 63) / 64;
  auto *chunk = static_cast<Chunk *>(malloc(sizeof(Chunk) + words * sizeof(uint64_t)));
  if (!chunk || (count == capacity && !growIndex())) {
    free(chunk);
    return false;
  }
  *chunk = {static_cast<char *>(memory), open[index], size, blocks, 0};
  memset(chunk->isTaken, 0, words * sizeof(uint64_t));
  if (blocks % 64)
    chunk->isTaken[words - 1] = ~uint64_t(0) << blocks % 64; // these do not exist
  open[index] = chunk;
  uint64_t at = count++;
  for (; at && chunks[at - 1]->start > chunk->start; --at)
    chunks[at] = chunks[at - 1];
  chunks[at] = chunk;
  return true;
}

SmallParts::Chunk *SmallParts::find(const void *address) const {
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    (chunks[middle]->start <= address ? low : high) = chunks[middle]->start <= address ? middle + 1 : middle;
  }
  return low && static_cast<const char *>(address) < chunks[low - 1]->start + kChunk ? chunks[low - 1] : nullptr;
}

uint64_t SmallParts::sizeOf(const void *block) const {
  const Chunk *chunk = find(block);
  return chunk ? chunk->size : 0;
}

void SmallParts::put(void *block) {
  Chunk *chunk = find(block);
  uint64_t index = chunk->indexOf(block);
  chunk->isTaken[index / 64] &= ~(uint64_t(1) << index % 64);
  if (index / 64 < chunk->firstWord)
    chunk->firstWord = uint32_t(index / 64);
  if (chunk->numFree++)
    return;
  Chunk *&link = open[indexFor(chunk->size, 1)];
  chunk->next = link;
  link = chunk;
}

} // namespace cilk2gpu::device
