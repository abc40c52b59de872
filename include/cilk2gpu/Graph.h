// Channel-flow graphs written by hand: the channel interface and the graph interface of Orr et al., "Fine-grain Task
// Aggregation and Coordination on GPUs" (ISCA 2014), Table 1 and Figure 6. docs/graph.md is the guide.
//
// A kernel node's function runs once for each element of its channel. CILK2GPU_DEVICE chooses the device: native,
// model, gpu-host, hip or cuda. Lanes of a wavefront run one after another, with gpu-host in turns, and on a GPU at the
// same time. A GPU needs kernels that cilk2gpu++ --offload-arch has compiled. Elements are arrays of structures: talloc
// returns `count` elements, side by side.
//
// Thread-safety: a single thread builds and runs a graph, and a single graph runs at a time. Kernels run on that
// thread, unless the graph has several workers or runs on a GPU. A kernel may lose its turn to others inside talloc, so
// data that kernels share must not be half changed across a talloc. With several workers, and on GPUs, kernels must be
// safe to run at once.
//
//   void FibKernel(int srcID, int srcOff, int destID, int *result);
//
//   cilk2gpu::Graph g;
//   auto *channel = g.ChannelNode(sizeof(FibObj), 32768);
//   auto *kernel = g.KernelNode(FibKernel);
//   kernel->setConstArg(2, sizeof(int), channel->chID);
//   kernel->setConstArg(3, sizeof(int *), &result);
//   channel->connectToKernelNode(kernel);
//   auto *first = static_cast<FibObj *>(channel->talloc(1));
//   ... fill it ...; channel->enq(first);
//   g.execute();
//   g.waitForDone();
#ifndef CILK2GPU_GRAPH_H
#define CILK2GPU_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

// The compiler makes a version for GPUs of what it marks.
#ifdef __clang__
#define CILK2GPU_GRAPH_KERNEL __attribute__((annotate("cilk2gpu_graph_kernel")))
#else
#define CILK2GPU_GRAPH_KERNEL
#endif

namespace cilk2gpu {

//===-- In kernels: the paper's Table 1 ---------------------------------------------------------------------------===//

/// Allocates `count` elements of channel `id`, side by side. If there is no space, the wavefront gives up its context
/// until there is. In a channel stack, the level is one deeper than the element that the kernel consumes.
void *talloc(int id, int count);
/// Allocates elements on level `level` of a channel stack.
void *talloc(int id, int level, int count);
/// Makes allocated elements visible. The call of the kernel that allocated elements must enqueue all of them.
void enq(int id, void *elements);
/// Returns the element that this lane consumes. A kernel's first two arguments are `id` and `offset`.
void *deq(int id, int offset);
/// Frees the element. Must be called exactly once.
void tfree(int id, int offset);
/// Returns the level of the element; 0 in a channel without levels.
int levelOf(int id, int offset);

template <class T, class V> T atomic_add(T *target, V value) {
  return __atomic_fetch_add(target, static_cast<T>(value), __ATOMIC_RELAXED);
}

//===-- On the host -----------------------------------------------------------------------------------------------===//

/// State of a channel, or of one level of a channel stack, for predicates and schedulers. Times are in cycles of the
/// modelled machine; on other devices, in nanoseconds.
struct ChannelState {
  int id;
  int level;
  std::uint64_t ready;   ///< elements that could be dispatched
  std::uint64_t live;    ///< elements enqueued and not freed
  std::uint64_t running; ///< running wavefronts whose elements came from here, freed or not
  std::uint64_t width;
  std::uint64_t since; ///< time for which elements have been ready
  std::uint32_t wave;  ///< lanes of a full wavefront
};

/// Decides whether to dispatch from a channel with ready elements. It is not asked while no wavefront runs.
using Predicate = bool (*)(void *context, const ChannelState &channel);

/// Dispatches if a wavefront can be filled. This is the default.
inline bool fillsWavefront(void *, const ChannelState &channel) { return channel.ready >= channel.wave; }
/// Dispatches a full wavefront, or any elements after a time-out. `context` points to the time-out, a std::uint64_t in
/// the unit of ChannelState.
inline bool anyAfterTimeout(void *context, const ChannelState &channel) {
  return channel.ready >= channel.wave || channel.since >= *static_cast<const std::uint64_t *>(context);
}

/// Choice of a scheduler: up to `count` elements of channels[channel].
struct Dispatch {
  std::size_t channel;
  std::uint64_t count;
};

/// Chooses the next dispatch. Returns false to dispatch nothing now; it is then asked again after a change. If it
/// returns false while no wavefront runs and elements are ready, the run ends with a message.
using Scheduler = bool (*)(void *context, const ChannelState *channels, std::size_t numChannels, Dispatch &choice);

/// Conditions under which the elements of a channel stack's level may be dispatched.
enum class Readiness {
  /// Nothing is left in channels without levels, nor at deeper levels of any stack: no element, and no running
  /// wavefront that consumed an element.
  WhenDeeperIsDone,
  Always
};

/// Counts of all runs of a graph so far. `cycles` are nanoseconds on devices other than the modelled machine.
struct GraphStatistics {
  std::uint64_t wavefronts, lanes, yields, casAttempted, casFailed, cycles, elements, memoryHighWater;
};

namespace graph {
using Invoke = void (*)(void *kernel, int id, int offset);
void *create(unsigned workers);
void destroy(void *graph);
int addChannel(void *graph, std::size_t bytes, std::uint64_t width, bool isStack);
/// `invoke` calls `function` with the arguments of `kernel`.
void connect(void *graph, int channel, Invoke invoke, void *kernel, const void *function);
void setPredicate(void *graph, int channel, Predicate predicate, void *context);
void setReadiness(void *graph, int channel, Readiness readiness);
void setScheduler(void *graph, Scheduler scheduler, void *context);
void *hostTalloc(void *graph, int channel, int level, int count);
void hostEnq(void *graph, int channel, void *elements);
void run(void *graph);
GraphStatistics statistics(const void *graph);
[[noreturn]] void badArgument(int index, std::size_t bytes, int numArguments, std::size_t expected);

/// Kinds of argument. Copying the bytes of a value does not convert it to another kind.
enum class ArgumentKind { Integer, FloatingPoint, Pointer, Other };
template <class T> constexpr ArgumentKind argumentKind() {
  return std::is_integral<T>::value || std::is_enum<T>::value ? ArgumentKind::Integer
         : std::is_floating_point<T>::value                   ? ArgumentKind::FloatingPoint
         : std::is_pointer<T>::value                          ? ArgumentKind::Pointer
                                                              : ArgumentKind::Other;
}
[[noreturn]] void badArgumentKind(int index, ArgumentKind kind, ArgumentKind expected);
[[noreturn]] void missingArgument(int channel, int index);
} // namespace graph

class Graph;

/// A function that runs for each element of the channels that are connected to it.
class KernelNode {
public:
  virtual ~KernelNode() = default;
  KernelNode(const KernelNode &) = delete;

