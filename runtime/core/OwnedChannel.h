// A channel that one thread owns: bounded, first in first out, its elements laid out as a structure of arrays.
//
//   columns[f]: | consumed | head ... ready elements ... next | free ... limit = capacity |
//
// The buffer is linear. It grows by doubling, up to the bound that makeRoom is given. When the tail reaches the end and
// elements at the head were consumed, the buffer may be compacted. It starts over at 0 when it runs empty. Only
// makeRoom moves elements. Room is made before a wave runs, so the wave's elements stay where they are while it runs.
// The first member is an abi::Cursor, the producer's end, so that the address of a wave's Cursor is the address of the
// channel.
//
// Thread-safety: none; the owner's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_OWNEDCHANNEL_H
#define CILK2GPU_RUNTIME_CORE_OWNEDCHANNEL_H

#include "core/Arena.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// The columns of an element. `fields` outlives every channel that is made with it.
struct ElementLayout {
  const abi::FieldRecord *fields;
  uint32_t numFields;
};

struct OwnedChannel {
  abi::Cursor cursor; ///< `next` is the tail; `columns` has layout.numFields entries, owned by the channel's creator
  uint64_t head;      ///< first element that is not consumed
  uint64_t capacity;  ///< elements that the buffer holds
  void *buffer;

  /// Makes an empty channel. `columns` stays valid as long as the channel; its entries are set when the first buffer is
  /// allocated.
  void initialise(void **columns) { *this = {{columns, 0, 0}, 0, 0, nullptr}; }

  uint64_t size() const { return cursor.next - head; }

  /// Returns the bytes of the buffer, as the arena counts them. A buffer never shrinks, so it was never larger.
  uint64_t bufferBytes(ElementLayout layout) const {
    BufferShape used = shape(layout, capacity);
    return buffer ? Arena::blockBytes(used.bytes, used.align) : 0;
  }

  /// Forgets the first `count` elements.
  void consume(uint64_t count) {
    head += count;
    if (head == cursor.next)
      head = cursor.next = 0;
  }

  /// Forgets the last `count` elements.
  void takeBack(uint64_t count) {
    cursor.next -= count;
    if (head == cursor.next)
      head = cursor.next = 0;
  }

  /// Makes next + count <= limit. Returns false, and changes nothing, in three cases:
  ///   - The channel would hold more than `bound` elements.
  ///   - A bounded channel that is not empty cannot grow within the arena's budget.
  ///   - The elements would have to be moved in many small pieces.
  bool makeRoom(Arena &arena, ElementLayout layout, uint64_t count, uint64_t bound, uint64_t first) {
    if (cursor.next + count <= capacity)
      return true;
    uint64_t wanted = size() + count;
    if (wanted > bound)
      return false;
    bool fits = wanted <= capacity, isLargest = capacity >= bound;
    if (fits && (head >= capacity / 2 || (isLargest && arena.movesFast(head, size())))) {
      compact(arena, layout);
      return true;
    }
    if (fits && isLargest)
      return false;
    if (size() && bound != ~uint64_t(0) && !affordable(arena, layout, wanted))
      return false;
    uint64_t doubled = 2 * capacity > first ? 2 * capacity : first;
    uint64_t grown =
        doubled > wanted && affordable(arena, layout, doubled < bound ? doubled : bound) ? doubled : wanted;
    reallocate(arena, layout, grown < bound ? grown : bound);
    return true;
  }

  /// Appends `count` elements that start at element `from` of `source`; room has been made.
  void append(ElementLayout layout, void *const *source, uint64_t from, uint64_t count) {
    for (uint32_t f = 0; f < layout.numFields; ++f) {
      uint64_t size = layout.fields[f].size;
      if (size)
        __builtin_memcpy(static_cast<char *>(cursor.columns[f]) + cursor.next * size,
                         static_cast<const char *>(source[f]) + from * size, count * size);
    }
    cursor.next += count;
  }

private:
  struct BufferShape {
    uint64_t bytes, align;
  };

  static uint64_t columnAlign(const abi::FieldRecord &field, uint64_t bytes) {
    uint64_t align = bytes >= tunables::kLargeColumn ? 64 : 16;
    return field.align > align ? field.align : align;
  }

  /// Places the columns of `elements` elements. A size that 64 bits cannot hold becomes a size that no machine has.
  static BufferShape shape(ElementLayout layout, uint64_t elements) {
    BufferShape result = {0, 16};
    for (uint32_t f = 0; f < layout.numFields; ++f) {
      uint64_t bytes, align, end;
      if (__builtin_mul_overflow(uint64_t(layout.fields[f].size), elements, &bytes))
        return {~uint64_t(0) >> 1, 16};
      align = columnAlign(layout.fields[f], bytes);
      uint64_t start = (result.bytes + align - 1) & ~(align - 1);
      if (__builtin_add_overflow(start, bytes, &end) || end < start || start < result.bytes)
        return {~uint64_t(0) >> 1, 16};
      result = {end, align > result.align ? align : result.align};
    }
    return result;
  }

  static bool affordable(const Arena &arena, ElementLayout layout, uint64_t elements) {
    BufferShape fresh = shape(layout, elements);
    return arena.fits(fresh.bytes, fresh.align);
  }

  void compact(Arena &arena, ElementLayout layout) {
    uint64_t live = size();
    for (uint32_t f = 0; f < layout.numFields; ++f) {
      uint64_t size = layout.fields[f].size;
      if (size)
        arena.copy(cursor.columns[f], static_cast<char *>(cursor.columns[f]) + head * size, live * size);
    }
    head = 0;
    cursor.next = live;
  }

  void reallocate(Arena &arena, ElementLayout layout, uint64_t elements) {
    BufferShape oldShape = shape(layout, capacity), newShape = shape(layout, elements);
    char *fresh = static_cast<char *>(arena.allocate(newShape.bytes, newShape.align));
    uint64_t live = size(), end = 0;
    for (uint32_t f = 0; f < layout.numFields; ++f) {
      uint64_t size = layout.fields[f].size, align = columnAlign(layout.fields[f], size * elements);
      char *column = fresh + ((end + align - 1) & ~(align - 1));
      if (live && size)
        arena.copy(column, static_cast<char *>(cursor.columns[f]) + head * size, live * size);
      cursor.columns[f] = column;
      end = uint64_t(column - fresh) + size * elements;
    }
    arena.release(buffer, oldShape.bytes, oldShape.align);
    buffer = fresh;
    head = 0;
    cursor.next = live;
    cursor.limit = capacity = elements;
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_OWNEDCHANNEL_H
