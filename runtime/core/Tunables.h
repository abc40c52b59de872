// Numbers of the runtime that were chosen rather than derived. Each number has its unit, its reason, and the
// measurement that supports it, if there was one. The measurements are medians on 2 cores with AVX-512. Repeat them
// with bench/ before you change a number. Lengths of texts, and numbers that a format or an interface of the system
// requires, stand where they are used instead.
#ifndef CILK2GPU_RUNTIME_CORE_TUNABLES_H
#define CILK2GPU_RUNTIME_CORE_TUNABLES_H

#include <stdint.h>

namespace cilk2gpu::rt::tunables {

//===--------------------------------------------------------------------------------------------------------------===//
// Wavefronts and channels
//===--------------------------------------------------------------------------------------------------------------===//

/// Lanes of a wavefront when CILK2GPU_WAVE is not set: the largest wave size that is allowed. The cost of a dispatch,
/// some ten nanoseconds, does not depend on its lanes, so it is smallest for each lane with many lanes.
inline constexpr uint32_t kDefaultWave = 64;

/// Elements of a channel when CILK2GPU_WIDTH is not set. The elements, frames and post-sync elements of a level should
/// stay in a core's second-level cache: at about 100 bytes per task, 4,096 of them take 400 KB. Breadth-first programs
/// written by hand were fastest with blocks of 1,000 to 4,000 elements.
inline constexpr uint64_t kDefaultWidth = 4096;

/// Bytes that one task's frames, or its elements, may take at a level when CILK2GPU_WIDTH is not set. Tasks with large
/// frames (such as a board or a buffer among the locals) get a smaller width. So a level stays in the second-level
/// cache, and ten levels of frames of a megabyte do not use up the machine's memory.
inline constexpr uint64_t kDefaultLevelBytes = 2 * 1024 * 1024;

/// Elements that share a done count when CILK2GPU_DONE_COUNT is not set: the paper's number.
inline constexpr uint32_t kDefaultDoneCount = 64;

/// Elements in a channel's first buffer. A recursion can be 100,000 levels deep with one element in each level, so the
/// first buffer must be small. Each further buffer doubles the capacity.
inline constexpr uint64_t kFirstElements = 2;

/// Elements in the first segment of a modelled channel, whose segments double.
inline constexpr uint64_t kFirstBuffer = 4;

/// Columns of at least this many bytes start at a cache line, so that a vector load of a wave's lanes touches as few
/// lines as possible. Smaller columns are aligned to 16 bytes.
inline constexpr uint64_t kLargeColumn = 512;

/// Bytes of a level's state that are prefetched, in addition to its TaskLevel, before the scheduler comes to the level.
/// The state is allocated right behind the TaskLevel. Without the prefetch, a level of a chain cost twice as much.
inline constexpr uint64_t kLevelBytes = 384;

/// Number of levels that the scheduler prefetches ahead of the current level. Dispatches at the levels in between take
/// longer than an access to main memory. The task list of a level twice as far ahead is prefetched, too.
inline constexpr int64_t kFetchedAhead = 3;

//===--------------------------------------------------------------------------------------------------------------===//
// Upper bounds of settings. They guard against mistyped numbers, unless the comment gives another reason.
//===--------------------------------------------------------------------------------------------------------------===//

/// CILK2GPU_WIDTH, in elements. The sizes of buffers then fit 64 bits for every element of 4 GB or less.
inline constexpr uint64_t kMaxWidth = uint64_t(1) << 31;

/// CILK2GPU_WORKERS, in threads.
inline constexpr uint32_t kMaxWorkers = 1024;

/// CILK2GPU_CUS, in compute units. The stacks of all contexts stay within the kernel's limit of mappings (65,530).
inline constexpr uint32_t kMaxCus = 256;

/// CILK2GPU_DONE_COUNT, in elements.
inline constexpr uint32_t kMaxDoneCount = 1 << 20;

/// CILK2GPU_WATCHDOG, in seconds.
inline constexpr uint64_t kMaxWatchdog = 1'000'000;

/// CILK2GPU_DEVICE_STACK, in bytes; drivers allow less.
inline constexpr uint64_t kMaxDeviceStack = uint64_t(1) << 30;

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

/// Bytes of a cache line.
inline constexpr uint64_t kCacheLine = 64;

/// Bytes of a huge page: of x86-64, and of AArch64 with pages of 4 KB.
inline constexpr uint64_t kHugePage = 2 * 1024 * 1024;

/// Blocks up to this many bytes come out of an arena's chunks and free lists. Larger blocks come from the host.
inline constexpr uint64_t kArenaLargest = 32 * 1024;

/// Bytes of an arena's first and largest chunk, with the arena's header. Chunks double in between, so that a small run
/// stays small, and a large run has its memory in huge pages. In small pages, the first touch of 100,000 levels of a
/// chain, 450 bytes each, took 150 ns for each level.
inline constexpr uint64_t kArenaFirstChunk = 64 * 1024;
inline constexpr uint64_t kArenaLargestChunk = kHugePage;

/// Bytes of the first and the largest chunk of a task's storage of variable size, beyond the part in its frame. Each
/// chunk is twice as large as the chunk before it.
inline constexpr uint64_t kFirstLocalChunk = 512, kLargestLocalChunk = 4096;

/// Number of parts of a limited memory budget. Optional blocks may use one part. The rest is for necessary blocks,
/// above all for deeper levels.
inline constexpr uint64_t kBudgetParts = 2;

/// Divisor for the spare memory of a device with a limited budget. An allocation must leave the used bytes divided by
/// this number free.
inline constexpr uint64_t kSparePart = 8;

/// Arrays of at least this many bytes that a program allocates with malloc start at a cache line, so that each vector
/// touches one line only. Smaller arrays are not aligned, because a program may have many of them and the padding would
/// cost memory.
inline constexpr uint64_t kAlignedArray = 4096;

/// Smallest range of addresses for frames, in bytes. A system that lacks addresses for the whole range gets a smaller
/// range, down to this size.
inline constexpr uint64_t kLeastFrameRange = uint64_t(16) << 20;

/// Limit of the memory of tasks: so many quarters of the machine's memory, but at least so many bytes. An endless
/// recursion then ends with a message, before the system runs out of memory and ends some process.
inline constexpr uint64_t kUnlimitedMemory = uint64_t(64) << 20;
inline constexpr uint64_t kMachineMemoryQuarters = 3;

/// Bytes of a worker thread's stack if the process's own stack is unlimited. Otherwise a worker's stack is as large as
/// the process's stack.
inline constexpr uint64_t kWorkerStack = uint64_t(256) << 20;

/// Bytes of the stack of the signal handler that reports a full stack.
inline constexpr uint64_t kSignalStack = 64 * 1024;

/// Bytes of address space for the stack of a worker's elisions, if the system cannot reserve as much as the machine's
/// memory, or if all tasks run as elisions. The stack takes memory as it is used. A million frames of 1,000 bytes fit.
inline constexpr uint64_t kElidedStack = uint64_t(1) << 30;

/// After a run, a stack of elisions keeps so many bytes of memory, as the stack of a thread does. The rest goes back to
/// the system. When only 256 KB were kept, repeated recursions of 20,000 levels took twice as long, because they spent
/// half of the time in page faults.
inline constexpr uint64_t kKeptStack = 8 << 20;

/// A run that took less than so many nanoseconds gives no memory back, because it can hardly have touched more than
/// kKeptStack, and the system call takes ten microseconds. Fewer than kMostSkippedRests runs in a row may keep memory.
inline constexpr uint64_t kLongElidedRun = 1'000'000;
inline constexpr uint32_t kMostSkippedRests = 64;

/// Bytes of the largest slots, views and tables of views whose memory a thread keeps, and the most blocks that it keeps
/// of each size: twice the elements of a channel. Tasks with eight reducers spent a third of their time in malloc,
/// because they have more blocks at a time than malloc keeps at hand for a thread.
inline constexpr uint64_t kSmallBlock = 512;
inline constexpr uint32_t kKeptSmallBlocks = 8192;

//===--------------------------------------------------------------------------------------------------------------===//
// Pacing: how many lanes run before their children do (AdaptivePolicy.h)
//===--------------------------------------------------------------------------------------------------------------===//

/// Pre-sync lanes of a level, of all its tasks together, that run before their children. With this number, a dispatch's
/// 100 ns are a fraction of a nanosecond for each lane, and memory that lanes touch is still in the cache for their
/// post-sync tasks. With whole levels of 4,096 elements of each task, sixteen kinds of small tasks took twice as long.
/// Queens on bit masks took a tenth longer, and cilksort some percent.
inline constexpr uint64_t kScalarLanes = 256;

/// Pre-sync lanes of a level that run before their children, if the tasks and their children run in vectors. With
/// 1,024, the sixteen kinds of small tasks took a tenth longer, and queens a third. If tasks whose children run one
/// after the other had this number, an FFT would take a twelfth longer.
inline constexpr uint64_t kVectorLanes = 512;

/// Up to this many lanes run one after the other, even if their kernel has vectors, because a vector of 32 lanes takes
/// as long for one lane as for all.
inline constexpr uint64_t kFewLanes = 2;

/// One in this many dispatches of kernels with vectors is timed, to compare vectors with one lane after the other
/// (core/FormTimes.h). Reading the clock twice takes some 50 ns.
/// Of kernels whose lanes are short, one in kTimedShortForms: trials of sixteenths cost fib a tenth of its time.
inline constexpr uint32_t kTimedForms = 16, kTimedShortForms = 512;

/// Nanoseconds of a lane above which the two forms are compared. Shorter lanes have no loops, so the compiler's
/// estimate is good; and they come in great numbers, so trials would be expensive.
inline constexpr uint64_t kLongLane = 250;

/// Trials of each form before the first decision, and trials after which older ones count half.
inline constexpr uint32_t kFormTrials = 3, kRememberedForms = 16;

/// Most lanes of a trial that runs one lane after the other.
inline constexpr uint64_t kFormTrialLanes = 32;

/// The time of a lane counts as at most this many times the average.
inline constexpr uint64_t kFormOutlier = 2;

/// Lanes run one after the other if vectors take a seventh more time. This choice holds until vectors take less.
inline constexpr uint64_t kFormMargin = 8;

/// For each nanosecond of a trial, so many nanoseconds of the chosen form pass before the next trial, in the beginning
/// and later.
inline constexpr uint64_t kFirstFormWait = 16, kFormWait = 64;

/// A lane that takes at least this many nanoseconds is slow, and tasks like it run depth first. A dispatch of one lane
/// costs some 100 ns, a few percent of this. Memory that a task of this length has touched is worth keeping in the
/// cache.
inline constexpr uint64_t kSlowTask = 3'000;

/// A lane that takes at least this many nanoseconds together with its descendants is slow, because the memory that it
/// allocates lives that long. Its dispatches, and those of the few lanes below it, cost some 100 ns for each level, a
/// percent of this.
inline constexpr uint64_t kSlowSubtree = 200'000;

/// The first kFirstMeasured dispatches of pre-sync lanes at a level are measured, and later one in kMeasuredStarts.
/// Tasks change in the course of a run, so measuring goes on; but reading the clock takes as long as a small task.
inline constexpr uint32_t kFirstMeasured = 4, kMeasuredStarts = 16;

/// Nanoseconds that the dispatch of a block of wavefronts should take at most while other workers may wait for work,
/// because a block that runs cannot be handed over. If a block takes less, the next block is twice as large. If it
/// takes kLongBlocks times as long, the next block is half as large.
inline constexpr uint64_t kShortBlock = 20'000;
inline constexpr uint64_t kLongBlocks = 4;

//===--------------------------------------------------------------------------------------------------------------===//
// Contended iterations (core/Contention.h)
//===--------------------------------------------------------------------------------------------------------------===//

/// Iterations of a cilk_for are contended after this many blocks in a row that several workers ran together, and slower
/// than one worker would have run them. One block may be slow for other reasons.
inline constexpr uint32_t kContendedBlocks = 4;

/// Blocks that a worker must run alone before its time for an iteration is trusted.
inline constexpr uint64_t kBlocksAlone = 4;

/// Nanoseconds that workers take turns at contended iterations before all may join again. Each time that nothing has
/// changed, the time doubles up to the longer one, so that a long loop seldom runs contended.
inline constexpr uint64_t kShortestTurns = 2'000'000;
inline constexpr uint64_t kLongestTurns = 64'000'000;

/// Nanoseconds that a worker sleeps before it asks again whether it is its turn.
inline constexpr uint64_t kTurnNap = 50'000;

//===--------------------------------------------------------------------------------------------------------------===//
// Orders that a seed repeats (core/Steps.h)
//===--------------------------------------------------------------------------------------------------------------===//

/// With CILK2GPU_STEPS, the possibilities of a choice between an elision and the graph. One of them is the elision. The
/// numbers are those for tasks, and for roots. Elisions of large subtrees leave little to choose, so they are rare.
inline constexpr uint64_t kStepForms = 8, kStepRoots = 16;
/// Capacity of channels with CILK2GPU_STEPS, in elements. In narrow channels, lanes yield now and then, and few
/// elements move when one of them is picked.
inline constexpr uint64_t kSteppedWidth = 256;
/// Bytes of the stack that a check of schedules fills before each task runs.
inline constexpr uint64_t kFilledStack = 8192;

//===--------------------------------------------------------------------------------------------------------------===//
// Workers
//===--------------------------------------------------------------------------------------------------------------===//

/// Nanoseconds that a run uses one thread before it starts or wakes others. Creating a thread takes as long, so small
/// runs do not create threads.
inline constexpr uint64_t kStartThreadsAfter = 50'000;

/// Least nanoseconds between two blocks that a worker hands over. A hand-over costs both workers a few microseconds: a
/// lock, and a system call to wake a thread.
inline constexpr uint64_t kGiveEvery = 10'000;

/// The interval for blocks of one wavefront or less. It is longer, because splitting such a block also leaves lanes
/// unused.
inline constexpr uint64_t kGiveSmallEvery = 50'000;

/// Nanoseconds that a hand-over costs. If all elements of a task at a level take less than this as elisions, they are
/// not handed over. Before this rule, a task that called small tasks in a loop handed over a task of ten nanoseconds
/// every 50 microseconds, and waited for it.
inline constexpr uint64_t kHandOver = 4'000;

/// Nanoseconds that a lane takes by itself if it is worth a hand-over at once. A hand-over may also have to wake a
/// thread, which takes as long.
inline constexpr uint64_t kLongTask = 50'000;

/// Number of blocks of a task that are given away before one of its lanes has been measured. A single pair of tasks of
/// a second each should use two workers; a program of tasks of some nanoseconds should not start threads for many of
/// them.
inline constexpr uint32_t kMostGuesses = 4;

/// Nanoseconds for which a worker looks for work before it sleeps. Waking it again costs time in both workers, and a
/// system call in the giver. A run of 75 ms on two workers that slept at once slept 430 times and took 9 ms longer.
inline constexpr uint64_t kLookOutFor = 50'000;

/// A worker that could hand over work reads the clock between dispatches. If dispatches follow each other within
/// kShortDispatches nanoseconds, it skips kSkippedDispatches of them. Reading the clock takes 20 to 30 ns, as long as a
/// dispatch of one lane.
inline constexpr uint64_t kShortDispatches = 1'000;
inline constexpr uint32_t kSkippedDispatches = 7;

/// If the running graph makes no progress for this many nanoseconds, a host thread that waits for its turn runs its
/// call as the serial elision instead, because the tasks may wait for this thread.
inline constexpr uint64_t kStuckAfter = 100'000'000;

//===--------------------------------------------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------------------------------------------===//

/// Least number of tasks that a cilk_for without a grain size is cut into, if it has that many iterations. This is
/// enough for all workers and wavefronts, and few enough that the cost of a task (some nanoseconds) does not matter. If
/// other tasks wait, a loop is cut into fewer tasks, so that there are this many in all. A stencil on 256 by 256 cells,
/// with a loop for each coordinate, took seven times as long as its elision with a task for each cell. A task of
/// straight-line iterations takes at least some hundred nanoseconds (ExtractLoops.cpp).
inline constexpr uint64_t kLoopTasks = 1024;

/// Most iterations of a cilk_for that one task runs when no grain size is given, as in OpenCilk. A longer task would
/// leave other workers idle at the loop's end.
inline constexpr uint64_t kLargestGrain = 2048;

/// Largest least grain that is honoured. The compiler asks for at most this number of iterations: short iterations that
/// update a reducer, whose task costs several times as much as another (ExtractLoops.cpp).
inline constexpr uint64_t kLargestLeastGrain = 65536;

/// Number of tiles along a loop of a doacross nest whose iterations are not measured, if it has enough iterations.
inline constexpr uint64_t kWantedDoacrossTiles = 32;

/// Nanoseconds of the rows of a doacross nest from which the time of an iteration follows, and the part of the rows
/// that runs one after the other for this purpose at most.
inline constexpr uint64_t kDoacrossMeasureTime = 5'000;
inline constexpr uint64_t kMeasuredPart = 8;

/// Nanoseconds of a tile of a doacross nest, if the nest takes long enough. A tile of 4 us cost 1 us of its own: each
/// of its rows begins with cache misses. Larger tiles leave workers idle in the first and the last waves.
inline constexpr uint64_t kDoacrossTileTime = 10'000;
inline constexpr uint64_t kLongestDoacrossTile = 100'000;

/// Tiles for each worker along a loop of a doacross nest, so that the workers share most waves evenly.
inline constexpr uint64_t kDoacrossTilesOfWorker = 8;

//===--------------------------------------------------------------------------------------------------------------===//
// Devices. The numbers for real GPUs were chosen without measurements on a GPU.
//===--------------------------------------------------------------------------------------------------------------===//

/// Elements for each lane for which the first dispatch to a device makes room in each channel below. If lanes were
/// refused although the channel may hold more, the number is doubled. Most tasks spawn two children of a kind.
inline constexpr uint64_t kSpawnsPerLane = 2;

/// The most lanes of one dispatch to a device: more than an H200 holds at once (132 multiprocessors of 2,048 lanes).
inline constexpr uint64_t kDeviceBlock = uint64_t(1) << 19;

/// Elements of a channel on a device when CILK2GPU_WIDTH is not set: enough for two dispatches that fill the device.
inline constexpr uint64_t kDeviceWidth = 2 * kDeviceBlock;

/// The number for devices that corresponds to kDefaultLevelBytes. A device has at least some gigabytes of memory.
inline constexpr uint64_t kDeviceLevelBytes = uint64_t(256) << 20;

/// Lanes of a block of threads on a GPU: enough wavefronts to hide some latency, and few enough for the registers of
/// every processor.
inline constexpr uint32_t kDeviceThreads = 256;

/// Fewer frames than this are listed by the aggregator of a persistent kernel, and more by its workers. A guess.
inline constexpr uint64_t kFewListedFrames = 64;

/// Fewer frames than this are listed by the host, and more by a kernel that is launched for it. A guess: on an H200, a
/// copy of 8,192 entries takes 17 us, and a launch with its copies 13 us.
inline constexpr uint64_t kFramesForKernel = 2048;

/// Memory that is allocated on a GPU at one time, in bytes: at first, and at most for blocks that share it. On an H200,
/// an allocation takes 70 us. Blocks of more than half the most are allocated on their own.
inline constexpr uint64_t kFirstSlab = uint64_t(1) << 16, kLargestSlab = uint64_t(64) << 20;

/// Registers of a lane of a persistent kernel on NVIDIA's GPUs. A multiprocessor has 65,536, so four blocks are
/// resident. Without a limit, the scheduler's single lane takes so many that two blocks are (104 registers).
inline constexpr uint32_t kPersistentRegisters = 64;

/// The same for images with thread blocks, which have up to 1,024 threads.
inline constexpr uint32_t kBlockRegisters = 64;

/// Bytes of each lane's stack when CILK2GPU_DEVICE_STACK is not set. Recursive ordinary functions in tasks use this
/// stack. Drivers reserve it for every lane that the device can hold: 4 GB of an H200's 141 GB.
inline constexpr uint64_t kDeviceStack = 16 * 1024;

/// Bytes kept free below the stack limit, in addition to one eighth, for calls made by the last function that checks
/// the limit.
inline constexpr uint64_t kUncheckedStack = 512;

/// Quarters of the device's free memory that channels and frames may take. Managed memory beyond the memory of the
/// device would move to and fro.
inline constexpr uint64_t kDeviceMemoryQuarters = 3;

/// When a device moves elements down in a channel, it copies pieces that do not overlap, each as long as the distance.
/// If there were more than this many pieces, the host moves the elements instead.
inline constexpr uint64_t kCopiedPieces = 16;

/// Size of the memory that is reserved before the first launch of a persistent kernel: enough for the worst case of
/// kReservedTurns turns of the scheduler's loop, and at least kLeastReserve bytes. Each time that a kernel has to end
/// because it needs more memory, the reserve is doubled.
inline constexpr uint64_t kReservedTurns = 3;
inline constexpr uint64_t kLeastReserve = uint64_t(4) << 20;

/// Additional reserve for memory that is not counted: kReserveSlack bytes, and the reserve divided by kReservePart. It
/// is for headers of arenas, for the ends of their chunks, and for gaps between blocks that are too small to be used.
inline constexpr uint64_t kReserveSlack = uint64_t(1) << 20;
inline constexpr uint64_t kReservePart = 16;

/// Bytes of address space for the memory that a control processor shares with its machine, out of the 16 GB for frames.
/// The range takes memory as it is used. If the system refuses a range of this size, half of it is tried, and so on.
inline constexpr uint64_t kFirmwareMemory = uint64_t(8) << 30;

/// Number of times that a wavefront of gpu-host reads a word before it waits in the system. A short dispatch on another
/// CPU ends within this time.
inline constexpr int kWordLooks = 200;

//===--------------------------------------------------------------------------------------------------------------===//
// The modelled machine. Sizes are from the paper's Table 2. Costs are in cycles of 1 ns, and rough, because caches and
// memory are not modelled yet. They only order events; they do not predict times of a real machine.
//===--------------------------------------------------------------------------------------------------------------===//

/// Compute units when CILK2GPU_CUS is not set: the largest machine that the paper shows.
inline constexpr uint32_t kDefaultCus = 8;

/// SIMD units, and wavefront contexts, of a compute unit.
inline constexpr uint32_t kSimdsPerCu = 4;
inline constexpr uint32_t kContextsPerCu = 40;

/// Bytes that a yield saves when contexts are saved with all registers, live or dead (paper, section 7.1). 856 bytes
/// are for program counters, masks and identifiers. The others are the registers of its first kernels (Table 3): 16 of
/// 64 x 4 bytes, 8 of 64 x 8 bytes, and 2 of 64 x 1 bit.
inline constexpr uint64_t kSavedContextBytes = 856 + 16 * 64 * 4 + 8 * 64 * 8 + 2 * 64 / 8;

/// Cycles for which an instruction occupies a SIMD unit.
inline constexpr uint32_t kModelIssue = 4;

/// Cycles of an atomic operation in the second-level cache: 16 in the cache, and 16 for the way to the cache and back.
inline constexpr uint32_t kModelAtomicLatency = 32;

/// Cycles of a load that misses the first-level cache.
inline constexpr uint32_t kModelLoadLatency = 32;

/// Cycles of the instructions of a kernel that does not report them.
inline constexpr uint32_t kModelKernelCycles = 256;

/// Cycles from the aggregator's decision to a wavefront's first instruction.
inline constexpr uint32_t kModelDispatchLatency = 100;

/// Number of levels, including the current level, whose post-sync elements a policy with `followsEdges` examines before
/// the scheduler goes deeper. The number is limited, because a recursion may be deep, and each of these levels is
/// compared with all deeper levels.
inline constexpr uint64_t kEdgeLevels = 16;

/// Cycles that an action of the aggregator takes: a dispatch, an entry in its table of blocked wavefronts, a turn of
/// freeing elements, a change of level.
inline constexpr uint32_t kAggregatorDispatch = 50;
inline constexpr uint32_t kAggregatorBlock = 50;
inline constexpr uint32_t kAggregatorReclaim = 20;
inline constexpr uint32_t kAggregatorMove = 50;

/// With CILK2GPU_SCHEDULE=random, the aggregator acts in one in this many turns, so that wavefronts overtake one
/// another many times between its actions.
inline constexpr uint32_t kModelAggregatorTurn = 4;

/// With CILK2GPU_SCHEDULE=adversarial, the wavefront that has waited longest goes on in one in this many turns.
inline constexpr uint32_t kModelFairTurn = 64;

/// The most bytes of a wavefront's stack, if the process's own stack is larger or unlimited.
inline constexpr uint64_t kMaxFiberStack = uint64_t(64) << 20;

/// Bytes that the alignment of lanes' instructions (executors/model/LaneCounts.h) may take for all wavefronts together.
/// They are enough for some million loop iterations in progress. Memory is taken in chunks of kLaneChunk bytes.
inline constexpr uint64_t kLaneCountBytes = uint64_t(256) << 20;
inline constexpr uint64_t kLaneChunk = 64 * 1024;

/// The most events that CILK2GPU_TRACE keeps: some 100 MB of JSON, which Perfetto still opens quickly.
inline constexpr uint64_t kTraceEvents = 500'000;

//===--------------------------------------------------------------------------------------------------------------===//
// Hand-written graphs
//===--------------------------------------------------------------------------------------------------------------===//

/// The number of elements of a channel that share a done count is its width divided by this number, at least 1 and at
/// most CILK2GPU_DONE_COUNT. So a full channel never waits for more than a thousandth of its elements.
inline constexpr uint64_t kWidthPerDoneCount = 1024;

/// The most wavefronts that wait for room at one time. Up to this number, lanes behind a waiting lane get a wavefront
/// of their own. Each wavefront takes a stack, two of the kernel's 65,530 mappings, and more memory under a sanitizer.
inline constexpr uint64_t kMostWaiting = 4096;

/// Most lanes of a GPU that run kernels of a hand-written graph. Each lane that waits reads its mailbox in the host's
/// memory over and over. Where kernels wait for room, as many of them may wait. A guess.
inline constexpr uint32_t kMostGraphLanes = 2048;

/// Pauses of such a lane between two readings, at most: their number doubles with each reading. A guess.
inline constexpr uint32_t kMostGraphPauses = 16;

/// Pauses of a workgroup that waits for a ready thread block, between two readings, at most. A guess.
inline constexpr uint32_t kMostBlockPauses = 16;

/// Nanoseconds for which a run of a graph on a GPU waits for one more lane to come before it begins without that lane.
/// Lanes come late only where something else keeps the device busy. A guess.
inline constexpr uint64_t kGraphArrival = 100'000'000;

/// Managed memory that a run of a graph on a GPU may take for its channel stacks, without allocating while the kernel
/// runs. Channels' own memory is added. Several levels of a wide stack fit. A guess.
inline constexpr uint64_t kGraphReserve = uint64_t(64) << 20;

/// Bytes of control words of an element in such a channel, at most.
inline constexpr uint64_t kGraphElementControl = 64;

/// The most levels of a channel stack. The limit catches level numbers that are garbage. An array of this many pointers
/// takes 128 MB.
inline constexpr int kMaxGraphLevels = 1 << 24;

/// The strictest alignment of elements, in bytes: a page.
inline constexpr uint64_t kGraphAlignment = 4096;

//===--------------------------------------------------------------------------------------------------------------===//
// Launches of thread blocks
//===--------------------------------------------------------------------------------------------------------------===//

/// Blocks whose mapping functions one worker calls before it looks for more. That takes some 100 microseconds, as long
/// as a worker takes to wake up and begin.
inline constexpr uint64_t kLinkedBlocks = 16384;

/// Blocks that a worker runs, each one a child of the last, before it takes the block that has been ready for longest.
/// Its own child costs no exchange with other workers. A larger number lets levels drift apart. Where blocks take time,
/// fewer are run: as many as take kKeptTime nanoseconds.
inline constexpr uint32_t kKeptBlocks = 16;
inline constexpr uint64_t kKeptTime = 30'000;

/// Nanoseconds of a block above which workers share blocks. With blocks of 25 ns, two workers were as fast as one; with
/// blocks of 60 ns, they were 1.4 times as fast.
inline constexpr uint64_t kSharedBlock = 40;

/// The same with the policy LVL, whose workers share one lock. With random parents and blocks of 45 ns, two workers
/// took twice as long as one.
inline constexpr uint64_t kSharedBoundedBlock = 200;

/// The same for a piece of several blocks, whose last blocks another worker reads. With pieces of 64 ns, two workers
/// took three times as long as one.
inline constexpr uint64_t kSharedPiece = 100;

/// Nanoseconds of work that has to be left, so that it pays to wake workers.
inline constexpr uint64_t kSharedWork = 30'000;

/// Nanoseconds for which one worker runs blocks before it decides whether others join. One block of kLongBlock
/// nanoseconds is enough.
inline constexpr uint64_t kLearnFor = 5'000;
inline constexpr uint64_t kLongBlock = 20'000;

/// A launch with fewer blocks for each worker is shared at once: one long block would keep the others waiting.
inline constexpr uint64_t kBlocksToLearn = 128;

/// Most blocks between two looks at the clock. While these take less than kShortLook nanoseconds, there may be
/// kMostShortBlocks: a look takes as long as 30 empty blocks. A single page fault takes half of kShortLook.
inline constexpr uint64_t kMostUnwatchedBlocks = 256, kMostShortBlocks = 1024;
inline constexpr uint64_t kShortLook = 2'000;

/// Blocks before the first look if no other worker can join.
inline constexpr uint64_t kFirstUnwatched = 4;

/// Nanoseconds of the blocks that run as one piece, and pieces of a row for each worker at least.
inline constexpr uint64_t kPieceTime = 1'000;
inline constexpr uint32_t kPiecesOfRow = 4;

/// Rows of a strip, which are lanes of vectors, and steps of a piece of a strip. Of wavefronts of 512 x 512 blocks,
/// strips of 32 rows fill 94 % of the lanes.
inline constexpr uint32_t kRowsOfStrip = 32;
inline constexpr uint32_t kStepsOfPiece = 16;

/// Most columns by which a row of a strip is behind the row above it, and fewest rows that are worth vectors.
inline constexpr uint32_t kMostSkew = 4;
inline constexpr uint32_t kFewestLanes = 4;

/// Nanoseconds of a block above which vectors of blocks are tried. Neighbours along x need no gathers, so they are
/// tried for blocks of any length.
inline constexpr uint64_t kTriedBlock = 3;

/// The same for graphs without constant distances. Vectors need a queue of ready blocks there, which takes 10 ns for
/// each block. Where vectors have not paid, later launches of the kernel have no queue. Most blocks of such a vector.
inline constexpr uint64_t kQueuedBlock = 24;
inline constexpr uint32_t kBlocksOfVector = 64;

/// Blocks and nanoseconds of a trial of vectors. Of longer blocks, each step is measured.
inline constexpr uint64_t kTrialBlocks = 64;
inline constexpr uint64_t kTrialTime = 2'000;
inline constexpr uint64_t kBlockToMeasure = 100;

/// Launches of a kernel for which it is remembered whether vectors have paid. The next one measures single blocks, and
/// so does each one that takes more nanoseconds with single blocks.
inline constexpr uint32_t kRememberedLaunches = 16;
inline constexpr uint64_t kLongLaunch = 1'000'000;

/// Nanoseconds of a trial that ends it, and of the first blocks of a trial that count although they wait for memory.
inline constexpr uint64_t kLongTrial = 100'000;

/// Strips that run before vectors are compared with single blocks once more. Where vectors did not pay, this many times
/// as many blocks run before each further trial.
inline constexpr uint64_t kStripsOfChoice = 16;
inline constexpr uint64_t kRarerTrials = 4;

/// With the policy LVL, a worker takes as many blocks at a time as run for kTakenTime nanoseconds, and at most
/// kMostTaken. It tries its lock kLocksTried times before it sleeps.
inline constexpr uint64_t kTakenTime = 500;
inline constexpr uint32_t kMostTaken = 16;
inline constexpr uint32_t kLocksTried = 100;

/// Arrays of a launch, and their bytes, that are kept for the next launch. With fresh pages, a graph of 512 x 512
/// blocks took 32 ns for each block to build. With kept ones, it took 8 ns.
inline constexpr uint64_t kKeptArrays = 64;
inline constexpr uint64_t kKeptArrayBytes = uint64_t(64) << 20;

/// Bytes of the stack of a thread of a block behind its first barrier. A block may have 1,024 threads.
inline constexpr uint64_t kBlockThreadStack = uint64_t(256) << 10;

/// Threads of a block: CUDA's limit.
inline constexpr uint32_t kMaxBlockThreads = 1024;

} // namespace cilk2gpu::rt::tunables

#endif // CILK2GPU_RUNTIME_CORE_TUNABLES_H