  /// Sets argument `index`, 2 or more: arguments 0 and 1 are the channel's number and the element's offset. Every
  /// argument must be set before the graph is executed. `bytes` is the size of its type. The value is not converted.
  template <class T> void setConstArg(int index, std::size_t bytes, const T &value) {
    setArgument(index, bytes, sizeof value, &value, graph::argumentKind<T>());
  }

protected:
  KernelNode() = default;
  virtual void setArgument(int index, std::size_t bytes, std::size_t valueBytes, const void *value,
                           graph::ArgumentKind kind) = 0;
  /// Returns the index of the first argument that is not set; 0 if all are set.
  virtual int firstMissing() const = 0;
  friend class ChannelNode;
  graph::Invoke invoke = nullptr;
  const void *entry = nullptr; ///< the function that `invoke` calls

private:
  friend class Graph;
  KernelNode *next = nullptr;
};

namespace graph {
template <class... Args> class TypedKernelNode final : public KernelNode {
public:
  explicit TypedKernelNode(void (*function)(int, int, Args...)) : function(function) {
    invoke = call;
    entry = reinterpret_cast<const void *>(function);
  }

private:
  CILK2GPU_GRAPH_KERNEL static void call(void *self, int id, int offset) {
    auto &node = *static_cast<TypedKernelNode *>(static_cast<KernelNode *>(self));
    std::apply([&](auto &...values) { node.function(id, offset, values...); }, node.arguments);
  }
  void setArgument(int index, std::size_t bytes, std::size_t valueBytes, const void *value,
                   ArgumentKind kind) override {
    if (index < 2 || index >= int(sizeof...(Args)) + 2)
      badArgument(index, bytes, int(sizeof...(Args)) + 2, 0);
    setEach(std::index_sequence_for<Args...>(), index, bytes, valueBytes, value, kind);
    isSet[index - 2] = true;
  }
  template <std::size_t... I>
  void setEach(std::index_sequence<I...>, int index, std::size_t bytes, std::size_t valueBytes, const void *value,
               ArgumentKind kind) {
    (void)std::initializer_list<int>{(setOne<I>(index, bytes, valueBytes, value, kind), 0)...};
  }
  template <std::size_t I>
  void setOne(int index, std::size_t bytes, std::size_t valueBytes, const void *value, ArgumentKind kind) {
    using Argument = std::tuple_element_t<I, std::tuple<Args...>>;
    static_assert(std::is_trivially_copyable_v<Argument>, "a kernel's arguments are plain data");
    if (index != int(I) + 2)
      return;
    if (bytes != sizeof(Argument) || valueBytes != bytes)
      badArgument(index, valueBytes != bytes ? valueBytes : bytes, int(sizeof...(Args)) + 2, sizeof(Argument));
    constexpr ArgumentKind expected = argumentKind<Argument>();
    if (kind != expected && kind != ArgumentKind::Other && expected != ArgumentKind::Other)
      badArgumentKind(index, kind, expected);
    std::memcpy(&std::get<I>(arguments), value, bytes);
  }
  int firstMissing() const override {
    for (std::size_t i = 0; i < sizeof...(Args); ++i)
      if (!isSet[i])
        return int(i) + 2;
    return 0;
  }

  void (*function)(int, int, Args...);
  std::tuple<Args...> arguments;
  bool isSet[sizeof...(Args) + 1] = {};
};
} // namespace graph

/// A bounded queue of elements that one kernel node consumes.
class ChannelNode {
public:
  const int chID;

