// Dependency graphs of thread blocks, as in Abdolrashidi et al., "Wireframe: Supporting Data-dependent Parallelism
// through Dependency Graph Execution in GPUs" (MICRO 2017). docs/wireframe.md is the guide.
//
// A launch runs a kernel once for each thread of each block of a grid. A block begins when all its parents have ended.
// A mapping function names the parents of each block, or arrays list the children of each node.
//
//   __WF__ void sum(int *table, int n) {                      // the table has n x n blocks of one number
//     unsigned x = blockIdx.x, y = blockIdx.y;
//     if (x && y)
//       table[y * n + x] = table[y * n + x - 1] + table[(y - 1) * n + x];
//   }
//   void links() {
//     WF::AddDependency({blockIdx.x - 1, blockIdx.y});
//     WF::AddDependency({blockIdx.x, blockIdx.y - 1});
//   }
//   wf::launch(dim3(n, n), dim3(1), links, sum, table, n);     // returns when all blocks have ended
//
// Thread-safety: any thread may launch; launches of several threads take turns. Blocks run on several threads at once.
// What a block has written can be seen by its children, and by the thread that launched when the launch returns. The
// threads of a block run one after another, on one thread of the host.
//
// The header needs C++17 and the library cilk2gpu_rt, and no particular compiler. cilk2gpu++ also makes code for whole
// blocks of kernels that are marked with __WF__. C programs get wf_launch_graph.
#ifndef CILK2GPU_WIREFRAME_H
#define CILK2GPU_WIREFRAME_H

#define CILK2GPU_WIREFRAME 1

#include <stdint.h>

/// On functions of the library: a program and the shared libraries that it loads use them together.
#define CILK2GPU_WIREFRAME_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C"
#endif
    /// Calls block(node, args) once for each node from 0 to nodes - 1, on several threads: a node after all its
    /// parents. The children of node v are children[starts[v]] to children[starts[v + 1] - 1]. `starts` has nodes + 1
    /// elements.
    CILK2GPU_WIREFRAME_API void wf_launch_graph(uint64_t nodes, const uint64_t *starts, const uint32_t *children,
                                                void (*block)(uint64_t node, void *args), void *args);

#ifdef __cplusplus

#include <cstddef>
#include <cstdint>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

// cilk2gpu++ makes code for whole blocks of marked kernels, and looks for constant distances of parents in mapping
// functions. Other compilers ignore the marks. The serial elision has none.
#if defined(__clang__) && !defined(__cilk2gpu_elision__)
#define __WF__ __attribute__((annotate("cilk2gpu_block_kernel")))
#define CILK2GPU_BLOCK_SYNC __attribute__((annotate("cilk2gpu_block_sync")))
#define CILK2GPU_BLOCK_LINK __attribute__((annotate("cilk2gpu_block_link")))
#define CILK2GPU_BLOCK_POLICY __attribute__((annotate("cilk2gpu_block_policy")))
#define CILK2GPU_BLOCK_MAPPING __attribute__((annotate("cilk2gpu_block_mapping")))
#else
#define __WF__
#define CILK2GPU_BLOCK_SYNC
#define CILK2GPU_BLOCK_LINK
#define CILK2GPU_BLOCK_POLICY
#define CILK2GPU_BLOCK_MAPPING
#endif
/// `__WF__` marks kernels, and functions that kernels call and that use blockIdx and the like.

// The compiler makes versions for GPUs with the help of these marks:
// - the index variables;
// - variables that the threads of a block share;
// - functions by which a launch calls kernels on GPUs;
// - functions that only the host calls.
#ifdef __clang__
#define CILK2GPU_BLOCK_INDEX __attribute__((annotate("cilk2gpu_block_index")))
#define CILK2GPU_BLOCK_SHARED __attribute__((annotate("cilk2gpu_block_shared")))
#define CILK2GPU_BLOCK_CALL __attribute__((annotate("cilk2gpu_block_call")))
#define CILK2GPU_BLOCK_HOST __attribute__((annotate("cilk2gpu_block_host")))
#else
#define CILK2GPU_BLOCK_INDEX
#define CILK2GPU_BLOCK_SHARED
#define CILK2GPU_BLOCK_CALL
#define CILK2GPU_BLOCK_HOST
#endif

/// Declares a variable that the threads of a block share: `WF_SHARED float tile[16][16];`. Its type is a trivial one.
/// It has no defined value when a block begins. On the host, a block never changes its thread, so the variable belongs
/// to the thread. On GPUs it is in the memory of a workgroup.
#define WF_SHARED CILK2GPU_BLOCK_SHARED static thread_local

