// Numbers of the runtime that were chosen rather than derived. Each has its unit, its reason, and the measurement that
// supports it, if there was one. Measurements: 2 cores with AVX-512, medians. Repeat them with bench/ before you change
// a number. Numbers that a format or a system's interface gives, and lengths of texts, stand where they are used.
#ifndef CILK2GPU_RUNTIME_CORE_TUNABLES_H
#define CILK2GPU_RUNTIME_CORE_TUNABLES_H

#include <stdint.h>

namespace cilk2gpu::rt::tunables {

//===--------------------------------------------------------------------------------------------------------------===//
// Wavefronts and channels
//===--------------------------------------------------------------------------------------------------------------===//

/// Lanes of a wavefront when CILK2GPU_WAVE is not set. It is the widest wave size that is allowed. A dispatch costs
/// some ten nanoseconds whatever its lanes, and kernels loop over lanes in vectors. So more lanes only spread that cost
/// further.
inline constexpr uint32_t kDefaultWave = 64;

/// Elements of a channel when CILK2GPU_WIDTH is not set. The elements, frames and post-sync elements of a level should
/// stay in a core's second-level cache: at about 100 bytes per task, 4,096 of them take 400 KB. Hand-written
/// breadth-first programs were fastest with blocks of 1,000 to 4,000 elements.
inline constexpr uint64_t kDefaultWidth = 4096;

/// Bytes that one task's frames, or its elements, may take at a level when CILK2GPU_WIDTH is not set. Tasks with large
/// frames (a board, a buffer among the locals) get a smaller width. So a level stays in the second-level cache, and ten
/// levels of frames of a megabyte do not take the machine's memory.
inline constexpr uint64_t kDefaultLevelBytes = 2 * 1024 * 1024;

/// Elements that share a done count when CILK2GPU_DONE_COUNT is not set: the paper's number.
inline constexpr uint32_t kDefaultDoneCount = 64;

/// Elements in a channel's first buffer. Recursion can be 100,000 levels deep with one element in each, so a level must
/// start small. Buffers double from there.
inline constexpr uint64_t kFirstElements = 2;

/// Elements in the first segment of a modelled channel, whose segments double.
inline constexpr uint64_t kFirstBuffer = 4;

/// Columns of at least this many bytes start at a cache line. So a vector load of a wave's lanes touches no more lines
/// than it must. Smaller columns are packed at 16 bytes.
inline constexpr uint64_t kLargeColumn = 512;

/// Bytes of a level's state that are fetched in addition to its TaskLevel, before the scheduler comes to the level.
/// They are allocated one behind the other. Without the fetch, a level of a chain cost twice as much.
inline constexpr uint64_t kLevelBytes = 384;

/// Levels between the current level and the level whose state is fetched. Dispatches at the levels in between take
/// longer than main memory takes to answer. The task list of the level as far away again is fetched, too.
inline constexpr int64_t kFetchedAhead = 3;

//===--------------------------------------------------------------------------------------------------------------===//
// Upper bounds of settings: guards against mistyped numbers, unless the comment says more
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

/// Parts of the budget, where memory is limited. Blocks that can be done without may use one part. The rest is for
/// blocks that cannot, above all for levels to come.
inline constexpr uint64_t kBudgetParts = 2;

/// Parts of the used bytes, where a device's memory is limited. As many bytes as one part has must be free, in addition
/// to the bytes that are asked for.
inline constexpr uint64_t kSparePart = 8;

/// Arrays of at least this many bytes that a program takes from malloc start at a cache line, where vectors touch one
/// line each. Smaller arrays may be many, and their padding would show.
inline constexpr uint64_t kAlignedArray = 4096;

/// Bytes of address space that are enough for frames, where the system has less than 32 bits can name places in.
inline constexpr uint64_t kLeastFrameRange = uint64_t(16) << 20;

/// Bytes that tasks may have on every machine, and quarters of the machine's memory that they may have otherwise. A
/// recursion without end is then stopped with a message, before the system runs out of memory and ends some process.
inline constexpr uint64_t kUnlimitedMemory = uint64_t(64) << 20;
inline constexpr uint64_t kMachineMemoryQuarters = 3;

/// Bytes of a worker thread's stack where the process's own stack is unlimited. Else workers get as much as the
/// process.
inline constexpr uint64_t kWorkerStack = uint64_t(256) << 20;

/// Bytes of the stack on which a signal's handler runs, when the stack that it reports is full.
inline constexpr uint64_t kSignalStack = 64 * 1024;

/// Bytes of address space for the stack of a worker's elisions, where there is less than for all of the machine's
/// memory. Memory is taken as the stack is used. A million frames of 1,000 bytes fit.
inline constexpr uint64_t kElidedStack = uint64_t(1) << 30;

/// After a run, the memory of a worker's stack of elisions goes back to the system. A run that took less than the first
/// number of nanoseconds keeps the stack, because the system call would take longer than the run. Fewer than
/// kMostSkippedRests runs in a row may keep it. A run that took more than the second number gives back all of it.
inline constexpr uint64_t kShortElidedRun = 16'000, kLongElidedRun = 200'000;
inline constexpr uint32_t kMostSkippedRests = 64;

//===--------------------------------------------------------------------------------------------------------------===//
// Pacing: how many lanes run before their children do (AdaptivePolicy.h)
//===--------------------------------------------------------------------------------------------------------------===//

/// Pre-sync lanes of a level, of all its tasks together, that run before their children. Then a dispatch's 100 ns are a
/// fraction of a nanosecond for each lane. The memory that lanes touch is still in the cache for their post-sync tasks.
/// With whole levels of 4,096 elements of each task, sixteen kinds of small tasks took twice as long. Queens on bit
/// masks took a tenth longer, and cilksort some percent.
inline constexpr uint64_t kScalarLanes = 256;

/// The same number for tasks that run in vectors and whose children do, too. With 1,024, the sixteen kinds of small
/// tasks took a tenth longer, and queens a third. If tasks whose children run one after the other had this number, an
/// FFT would take a twelfth longer.
inline constexpr uint64_t kVectorLanes = 512;

/// Most lanes that run one after the other, even if their kernel has vectors. Vectors of 32 lanes take as long for one
/// lane as for all.
inline constexpr uint64_t kFewLanes = 2;

/// Nanoseconds from which a task's lane is slow, and its tasks go depth first. A dispatch of one lane costs some 100
/// ns, a few percent of this. Memory that a task of this length has touched is worth keeping in the cache.
inline constexpr uint64_t kSlowTask = 3'000;

/// Nanoseconds from which a lane is slow with all that it spawns: the memory that it allocates lives as long. Its
/// dispatches, and those of the few lanes below it, cost some 100 ns for each level, a percent of this.
inline constexpr uint64_t kSlowSubtree = 200'000;

/// Number of first dispatches of pre-sync lanes at a level that are measured. Later, one of kMeasuredStarts dispatches
/// is measured. Tasks change in the course of a run, and reading the clock takes as long as a small task.
inline constexpr uint32_t kFirstMeasured = 4, kMeasuredStarts = 16;

/// Most nanoseconds that the dispatch of a block of wavefronts should take where other workers may wait for work. A
/// block that runs cannot be given away. A block that takes less is doubled. A block that takes kLongBlocks times as
/// much is halved.
inline constexpr uint64_t kShortBlock = 20'000;
inline constexpr uint64_t kLongBlocks = 4;

//===--------------------------------------------------------------------------------------------------------------===//
// Elisions (core/Elision.h, core/ElisionTrials.h). Shares are 65536ths of the time that both ways take.
//===--------------------------------------------------------------------------------------------------------------===//

/// Nanoseconds that a lane takes, with all that it spawns, up to which its elision is tried. A level of the graph costs
/// a percent of this, and an elision that runs cannot be shared. All elided lanes of a trial together take no longer.
inline constexpr uint64_t kElidedSubtree = 20'000;

/// Dispatches of pre-sync lanes at a level before its first trial: fewer dispatches are not worth a trial, and deeper
/// levels come first.
inline constexpr uint32_t kFirstTrial = 16;

/// Trials before the first decision, and trials that an average goes back to.
inline constexpr uint32_t kFirstTrials = 8, kRememberedTrials = 16;

/// The elision is chosen where the graph's share is above the first number, 0.57: the graph takes a third more time. It
/// is kept while the share is above the second number, 0.53: an eighth more. Single trials differ by more than that,
/// but averages of several trials seldom do.
inline constexpr uint32_t kChosenShare = 37'400, kKeptShare = 34'700;

/// So many trials decide where the graph's share is below the second number, 0.45: vectors take four fifths of the
/// elision's time, or less. With eight trials at each level, trials took a sixteenth of fib(38).
inline constexpr uint32_t kClearTrials = 3, kClearShare = 29'500;

/// One trial of more than kElidedSubtree decides where the graph's share is above this number, 0.75: such trials are
/// seldom disturbed so much.
inline constexpr uint32_t kLongShare = 49'150;

/// Dispatches until the next trial: the first number for each trial that there was, up to the second number. This is
/// multiplied by the ratio of both ways' time, up to kMostWaitRatio.
inline constexpr uint32_t kWaitPerTrial = 16, kLongestWait = 1024;
inline constexpr uint64_t kMostWaitRatio = 16;

/// Dispatches after which a level asks again that could not begin a trial.
inline constexpr uint32_t kAskAgain = 16;

/// Most elided lanes of a trial: to bring a lane to the front takes some nanoseconds.
inline constexpr uint64_t kPickedLanes = 64;

/// Number of dispatches of short elisions of which one is timed. To read the clock twice took half as long as the rest
/// of a dispatch of one lane.
inline constexpr uint32_t kTimedElisions = 4;

/// Dispatches of few lanes (kFewLanes) in a row, after which a level tries its elision, if it was visited more than
/// kNarrowVisits times. The dispatches take some ten microseconds. Wide recursions have fewer visits at their ends.
inline constexpr uint64_t kNarrowDispatches = 256;
inline constexpr uint32_t kNarrowVisits = 3;

/// Factors of time that end trials of long childless tasks, once one way took so many times the other way's time. The
/// first number holds in the first kClearChildlessTrials trials, then the second. Else the last of kFirstTrials trials
/// decides.
inline constexpr uint64_t kClearChildlessRatio = 4, kChildlessRatio = 2;
inline constexpr uint32_t kClearChildlessTrials = 4;

/// Quarters of the vectors' time. Elisions of long childless tasks are chosen where they take less.
inline constexpr uint64_t kChosenChildlessQuarters = 3;

/// Number of lanes of which one runs as its elision in a trial of long childless tasks. So vectors stay nearly full.
inline constexpr uint64_t kChildlessTrialPart = 16;

/// Number of dispatches of which one runs as elisions with CILK2GPU_SCHEDULE=random. So elisions are tested together
/// with the graph.
inline constexpr uint64_t kShuffledElisions = 4;

//===--------------------------------------------------------------------------------------------------------------===//
// Workers
//===--------------------------------------------------------------------------------------------------------------===//

/// Nanoseconds that a run takes on its own before it starts or wakes threads. To create a thread takes as long, and
/// small runs do not pay for it.
inline constexpr uint64_t kStartThreadsAfter = 50'000;

/// Least nanoseconds between two blocks that a worker gives away. A hand-over costs both sides a few microseconds: a
/// lock, and a system call to wake a thread up.
inline constexpr uint64_t kGiveEvery = 10'000;

/// The same interval for blocks of one wavefront or less: to split them also costs lanes.
inline constexpr uint64_t kGiveSmallEvery = 50'000;

/// Nanoseconds that a hand-over costs both sides. Elisions stay where all elements of a task at a level take less
/// together. A task that called small tasks in a loop gave away, each 50 microseconds, a task that took ten
/// nanoseconds, and waited for it.
inline constexpr uint64_t kHandOver = 4'000;

/// Nanoseconds for which a worker looks for work before it sleeps. To wake it again costs both sides, the giver a
/// system call. A run of 75 ms on two workers had 430 such waits, and took 9 ms longer.
inline constexpr uint64_t kLookOutFor = 50'000;

/// A worker that wants to share looks at the clock between dispatches. Where dispatches follow each other within the
/// first number of nanoseconds, it looks only after so many dispatches. To read the clock takes 20 to 30 ns, as long as
/// a dispatch of one lane.
inline constexpr uint64_t kShortDispatches = 1'000;
inline constexpr uint32_t kSkippedDispatches = 7;

/// Nanoseconds without progress after which a host thread no longer waits for its turn. It then runs its call as the
/// serial elision: tasks may wait for that thread.
inline constexpr uint64_t kStuckAfter = 100'000'000;

//===--------------------------------------------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------------------------------------------===//

/// Least number of tasks that a cilk_for without a grain size is cut into, if it has that many iterations. It is enough
/// for every worker and wavefront, and few enough that a task's cost (some nanoseconds) does not show. A loop that
/// starts beside other tasks is cut so that there are this many tasks in all. A stencil on 256 by 256 cells, a loop for
/// each coordinate, took seven times its elision with a task for each cell. Straight-line iterations make tasks of some
/// hundred nanoseconds at least (ExtractLoops.cpp).
inline constexpr uint64_t kLoopTasks = 1024;

/// Most iterations of a cilk_for that one task runs when no grain size is given, as in OpenCilk. A longer task would
/// leave other workers idle at the loop's end.
inline constexpr uint64_t kLargestGrain = 2048;

//===--------------------------------------------------------------------------------------------------------------===//
// Devices. Numbers for real GPUs were chosen without one, and are to be measured.
//===--------------------------------------------------------------------------------------------------------------===//

/// Elements, for each lane, for which the first dispatch to a device makes room in each channel below. The number is
/// doubled where lanes were refused although the channel may hold more. Most tasks spawn two children of a kind.
inline constexpr uint64_t kSpawnsPerLane = 2;

/// Most lanes of one dispatch to a device: more than an H200 holds at once (132 multiprocessors of 2,048 lanes).
inline constexpr uint64_t kDeviceBlock = uint64_t(1) << 19;

/// Elements of a channel when CILK2GPU_WIDTH is not set: two dispatches that fill the device.
inline constexpr uint64_t kDeviceWidth = 2 * kDeviceBlock;

/// As kDefaultLevelBytes, in a memory of some gigabytes at least.
inline constexpr uint64_t kDeviceLevelBytes = uint64_t(256) << 20;

/// Lanes of a block of threads: enough wavefronts to hide some latency, and few enough registers for every processor.
inline constexpr uint32_t kDeviceThreads = 256;

/// Bytes of each lane's stack when CILK2GPU_DEVICE_STACK is not set. Ordinary recursion in tasks takes some of it.
/// Drivers reserve it for every lane that the device can hold: 4 GB of an H200's 141 GB.
inline constexpr uint64_t kDeviceStack = 16 * 1024;

/// Bytes kept free below the stack limit, in addition to one eighth, for calls made by the last function that checks
/// the limit.
inline constexpr uint64_t kUncheckedStack = 512;

/// Quarters of the device's free memory that channels and frames may take. Managed memory beyond the device's own would
/// be moved to and fro.
inline constexpr uint64_t kDeviceMemoryQuarters = 3;

/// Most pieces in which a device moves elements down in a channel on it, each as long as the way. If there are more,
/// the host moves the elements.
inline constexpr uint64_t kCopiedPieces = 16;

/// Memory that is reserved before the first launch of a persistent kernel. It serves so many turns of the scheduler's
/// loop at their worst, and has at least kLeastReserve bytes. Each time that a kernel has to end for more, the reserve
/// is doubled.
inline constexpr uint64_t kReservedTurns = 3;
inline constexpr uint64_t kLeastReserve = uint64_t(4) << 20;

/// Bytes that are reserved, in addition to one of kReservePart parts, for memory that is not counted. These are headers
/// of arenas, the ends of their chunks, and gaps between blocks that are too small to be used.
inline constexpr uint64_t kReserveSlack = uint64_t(1) << 20;
inline constexpr uint64_t kReservePart = 16;

/// Bytes of address space for the memory that a control processor shares with its machine, out of the 16 GB that frames
/// may be in. Memory is taken when it is used. The number is halved as often as the system refuses it.
inline constexpr uint64_t kFirmwareMemory = uint64_t(8) << 30;

/// Times that a wavefront of gpu-host looks at a word before it asks the system to wait. By then, a short dispatch on
/// another CPU is over.
inline constexpr int kWordLooks = 200;

//===--------------------------------------------------------------------------------------------------------------===//
// The modelled machine. Sizes are from the paper's Table 2. Costs are in cycles of 1 ns, and rough until caches and
// memory are modelled. Only the order of events rests on them; no claim about time does.
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

/// Cycles of an instruction's turn on a SIMD unit.
inline constexpr uint32_t kModelIssue = 4;

/// Cycles of an atomic operation in the second-level cache: 16 there, and 16 for the way there and back.
inline constexpr uint32_t kModelAtomicLatency = 32;

/// Cycles of a load that misses the first-level cache.
inline constexpr uint32_t kModelLoadLatency = 32;

/// Cycles of a kernel's own instructions, where the kernel does not report them.
inline constexpr uint32_t kModelKernelCycles = 256;

/// Cycles from the aggregator's decision to a wavefront's first instruction.
inline constexpr uint32_t kModelDispatchLatency = 100;

/// Levels that a policy which follows the graph's edges looks at before the scheduler goes deeper, the current level
/// included. A recursion may be deep, and each of these levels is compared with all deeper levels.
inline constexpr uint64_t kEdgeLevels = 16;

/// Cycles that an action of the aggregator takes. Actions are a dispatch, an entry in its table of blocked wavefronts,
/// a turn of freeing elements, and a change of level.
inline constexpr uint32_t kAggregatorDispatch = 50;
inline constexpr uint32_t kAggregatorBlock = 50;
inline constexpr uint32_t kAggregatorReclaim = 20;
inline constexpr uint32_t kAggregatorMove = 50;

/// With CILK2GPU_SCHEDULE=random, the aggregator acts in one of this many turns. Wavefronts then overtake one another
/// many times between its actions.
inline constexpr uint32_t kModelAggregatorTurn = 4;

/// With CILK2GPU_SCHEDULE=adversarial, the wavefront that has waited longest goes on in one of this many turns.
inline constexpr uint32_t kModelFairTurn = 64;

/// Most bytes of a wavefront's stack where the process's own stack is larger or unlimited.
inline constexpr uint64_t kMaxFiberStack = uint64_t(64) << 20;

/// Bytes that the alignment of lanes' instructions may take (executors/model/LaneCounts.h), all wavefronts together.
/// They are enough for some million iterations of loops that are under way at one time. Memory comes in chunks of
/// kLaneChunk.
inline constexpr uint64_t kLaneCountBytes = uint64_t(256) << 20;
inline constexpr uint64_t kLaneChunk = 64 * 1024;

/// Most events that CILK2GPU_TRACE keeps: some 100 MB of JSON, which Perfetto still opens quickly.
inline constexpr uint64_t kTraceEvents = 500'000;

//===--------------------------------------------------------------------------------------------------------------===//
// Hand-written graphs
//===--------------------------------------------------------------------------------------------------------------===//

/// A channel has one done count for as many elements as this number goes into its width, at least 1 and at most
/// CILK2GPU_DONE_COUNT. A full channel then never waits for more than a thousandth of itself.
inline constexpr uint64_t kWidthPerDoneCount = 1024;

/// Most wavefronts that wait for room. Up to this number, lanes behind a waiting lane are given a wavefront of their
/// own. Each wavefront takes a stack, two of the kernel's 65,530 mappings, and more memory under a sanitizer.
inline constexpr uint64_t kMostWaiting = 4096;

/// Most levels of a channel stack. The limit guards against a level that was not computed. An array of as many pointers
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
/// Its own child costs no exchange with other workers. A larger number lets levels drift apart.
inline constexpr uint32_t kKeptBlocks = 16;

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
