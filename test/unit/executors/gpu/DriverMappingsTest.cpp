// Tests of the memory that a driver takes while it is opened. The lists of mappings are texts of the test.
#include "executors/gpu/DriverMappings.h"

#include <gtest/gtest.h>
#include <memory>
#include <semaphore>
#include <thread>

namespace cilk2gpu::test {
namespace {

using device::DriverMappings;
using device::Mapping;

constexpr char kBefore[] = "555000000000-555000010000 r-xp 00000000 fe:00 81 /bin/program\n"
                           "555000020000-555000030000 rw-p 00000000 00:00 0 [heap]\n"
                           "7f0000001000-7f0000005000 rw-p 00000000 00:00 0 \n"
                           "7f0000a00000-7f0000a21000 rw-p 00000000 00:00 0 \n";
constexpr char kAfter[] = "555000000000-555000010000 r-xp 00000000 fe:00 81 /bin/program\n"
                          "555000020000-555000090000 rw-p 00000000 00:00 0 [heap]\n"
                          "7effffc00000-7effffd00000 r--p 00000000 fe:00 42 /lib/libdriver.so\n"
                          "7efffff00000-7f0000005000 rw-p 00000000 00:00 0 \n" // the program's mapping has grown
                          "7f0000100000-7f0000900000 rw-p 00000000 00:00 0 \n" // a stack of a driver's thread
                          "7f0000a00000-7f0000a21000 rw-p 00000000 00:00 0 \n"
                          "7f0000b00000-7f0000c00000 rw-s 00000000 00:01 92 /dev/zero (deleted)\n"
                          "7f0004000000-7f0004021000 rw-p 00000000 00:00 0 \n"; // malloc's, for a thread

/// Returns the starts of the mappings of `text` that are the driver's.
std::vector<uint64_t> driversOf(DriverMappings &mappings, const char *text) {
  std::vector<uint64_t> result;
  mappings.update();
  Mapping mapping;
  while (device::parseMapping(text, mapping))
    if (mappings.has(mapping))
      result.push_back(mapping.start);
  return result;
}

/// A thread that lives as long as the object.
class LivingThread {
public:
  ~LivingThread() {
    mayEnd.release();
    thread.join();
  }

private:
  std::binary_semaphore mayEnd{0};
  std::thread thread{[this] { mayEnd.acquire(); }};
};

TEST(DriverMappings, AreWhatIsNewAndWritableAndNoMemoryOfMalloc) {
  DriverMappings mappings;
  mappings.beginOpening();
  mappings.endOpening(kBefore, kAfter);
  EXPECT_EQ(driversOf(mappings, kAfter), (std::vector<uint64_t>{0x7f0000100000, 0x7f0000b00000}));
}

TEST(DriverMappings, AMappingWithOtherBoundsIsAnother) {
  DriverMappings mappings;
  mappings.beginOpening();
  mappings.endOpening(kBefore, kAfter);
  EXPECT_TRUE(driversOf(mappings, "7f0000100000-7f0000901000 rw-p 00000000 00:00 0 \n").empty());
  EXPECT_TRUE(driversOf(mappings, "7f0000101000-7f0000900000 rw-p 00000000 00:00 0 \n").empty());
}

TEST(DriverMappings, NothingIsNotedBesideOtherThreads) {
  LivingThread other;
  DriverMappings mappings;
  mappings.beginOpening();
  mappings.endOpening(kBefore, kAfter);
  EXPECT_TRUE(driversOf(mappings, kAfter).empty());
}

#if !__has_feature(thread_sanitizer) // it has a thread of its own as soon as the program has a second one
TEST(DriverMappings, CountUntilAThreadOfTheDriverEnds) {
  DriverMappings mappings;
  mappings.beginOpening();
  auto drivers = std::make_unique<LivingThread>();
  mappings.endOpening(kBefore, kAfter);
  EXPECT_EQ(driversOf(mappings, kAfter).size(), 2u);
  drivers = nullptr;
  EXPECT_TRUE(driversOf(mappings, kAfter).empty());
  drivers = std::make_unique<LivingThread>(); // may have the same stack
  EXPECT_TRUE(driversOf(mappings, kAfter).empty());
}
#endif

} // namespace
} // namespace cilk2gpu::test