/// Extents of a grid or of a block, and indices of blocks and threads.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) noexcept : x(x), y(y), z(z) {}
};

/// In kernels: the block and the thread that run. In mapping functions, threadIdx is (0, 0, 0).
CILK2GPU_BLOCK_INDEX inline thread_local dim3 blockIdx(0, 0, 0), threadIdx(0, 0, 0), blockDim(0, 0, 0),
    gridDim(0, 0, 0);

namespace WF {

/// LRR takes the block that has been ready for longest, as far as that is cheap. LVL takes a block of the lowest level,
/// and has a bound: the levels of blocks that run at the same time differ by no more. A block's level is 0 if it has no
/// parents, else one more than the largest level of a parent.
enum Policy { LRR, LVL };

} // namespace WF

//===--------------------------------------------------------------------------------------------------------------===//
// Between this header and the library. Programs do not use these names.
//===--------------------------------------------------------------------------------------------------------------===//

namespace wf {
namespace detail {

/// The policy that was asked for.
struct PolicyChoice {
  WF::Policy policy = WF::LRR;
  std::int64_t bound = kNoBound;
  bool isGiven = false;

  static constexpr std::int64_t kNoBound = INT64_MIN;
};

/// Parents of a run of blocks: an array with the parents of one block behind those of another.
struct Collector {
  std::uint32_t *next, *end; ///< free places of the array
  std::uint32_t *first;      ///< parents of the block whose mapping function runs
  std::uint32_t *counts;     ///< of the block whose mapping function runs: gets the number of parents
  std::uint64_t extents[3];  ///< of the grid
  dim3 grid, block;
  PolicyChoice policy;
  std::uint32_t *array; ///< its begin
  void *memory;         ///< of the library
};
inline thread_local Collector *collector = nullptr; ///< null: no mapping function runs on this thread

/// Makes room for one parent at least.
CILK2GPU_WIREFRAME_API void growCollector(Collector &collector);
/// The mapping function of a block has returned.
inline void endOfBlock(Collector &collector) {
  *collector.counts++ = static_cast<std::uint32_t>(collector.next - collector.first);
  collector.first = collector.next;
}
CILK2GPU_WIREFRAME_API void setPolicy(Collector *collector, const PolicyChoice &choice);
[[noreturn]] CILK2GPU_WIREFRAME_API void outsideOfMappingFunction(const char *function);
CILK2GPU_WIREFRAME_API void syncThreads();

/// The first exception of a launch, in the order of the serial elision: that of the block with the smallest number. If
/// parents may have larger numbers than their children, it is that of the lowest level. Blocks behind it do not start.
/// Any thread may call the functions while blocks run.
class ThrownBlock {
public:
  /// The levels of the blocks. Null: parents have smaller numbers than their children.
  const std::uint32_t *levels = nullptr;

  bool isAny() const { return __atomic_load_n(&first, __ATOMIC_RELAXED) != kNone; }
  /// Returns true for a block that has thrown, and for the blocks behind it.
  bool stops(std::uint64_t block) const {
    return isAny() && __atomic_load_n(&first, __ATOMIC_RELAXED) <= placeOf(block);
  }

  /// The caller has caught an exception of a block.
  void set(std::uint64_t block) noexcept {
    while (__atomic_exchange_n(&isLocked, true, __ATOMIC_ACQUIRE)) { // pairs with the release below
    }
    const std::uint64_t place = placeOf(block);
    if (place < first) {
      exception = std::current_exception();
      __atomic_store_n(&first, place, __ATOMIC_RELAXED); // `stops` may miss it: blocks that wait for this one do not
    }
    __atomic_store_n(&isLocked, false, __ATOMIC_RELEASE);
  }

  /// Throws the exception, if there is any. No block runs.
  void rethrow() {
    if (!isAny())
      return;
#ifdef __cpp_exceptions
    std::rethrow_exception(std::move(exception));
#else
    std::terminate();
#endif
  }

private:
  std::uint64_t placeOf(std::uint64_t block) const {
    return levels ? static_cast<std::uint64_t>(levels[block]) << 32 | block : block;
  }

