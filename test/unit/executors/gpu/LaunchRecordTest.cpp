// Tests that a launch's record holds all of a wave at its address on the device, and brings back the space that lanes
// took.
#include "executors/gpu/LaunchRecord.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace cilk2gpu::device {
namespace {

const abi::FieldRecord threeFields[] = {{4, 4}, {8, 8}, {1, 1}}, fourFields[] = {{4, 4}, {8, 8}, {8, 8}, {2, 2}};

/// A task that spawns itself and, at two sites, another task.
struct Example {
  Example() {
    task.name = "task";
    task.element = {threeFields, 3};
    task.targets = targets;
    task.numTargets = 3;
    task.numKernels = 3;
    other.element = {fourFields, 4};
    wave = {columns, 7, 100, 0, spawns, syncs, &restart, &frames};
  }

  int places[16];
  rt::TaskInfo task = {}, other = {};
  rt::TaskInfo *targets[3] = {&task, &other, &other};
  void *columns[3] = {places, places + 1, places + 2};
  void *ownColumns[3] = {places + 3, places + 4, places + 5};
  void *otherColumns[4] = {places + 6, places + 7, places + 8, places + 9};
  void *syncColumn[2] = {places + 10, places + 11}, *restartColumns[2] = {places + 12, places + 13};
  abi::Cursor own = {ownColumns, 1, 10}, others = {otherColumns, 2, 20};
  abi::Cursor sync1 = {syncColumn, 3, 30}, sync2 = {syncColumn + 1, 4, 40}, restart = {restartColumns, 5, 50};
  abi::Cursor *spawns[3] = {&own, &others, &others}, *syncs[3] = {nullptr, &sync1, &sync2};
  abi::FrameStore frames = {columns, 6, 0, ownColumns, 0};
  abi::Wave wave;
};

/// The device's memory: a copy of the record, at the address that it was built for.
struct Device {
  explicit Device(LaunchRecord &record, uint64_t bytes) : record(record), memory(bytes / 8 + 1) {}
  uint64_t address() { return reinterpret_cast<uint64_t>(memory.data()); }
  abi::Wave &wave() {
    memcpy(memory.data(), record.data(), record.size());
    return *reinterpret_cast<abi::Wave *>(memory.data());
  }
  void bringBack() { memcpy(record.data(), memory.data(), record.size()); }
  bool holds(const void *place) {
    auto at = reinterpret_cast<uint64_t>(place);
    return at >= address() && at < address() + record.size();
  }

  LaunchRecord &record;
  std::vector<uint64_t> memory;
};

TEST(LaunchRecord, HoldsAllOfAWave) {
  Example example;
  LaunchRecord record;
  Device device(record, record.reserve(example.task));
  record.build(example.task, false, example.wave, device.address());
  ASSERT_LE(record.size(), device.memory.size() * 8);
  abi::Wave &wave = device.wave();
  EXPECT_EQ(wave.first, 7u);
  EXPECT_EQ(wave.lanes, 100u);
  for (int f = 0; f < 3; ++f)
    EXPECT_EQ(wave.columns[f], example.columns[f]);
  ASSERT_TRUE(device.holds(wave.spawns[0]) && device.holds(wave.spawns[1]) && device.holds(wave.syncs[2]));
  EXPECT_EQ(wave.spawns[1], wave.spawns[2]) << "lanes would count the same elements twice";
  EXPECT_EQ(wave.spawns[0]->limit, 10u);
  for (int f = 0; f < 4; ++f)
    EXPECT_EQ(wave.spawns[1]->columns[f], example.otherColumns[f]);
  EXPECT_EQ(wave.syncs[0], nullptr);
  EXPECT_EQ(wave.syncs[1]->columns[0], example.syncColumn[0]);
  EXPECT_EQ(wave.syncs[2]->next, 4u);
  EXPECT_EQ(wave.restarts->columns[1], example.restartColumns[1]);
  EXPECT_EQ(wave.frames->free, example.frames.free);
  EXPECT_EQ(wave.frames->returns, example.frames.returns);
  ASSERT_TRUE(device.holds(wave.restarts) && device.holds(wave.frames) && device.holds(wave.spawns[1]->columns));
}

TEST(LaunchRecord, BringsBackWhatLanesTook) {
  Example example;
  LaunchRecord record;
  Device device(record, record.reserve(example.task));
  record.build(example.task, false, example.wave, device.address());
  abi::Wave &wave = device.wave();
  wave.spawns[0]->next += 100;
  wave.spawns[2]->next += 200;
  wave.syncs[1]->next += 300;
  wave.restarts->next += 400;
  wave.frames->taken = 5;
  wave.frames->returned = 6;
  device.bringBack();
  EXPECT_EQ(example.own.next, 1u);
  record.settle();
  EXPECT_EQ(example.own.next, 101u);
  EXPECT_EQ(example.others.next, 202u);
  EXPECT_EQ(example.sync1.next, 303u);
  EXPECT_EQ(example.sync2.next, 4u);
  EXPECT_EQ(example.restart.next, 405u);
  EXPECT_EQ(example.frames.taken, 5u);
  EXPECT_EQ(example.frames.returned, 6u);
  EXPECT_EQ(example.frames.count, 6u);
}

TEST(LaunchRecord, LeavesOutWhatAWaveHasNot) {
  Example example;
  LaunchRecord record;
  Device device(record, record.reserve(example.task));
  example.wave.kernel = 2; // consumes one column, and cannot yield
  example.wave.restarts = nullptr;
  example.wave.frames = nullptr;
  record.build(example.task, false, example.wave, device.address());
  uint64_t small = record.size();
  EXPECT_EQ(device.wave().columns[0], example.columns[0]);
  EXPECT_EQ(device.wave().restarts, nullptr);
  EXPECT_EQ(device.wave().frames, nullptr);
  record.settle();
  example.wave.restarts = &example.restart;
  record.build(example.task, true, example.wave, device.address());
  EXPECT_EQ(device.wave().columns[1], example.columns[1]) << "restarts have two columns";
  EXPECT_EQ(record.size(), small + 8 + sizeof(abi::Cursor) + 16);
}

} // namespace
} // namespace cilk2gpu::device