  virtual ~ChannelNode() = default;
  ChannelNode(const ChannelNode &) = delete;

  void connectToKernelNode(KernelNode *kernel) {
    graph::connect(owner, chID, kernel ? kernel->invoke : nullptr, kernel, kernel ? kernel->entry : nullptr);
    consumer = kernel;
  }
  void setPredicate(Predicate predicate, void *context = nullptr) {
    graph::setPredicate(owner, chID, predicate, context);
  }

  /// Allocates elements before the graph is executed. A full channel ends the program with a message.
  void *talloc(int count) { return graph::hostTalloc(owner, chID, 0, count); }
  void enq(void *elements) { graph::hostEnq(owner, chID, elements); }

protected:
  ChannelNode(void *owner, int id) : chID(id), owner(owner) {}
  void *const owner;

private:
  friend class Graph;
  ChannelNode *next = nullptr;
  KernelNode *consumer = nullptr;
};

/// One channel of the same kind for each level of a recursion (the paper's Figure 11). A level is created on first use.
class ChannelStackNode : public ChannelNode {
public:
  using ChannelNode::talloc; ///< on level 0
  void *talloc(int level, int count) { return graph::hostTalloc(owner, chID, level, count); }
  void setReadiness(Readiness readiness) { graph::setReadiness(owner, chID, readiness); }

private:
  friend class Graph;
  using ChannelNode::ChannelNode;
};

class Graph {
public:
  /// With CILK2GPU_DEVICE=native, `workers` threads run kernels at the same time; 0: as many as CILK2GPU_WORKERS says.
  /// A kernel stays on its thread. Other devices take no notice of it.
  explicit Graph(unsigned workers = 1) : handle(graph::create(workers)) {}
  ~Graph() {
    while (cilk2gpu::KernelNode *kernel = kernels) {
      kernels = kernel->next;
      delete kernel;
    }
    while (cilk2gpu::ChannelNode *channel = channels) {
      channels = channel->next;
      delete channel;
    }
    graph::destroy(handle);
  }
  Graph(const Graph &) = delete;

  /// Creates a channel that holds `width` elements of `bytes` bytes. The graph owns its nodes.
  cilk2gpu::ChannelNode *ChannelNode(std::size_t bytes, std::uint64_t width) {
    auto *node = new cilk2gpu::ChannelNode(handle, graph::addChannel(handle, bytes, width, false));
    return keep(node);
  }
  cilk2gpu::ChannelStackNode *ChannelStackNode(std::size_t bytes, std::uint64_t width) {
    auto *node = new cilk2gpu::ChannelStackNode(handle, graph::addChannel(handle, bytes, width, true));
    return keep(node);
  }
  template <class... Args> cilk2gpu::KernelNode *KernelNode(void (*function)(int, int, Args...)) {
    auto *node = new graph::TypedKernelNode<Args...>(function);
    node->next = kernels;
    return kernels = node;
  }
  /// Creates a kernel node from a lambda without captures.
  template <class Function> auto KernelNode(Function function) -> decltype(KernelNode(+function)) {
    return KernelNode(+function);
  }

  /// Replaces the default scheduler, which is levelized and asks the predicates.
  void setScheduler(Scheduler scheduler, void *context = nullptr) { graph::setScheduler(handle, scheduler, context); }

  /// Starts the graph. The graph may run only within waitForDone().
  void execute() { isExecuting = true; }
  /// Returns when nothing is left in any channel.
  void waitForDone() {
    if (isExecuting) {
      for (cilk2gpu::ChannelNode *channel = channels; channel; channel = channel->next)
        if (int index = channel->consumer ? channel->consumer->firstMissing() : 0)
          graph::missingArgument(channel->chID, index);
      graph::run(handle);
    }
    isExecuting = false;
  }

  GraphStatistics statistics() const { return graph::statistics(handle); }

private:
  template <class Node> Node *keep(Node *node) {
    node->next = channels;
    channels = node;
    return node;
  }

  void *const handle;
  bool isExecuting = false;
  cilk2gpu::KernelNode *kernels = nullptr;
  cilk2gpu::ChannelNode *channels = nullptr;
};

} // namespace cilk2gpu

#undef CILK2GPU_GRAPH_KERNEL

#endif // CILK2GPU_GRAPH_H