  static constexpr std::uint64_t kNone = UINT64_MAX;
  std::uint64_t first = kNone; ///< place of the block that has thrown `exception`
  std::exception_ptr exception;
  bool isLocked = false;
};

/// Calls `run`. An exception of it goes to `thrown`.
template <class F> void runGuarded(ThrownBlock &thrown, std::uint64_t block, F run) {
#ifdef __cpp_exceptions
  try {
    run();
  } catch (...) {
    thrown.set(block);
  }
#else
  static_cast<void>(thrown), static_cast<void>(block);
  run();
#endif
}

/// Calls the mapping function for blocks `begin` to `end` - 1, on any thread.
struct MappingFunction {
  /// Null if the program has passed a null pointer.
  void (*run)(const void *links, Collector &collector, std::uint64_t begin, std::uint64_t end);
  const void *links;
  /// An address that stands for the mapping function. The compiler may know what the function names.
  const void *address = nullptr;
  /// After an exception, no block runs. Null: an exception ends the program.
  const ThrownBlock *thrown = nullptr;
};

/// Runs the kernel for all threads of a block, on any thread.
struct BlockFunction {
  void (*run)(void *context, std::uint64_t block);
  void *context;
  const void *kernel;            ///< its address
  ThrownBlock *thrown = nullptr; ///< gets the levels if it needs them

  // For GPUs. All are null: there is only `run`.
  /// Runs one thread of a block. All threads of the block run it at the same time, with index variables of their own.
  void (*thread)(void *arguments, std::uint32_t block, std::uint32_t thread) = nullptr;
  /// Runs a block of one thread.
  void (*node)(std::uint64_t block, void *arguments) = nullptr;
  /// Runs one thread of a block of the IR (cilk2gpu/abi/BlockRecords.h).
  void (*placed)(const void *place, void *arguments) = nullptr;
  void *arguments = nullptr; ///< of `thread`, `node` or `placed`
};

/// A launch of a kernel whose blocks the compiler has made code for. Other kernels have none.
class CILK2GPU_WIREFRAME_API CompiledLaunch {
public:
  CompiledLaunch(const void *kernel, dim3 grid, dim3 block);
  ~CompiledLaunch();
  CompiledLaunch(const CompiledLaunch &) = delete;

  /// A function of the kernel's type, which stores the arguments of this launch; null: the kernel runs by itself.
  const void *pack() const { return storing; }
  BlockFunction function() const { return blocks; }

private:
  const void *storing;
  BlockFunction blocks;
  void *memory;
};

/// A graph that is known at run time. Integers have 4 or 8 bytes.
struct Arrays {
  const void *starts, *children;
  std::uint64_t numStarts, numChildren; ///< elements; kUnknown: pointers were given
  std::uint8_t startBytes, childBytes;
  bool areStartsSigned, areChildrenSigned;

  static constexpr std::uint64_t kUnknown = UINT64_MAX;
};

CILK2GPU_WIREFRAME_API void launchGrid(dim3 grid, dim3 block, const MappingFunction &links,
                                       const BlockFunction &kernel);
CILK2GPU_WIREFRAME_API void launchArrays(std::uint64_t nodes, const Arrays &arrays, const PolicyChoice &policy,
                                         dim3 block, const BlockFunction &kernel);
/// Calls thread(context, t) for t from 0 to threads - 1, so that syncThreads() works.
CILK2GPU_WIREFRAME_API void runThreads(void (*thread)(void *context, std::uint32_t thread), void *context,
                                       std::uint64_t block, std::uint32_t threads);

/// Sets the index variables back at its end.
class IndexScope {
public:
  IndexScope() : block(blockIdx), thread(threadIdx), blockExtents(blockDim), gridExtents(gridDim) {}
  ~IndexScope() {
    blockIdx = block;
    threadIdx = thread;
    blockDim = blockExtents;
    gridDim = gridExtents;
  }
  IndexScope(const IndexScope &) = delete;

private:
  dim3 block, thread, blockExtents, gridExtents;
};

/// Coordinates of a number, x fastest. Grids of one dimension need no division.
inline void setIndex(dim3 &index, std::uint32_t number, const dim3 &extents) {
  index.x = number;
  index.y = index.z = 0;
  if (extents.y == 1 && extents.z == 1)
    return;
  index.x = number % extents.x;
  index.y = number /= extents.x;
  if (extents.z == 1)
    return;
  index.y = number % extents.y;
  index.z = number / extents.y;
}

/// A kernel and its arguments, for one launch.
template <class... P> struct Call {
  void (*kernel)(P...);
  std::tuple<std::remove_cv_t<P>...> arguments;
  dim3 grid, block;
  std::uint32_t threads;
  mutable ThrownBlock thrown = {};

  const void *address() const { return reinterpret_cast<const void *>(kernel); }

  BlockFunction function(const CompiledLaunch &compiled) {
    BlockFunction result = {runBlock, this, address(), &thrown};
    if (compiled.pack()) {
      std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void *>(compiled.pack())), arguments);
      result = compiled.function();
    }
    result.placed = nullptr;
    result.thread = runOneThread;
    result.arguments = this;
    return result;
  }

