// Tests that each layout gives every field of every element aligned bytes of its own, as its description says.
#include "core/ChannelLayout.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using cilk2gpu::abi::FieldRecord;
using namespace cilk2gpu::rt;

namespace {

const FieldRecord fields[] = {{1, 1}, {8, 8}, {0, 1}, {12, 4}, {32, 32}, {2, 2}};
constexpr uint32_t numFields = 6;

template <class Layout> class LayoutTest : public testing::Test {};
using Layouts = testing::Types<StructureOfArrays, ArrayOfStructures, PaddedStructures>;
TYPED_TEST_SUITE(LayoutTest, Layouts);

TYPED_TEST(LayoutTest, KeepsFieldsApartAndAligned) {
  for (uint64_t width : {1, 2, 3, 64, 65, 130}) {
    FieldLayout places[numFields];
    StoreSize size = TypeParam::place(fields, numFields, width, places);
    ASSERT_GE(size.align, kCacheLine);
    std::vector<bool> used(size.bytes);
    for (uint32_t f = 0; f < numFields; ++f)
      for (uint64_t slot = 0; slot < width; ++slot) {
        uint64_t at = places[f].offset + slot * places[f].stride;
        EXPECT_EQ(at % fields[f].align, 0u);
        for (uint64_t byte = at; byte < at + fields[f].size; ++byte) {
          ASSERT_LT(byte, size.bytes);
          EXPECT_FALSE(used[byte]);
          used[byte] = true;
        }
      }
  }
}

TYPED_TEST(LayoutTest, RefusesSizesThat64BitsCannotHold) {
  const FieldRecord huge[] = {{0xffffffff, 8}, {0xffffffff, 8}};
  FieldLayout places[2];
  EXPECT_NE(TypeParam::place(huge, 2, uint64_t(1) << 30, places).bytes, StoreSize::kTooLarge);
  EXPECT_EQ(TypeParam::place(huge, 2, uint64_t(1) << 33, places).bytes, StoreSize::kTooLarge);
}

TEST(Layout, StructureOfArraysStartsColumnsAtCacheLines) {
  FieldLayout places[numFields];
  StructureOfArrays::place(fields, numFields, 5, places);
  for (uint32_t f = 0; f < numFields; ++f) {
    EXPECT_EQ(places[f].offset % kCacheLine, 0u);
    EXPECT_EQ(places[f].stride, fields[f].size);
  }
}

TEST(Layout, ArrayOfStructuresIsTheCompilersStruct) {
  struct Element {
    char a;
    double b;
    int c[3];
    alignas(32) char d[32];
    short e;
  };
  const FieldRecord same[] = {{1, 1}, {8, 8}, {12, 4}, {32, 32}, {2, 2}};
  FieldLayout places[5];
  ArrayOfStructures::place(same, 5, 7, places);
  EXPECT_EQ(places[1].offset, offsetof(Element, b));
  EXPECT_EQ(places[2].offset, offsetof(Element, c));
  EXPECT_EQ(places[3].offset, offsetof(Element, d));
  EXPECT_EQ(places[4].offset, offsetof(Element, e));
  EXPECT_EQ(places[0].stride, sizeof(Element));
}

TEST(Layout, PaddedElementsShareNoCacheLine) {
  FieldLayout places[numFields];
  PaddedStructures::place(fields, numFields, 9, places);
  std::set<uint64_t> lines;
  for (uint64_t slot = 0; slot < 9; ++slot) {
    std::set<uint64_t> own;
    for (uint32_t f = 0; f < numFields; ++f)
      for (uint64_t byte = 0; byte < fields[f].size; ++byte)
        own.insert((places[f].offset + slot * places[f].stride + byte) / kCacheLine);
    for (uint64_t line : own)
      EXPECT_TRUE(lines.insert(line).second);
  }
}

TEST(Layout, StoreReachesWhatItWrote) {
  FieldLayout places[numFields];
  StoreSize size = StructureOfArrays::place(fields, numFields, 10, places);
  void *memory = aligned_alloc(size.align, (size.bytes + size.align - 1) / size.align * size.align);
  ElementStore store = {static_cast<char *>(memory), places};
  for (uint64_t slot = 0; slot < 10; ++slot) {
    store.field<double>(1, slot) = double(slot);
    store.field<short>(5, slot) = short(-int(slot));
  }
  for (uint64_t slot = 0; slot < 10; ++slot) {
    EXPECT_EQ(store.field<double>(1, slot), double(slot));
    EXPECT_EQ(store.field<short>(5, slot), short(-int(slot)));
  }
  free(memory);
}

} // namespace
