// A channel-flow graph's device for tests, without the interface of hand-written graphs around it.
#ifndef CILK2GPU_TEST_UNIT_GRAPH_GRAPHTESTDEVICE_H
#define CILK2GPU_TEST_UNIT_GRAPH_GRAPHTESTDEVICE_H

#include "graph/GraphDevice.h"
#include "process/HostEnvironment.h"
#include "process/Settings.h"

#include <algorithm>
#include <vector>

namespace cilk2gpu::test {

/// A graph's device with settings of its own, on the machine that CILK2GPU_DEVICE names. A kernel is any function of
/// the device; its context tells it its identity.
struct TestDevice {
  explicit TestDevice(uint32_t wave, rt::Schedule schedule, uint64_t seed = 1,
                      rt::ProgressModel progress = rt::ProgressModel::Fair,
                      const rt::Environment &given = rt::hostEnvironment())
      : environment(given), report(environment, 0),
        device(environment, rt::settings().device, {{1, 4, 40}, schedule, progress, seed, 64 << 10}, 1, wave, 64,
               report) {}
  ~TestDevice() {
    device.destroy();
    report.destroy(environment);
  }
  rt::GraphNode &add(uint64_t bytes, uint64_t width, void *kernel, graph::Invoke invoke, bool isStack = false) {
    rt::GraphNode &node = device.addNode(bytes, width, isStack);
    node.kernel = kernel;
    node.invoke = invoke;
    return node;
  }
  /// Enqueues elements as the host, side by side.
  void put(rt::GraphNode &node, std::vector<int> values) {
    auto *elements = static_cast<int *>(device.talloc(node, 0, values.size()));
    std::copy(values.begin(), values.end(), elements);
    device.enq(node, elements);
  }

  rt::Environment environment;
  rt::GraphReport report;
  rt::GraphDevice device;
};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_GRAPH_GRAPHTESTDEVICE_H