  void operator()() const { std::apply(kernel, arguments); }

  CILK2GPU_BLOCK_HOST static void runBlock(void *context, std::uint64_t number) noexcept {
    const Call &call = *static_cast<const Call *>(context);
    if (call.thrown.stops(number))
      return;
    setIndex(blockIdx, static_cast<std::uint32_t>(number), call.grid);
    blockDim = call.block;
    gridDim = call.grid;
    threadIdx = dim3(0, 0, 0);
    if (call.threads == 1)
      runGuarded(call.thrown, number, call);
    else
      runThreads(runThread, context, number, call.threads);
  }

  CILK2GPU_BLOCK_HOST static void runThread(void *context, std::uint32_t number) noexcept {
    const Call &call = *static_cast<const Call *>(context);
    const std::uint64_t block =
        blockIdx.x + std::uint64_t(call.grid.x) * (blockIdx.y + std::uint64_t(call.grid.y) * blockIdx.z);
    if (call.thrown.stops(block)) // a thread before has thrown
      return;
    setIndex(threadIdx, number, call.block);
    runGuarded(call.thrown, block, call);
  }

  /// On a GPU, the index variables are the hardware's, and nothing is set.
  CILK2GPU_BLOCK_CALL static void runOneThread(void *context, std::uint32_t block, std::uint32_t thread) noexcept {
    const Call &call = *static_cast<const Call *>(context);
    setIndex(blockIdx, block, call.grid);
    setIndex(threadIdx, thread, call.block);
    blockDim = call.block;
    gridDim = call.grid;
    call();
  }
};

/// Kernels return nothing, and take copies of trivial values and pointers.
template <class R, class... P> struct KernelCheck {
  static_assert(std::is_void<R>::value, "wf::launch: a kernel returns nothing, and this one returns a value; make its "
                                        "return type void, and write results through a pointer");
  static_assert(!(std::is_reference<P>::value || ...),
                "wf::launch: a kernel takes values and pointers, and this one has a parameter that is a reference; "
                "pass a pointer instead");
  static_assert((std::is_trivially_copyable<std::remove_reference_t<P>>::value && ...),
                "wf::launch: a kernel's parameters are trivially copyable, and this one has a parameter whose copies "
                "run code; pass a pointer instead");
  static constexpr bool isValid = std::is_void<R>::value && !(std::is_reference<P>::value || ...) &&
                                  (std::is_trivially_copyable<std::remove_reference_t<P>>::value && ...);
};

template <class... P> struct Parameters {
  template <class... A> static constexpr bool areGiven() {
    if constexpr (sizeof...(A) == sizeof...(P))
      return (std::is_convertible<A, P>::value && ...);
    else
      return false;
  }
};

/// Calls a mapping function for one block. cilk2gpu++ reads it; its address stands for a mapping function that is an
/// object, such as a lambda.
template <class L> CILK2GPU_BLOCK_HOST CILK2GPU_BLOCK_MAPPING void mapOneBlock(const void *links) {
  static_cast<void>((*static_cast<const L *>(links))());
}

/// A mapping function in a launch.
template <class L> struct Mapping {
  const L &links;
  mutable ThrownBlock thrown = {};

  MappingFunction function() const;
};

template <class L>
CILK2GPU_BLOCK_HOST void mapBlocks(const void *links, Collector &collected, std::uint64_t begin, std::uint64_t end) {
  const Mapping<L> &mapping = *static_cast<const Mapping<L> *>(links);
  const dim3 grid = collected.grid;
  gridDim = grid;
  blockDim = collected.block;
  threadIdx = dim3(0, 0, 0);
  Collector *outer = collector;
  collector = &collected;
  setIndex(blockIdx, static_cast<std::uint32_t>(begin), grid);
  for (dim3 block = blockIdx; begin != end; ++begin) {
    blockIdx = block;
    if (!mapping.thrown.stops(begin))
      runGuarded(mapping.thrown, begin, [&] { static_cast<void>(mapping.links()); });
    endOfBlock(collected);
    if (++block.x == grid.x) {
      block.x = 0;
      if (++block.y == grid.y) {
        block.y = 0;
        ++block.z;
      }
    }
  }
  collector = outer;
}

/// Mapping functions that are functions have an address of their own.
template <class L> MappingFunction Mapping<L>::function() const {
  if constexpr (std::is_function<std::remove_pointer_t<L>>::value)
    return {links ? mapBlocks<L> : nullptr, this, reinterpret_cast<const void *>(links), &thrown};
  else
    return {mapBlocks<L>, this, reinterpret_cast<const void *>(&mapOneBlock<L>), &thrown};
}

/// Launches a grid. Throws the exceptions of the mapping function.
template <class L> void launchMapped(dim3 grid, dim3 block, const L &links, const BlockFunction &kernel) {
  const Mapping<L> mapping = {links};
  launchGrid(grid, block, mapping.function(), kernel);
  mapping.thrown.rethrow();
}

} // namespace detail

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------------------------------------------===//

/// In a kernel: waits until all threads of the block have come here. Either all threads of the block call it, or none:
/// a condition before it has the same value in all of them.
CILK2GPU_BLOCK_SYNC inline void SyncThreads() {
  const dim3 thread = threadIdx;
  detail::syncThreads();
  threadIdx = thread;
}

} // namespace wf

//===--------------------------------------------------------------------------------------------------------------===//
// Mapping functions
//===--------------------------------------------------------------------------------------------------------------===//

namespace WF {

/// A block that another one waits for. Fields that are missing in braces are 0. A coordinate outside of the grid, such
/// as -1, means that there is no parent. So does one below 0 of an unsigned type, which wraps around.
struct Parent {
  std::uint64_t x, y, z;

  template <
      class X, class Y = unsigned, class Z = unsigned,
      class = std::enable_if_t<std::is_integral<X>::value && std::is_integral<Y>::value && std::is_integral<Z>::value>>
  constexpr Parent(X x, Y y = 0, Z z = 0) noexcept : x(wide(x)), y(wide(y)), z(wide(z)) {}
  constexpr Parent(const dim3 &block) noexcept : x(block.x), y(block.y), z(block.z) {}

private:
  template <class T> static constexpr std::uint64_t wide(T value) { return static_cast<std::uint64_t>(value); }
};

/// In a mapping function: the block blockIdx begins only when `parent` has ended. Along a dimension of extent 1, which
/// dim3(x, y) has, the coordinate 1 means 0.
CILK2GPU_BLOCK_LINK inline void AddDependency(const Parent &parent) {
  wf::detail::Collector *collector = wf::detail::collector;
  if (!collector)
    wf::detail::outsideOfMappingFunction("WF::AddDependency");
  const std::uint64_t (&extents)[3] = collector->extents;
  const std::uint64_t x = extents[0] == 1 && parent.x == 1 ? 0 : parent.x;
  const std::uint64_t y = extents[1] == 1 && parent.y == 1 ? 0 : parent.y;
  const std::uint64_t z = extents[2] == 1 && parent.z == 1 ? 0 : parent.z;
  if (x >= extents[0] || y >= extents[1] || z >= extents[2])
    return;
  if (collector->next == collector->end)
    wf::detail::growCollector(*collector);
  *collector->next++ = static_cast<std::uint32_t>(x + extents[0] * (y + extents[1] * z));
}

/// In a mapping function: the policy of the whole launch. All calls in a launch agree.
CILK2GPU_BLOCK_POLICY inline void SetPolicy(Policy policy, std::int64_t bound) {
  wf::detail::setPolicy(wf::detail::collector, {policy, bound, true});
}
inline void SetPolicy(Policy policy) { SetPolicy(policy, wf::detail::PolicyChoice::kNoBound); }

} // namespace WF

//===--------------------------------------------------------------------------------------------------------------===//
// Launches
//===--------------------------------------------------------------------------------------------------------------===//

namespace wf {

/// A graph that is known at run time: blockIdx.x is the node. The children of node v are children[starts[v]] to
/// children[starts[v + 1] - 1], and `starts` has nodes + 1 elements. `starts` and `children` are pointers, arrays,
/// vectors or spans of integers of 32 or 64 bits. The graph borrows them until the launch returns.
class Graph {
public:
  template <class N, class S, class C> Graph(N nodes, const S &starts, const C &children) {
    static_assert(std::is_integral<N>::value, "wf::Graph: the number of nodes is an integer");
    this->numNodes = static_cast<std::uint64_t>(nodes);
    Array s = arrayOf(starts), c = arrayOf(children);
    arrays = {s.data, c.data, s.count, c.count, s.bytes, c.bytes, s.isSigned, c.isSigned};
  }

  /// Sets the policy of launches.
  Graph &policy(WF::Policy kind) & { return setPolicy({kind, detail::PolicyChoice::kNoBound, true}); }
  Graph &policy(WF::Policy kind, std::int64_t bound) & { return setPolicy({kind, bound, true}); }
  Graph &&policy(WF::Policy kind) && { return std::move(policy(kind)); }
  Graph &&policy(WF::Policy kind, std::int64_t bound) && { return std::move(policy(kind, bound)); }

  std::uint64_t nodes() const { return numNodes; }

private:
  struct Array {
    const void *data;
    std::uint64_t count;
    std::uint8_t bytes;
    bool isSigned;
  };

  template <class T> static Array make(const T *data, std::uint64_t count) {
    static_assert(std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8),
                  "wf::Graph: starts and children are integers of 32 or 64 bits");
    return {data, count, sizeof(T), std::is_signed<T>::value};
  }
  template <class T> static Array arrayOf(T *const &data) { return make(data, detail::Arrays::kUnknown); }
  template <class T, std::size_t N> static Array arrayOf(const T (&data)[N]) { return make(data, N); }
  template <class T> static auto arrayOf(const T &container) -> decltype(make(container.data(), container.size())) {
    return make(container.data(), container.size());
  }

  Graph &setPolicy(const detail::PolicyChoice &wanted) {
    choice = wanted;
    return *this;
  }

  std::uint64_t numNodes;
  detail::Arrays arrays;
  detail::PolicyChoice choice;

  template <class R, class... P, class... A>
  friend void launch(const Graph &graph, dim3 block, R (*kernel)(P...), A &&...arguments);
};

/// Runs kernel(arguments...) for each thread of each block of the grid, and returns when all blocks have ended. `links`
/// is the mapping function: a function or a lambda that takes no arguments. It runs once for each block, before the
/// first block runs, on several threads.
template <class L, class R, class... P, class... A>
void launch(dim3 grid, dim3 block, const L &links, R (*kernel)(P...), A &&...arguments) {
  using Check = detail::KernelCheck<R, P...>;
  constexpr bool areGiven = detail::Parameters<P...>::template areGiven<A...>();
  constexpr bool isMapping = std::is_invocable<const L &>::value;
  static_assert(areGiven,
                "wf::launch: the arguments behind the kernel are those that the kernel takes, in number and type");
  static_assert(isMapping,
                "wf::launch: a mapping function takes no arguments, and a lambda that is one is not mutable: "
                "it runs on several threads");
  if constexpr (Check::isValid && areGiven && isMapping) {
    detail::IndexScope outer;
    const std::uint32_t threads = block.x * block.y * block.z;
    detail::Call<P...> call{kernel, {static_cast<P>(std::forward<A>(arguments))...}, grid, block, threads};
    const detail::CompiledLaunch compiled(call.address(), grid, block);
    const detail::BlockFunction function = call.function(compiled);
    if constexpr (std::is_function<L>::value) { // whose address is no pointer to an object
      L *const mapping = links;
      detail::launchMapped(grid, block, mapping, function);
    } else {
      detail::launchMapped(grid, block, links, function);
    }
    call.thrown.rethrow();
  }
}

/// As above, for a graph that is known at run time. The grid is a row of its nodes.
template <class R, class... P, class... A>
void launch(const Graph &graph, dim3 block, R (*kernel)(P...), A &&...arguments) {
  using Check = detail::KernelCheck<R, P...>;
  constexpr bool areGiven = detail::Parameters<P...>::template areGiven<A...>();
  static_assert(areGiven,
                "wf::launch: the arguments behind the kernel are those that the kernel takes, in number and type");
  if constexpr (Check::isValid && areGiven) {
    detail::IndexScope outer;
    const dim3 grid(static_cast<unsigned>(graph.numNodes));
    const std::uint32_t threads = block.x * block.y * block.z;
    detail::Call<P...> call{kernel, {static_cast<P>(std::forward<A>(arguments))...}, grid, block, threads};
    const detail::CompiledLaunch compiled(call.address(), grid, block);
    detail::launchArrays(graph.numNodes, graph.arrays, graph.choice, block, call.function(compiled));
    call.thrown.rethrow();
  }
}

} // namespace wf

#endif // __cplusplus
#endif // CILK2GPU_WIREFRAME_H
