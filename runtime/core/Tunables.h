// Every number that was chosen rather than derived, with its unit, the reason for it, and where it was measured.
// Measurements: 2 cores with AVX-512, medians; repeat them with bench/ before changing one.
#ifndef CILK2GPU_RUNTIME_CORE_TUNABLES_H
#define CILK2GPU_RUNTIME_CORE_TUNABLES_H

#include <stdint.h>

namespace cilk2gpu::rt::tunables {

/// Lanes of a wavefront when CILK2GPU_WAVE is not set. The widest allowed: a dispatch costs some ten nanoseconds
/// whatever its lanes, and kernels loop over the lanes in vectors, so more lanes only spread that cost further.
inline constexpr uint32_t kDefaultWave = 64;

/// Elements of a channel when CILK2GPU_WIDTH is not set. A level's elements, frames and post-sync elements together
/// should stay in a core's second-level cache: at about 100 bytes per task, 4096 of them take 400 KB. Hand-written
/// breadth-first programs were fastest with blocks of one to four thousand elements.
inline constexpr uint64_t kDefaultWidth = 4096;

/// Bytes that one task's frames, or elements, may take at a level when CILK2GPU_WIDTH is not set: tasks with large ones
/// (a board, a buffer among a frame's locals) get a smaller width, so that a level stays in the second-level cache and
/// ten levels of megabyte frames do not take the machine's memory.
inline constexpr uint64_t kDefaultLevelBytes = 2 * 1024 * 1024;

/// Upper bound of CILK2GPU_WIDTH, in elements: buffers' sizes then fit 64 bits for every element of 4 GB or less.
inline constexpr uint64_t kMaxWidth = uint64_t(1) << 31;

/// Upper bound of CILK2GPU_WORKERS, in threads: a guard against a mistyped number, not a limit of the design.
inline constexpr uint32_t kMaxWorkers = 1024;

/// Elements in a channel's first buffer. Recursion can be 100,000 levels deep with one element in each, so a level
/// must start small; buffers double from there.
inline constexpr uint64_t kFirstElements = 2;

/// Bytes that a level of such a recursion takes beside its TaskLevel, allocated one behind the other: fetched before
/// the scheduler comes to it. Without that, a level of a chain cost twice as much.
inline constexpr uint64_t kLevelBytes = 384;

/// Levels between the current level and the level whose state is fetched: a dispatch at each level in between takes
/// longer than main memory does to answer. The list of tasks of the level as far away again is fetched, too.
inline constexpr int64_t kFetchedAhead = 3;

/// The same of the modelled machine's channels, whose segments double.
inline constexpr uint64_t kFirstSegment = 4;

/// Elements for which a dispatch to a device first makes room in each channel below, per lane; doubled where lanes were
/// refused although the channel may hold more. Most tasks spawn two of a kind.
inline constexpr uint64_t kSpawnsPerLane = 2;

/// Lanes of one dispatch to a device at most: what an H200 holds at once (132 multiprocessors of 2,048) and some.
inline constexpr uint64_t kDeviceBlock = uint64_t(1) << 19;

/// Addresses that are reserved for the memory that a control processor shares with its machine; none is taken
/// before it is used. Halved as often as the system refuses it.
inline constexpr uint64_t kFirmwareMemory = uint64_t(8) << 30; // of the 16 GB that frames may be in

// Of real GPUs. Chosen without one: to be measured.

/// Elements that move down in a channel where they lie on a device: by the device in up to this many pieces, each as
/// long as the way, else by the host.
inline constexpr uint64_t kCopiedPieces = 16;

/// Lanes of a block of threads: enough wavefronts to hide some latency, and few enough registers each that it fits
/// every processor.
inline constexpr uint32_t kDeviceThreads = 256;

/// Elements of a channel when CILK2GPU_WIDTH is not set: two dispatches that fill the device.
inline constexpr uint64_t kDeviceWidth = 2 * kDeviceBlock;

/// As kDefaultLevelBytes, in a memory of some gigabytes at least.
inline constexpr uint64_t kDeviceLevelBytes = uint64_t(256) << 20;

/// Bytes of stack for each lane when CILK2GPU_DEVICE_STACK is not set: ordinary recursion in tasks takes some; drivers
/// reserve it for every lane that the device can hold, here 4 GB of an H200's 141.
inline constexpr uint64_t kDeviceStack = 16 * 1024;

/// Of it, bytes that are left, beside an eighth, for what the last function calls that looks how much is used.
inline constexpr uint64_t kLeafStack = 512;

/// Upper bound of CILK2GPU_DEVICE_STACK, in bytes: a guard against a mistyped number; drivers allow less.
inline constexpr uint64_t kMaxDeviceStack = uint64_t(1) << 30;

/// How much of the device's free memory channels and frames may take, in quarters. Managed memory beyond what there is
/// would be moved to and fro.
inline constexpr uint64_t kDeviceMemoryQuarters = 3;

/// Memory of a persistent kernel: what is reserved before its first launch, in turns of the scheduler's loop at their
/// worst, and in bytes at least. Twice as much each time that a kernel has to end for more.
inline constexpr uint64_t kReservedTurns = 3;
inline constexpr uint64_t kLeastReserve = uint64_t(4) << 20;

/// Bytes, beside a sixteenth, that are reserved for what is not counted: arenas' headers, the ends of their chunks, and
/// places between blocks that are too small.
inline constexpr uint64_t kReserveSlack = uint64_t(1) << 20;

/// Columns of at least this many bytes start at a cache line, so that a vector load of a wave's lanes does not
/// straddle two lines; smaller ones are packed at 16 bytes.
inline constexpr uint64_t kLargeColumn = 512;

/// Blocks up to this many bytes come out of the arena's chunks and free lists, larger ones from the host directly.
inline constexpr uint64_t kArenaLargest = 32 * 1024;

/// Arrays of at least this many bytes that a program takes from malloc start at a cache line, where vectors do not
/// straddle two: of smaller ones there may be many, and the padding would show.
inline constexpr uint64_t kAlignedArray = 4096;
inline constexpr uint64_t kCacheLine = 64;

/// A huge page: of x86-64, and of AArch64 with pages of 4 KB.
inline constexpr uint64_t kHugePage = 2 * 1024 * 1024;

/// Addresses that frames make do with where the system has not as many as 32 bits can name places in.
inline constexpr uint64_t kLeastFrameRange = uint64_t(16) << 20;

/// Bytes that tasks may have whatever machine it is, and what share of its memory otherwise: a recursion without end is
/// stopped with a message before the system, out of memory, ends a process of its choice.
inline constexpr uint64_t kUnlimitedMemory = uint64_t(64) << 20;
inline constexpr uint64_t kMachineMemoryQuarters = 3;

/// Bytes of an arena's first and largest chunk, with what the arena keeps about it; chunks double in between, so that a
/// small run stays small, and a large one has its memory in huge pages: touching a chain's 100,000 levels of 450 bytes
/// for the first time took 150 ns each in small ones.
inline constexpr uint64_t kArenaFirstChunk = 64 * 1024;
inline constexpr uint64_t kArenaLargestChunk = kHugePage;

/// Nanoseconds that a run takes on its own before it starts or wakes threads: what creating one costs, so that small
/// runs do not pay for it.
inline constexpr uint64_t kStartThreadsAfter = 50'000;

/// Nanoseconds from which on a task's lane counts as slow, and its tasks go depth first. A dispatch of one lane costs
/// some 100 ns, a few percent of this; and memory that a task of this length has touched is worth keeping in the cache.
inline constexpr uint64_t kSlowTask = 3'000;

/// The same for a lane with all that it spawns: what it allocates lives as long. Its dispatches and those of the few
/// lanes below it, some 100 ns for each level, are a percent of this.
inline constexpr uint64_t kSlowSubtree = 200'000;

/// Nanoseconds that a lane takes, with all that it spawns, up to which its serial elision is tried: a level of the
/// graph costs a percent of this, and what runs cannot be shared. The same for all lanes of a trial together.
inline constexpr uint64_t kElidedSubtree = 20'000;

/// The elision is chosen where the graph takes more than this share (in 65536ths) of both ways' time, 0.57, and kept
/// above 0.53: a third more than the elision, or an eighth. Trials differ by more than that, but seldom so many of
/// them.
inline constexpr uint32_t kChosenShare = 37'400, kKeptShare = 34'700;

/// Addresses for the stack of elisions, in bytes, of each worker where there are none for all of the machine's memory:
/// taken as far as it is used. Frames of a thousand bytes fit a million times.
inline constexpr uint64_t kElidedStack = uint64_t(1) << 30;

/// Dispatches of pre-sync lanes at a level before the first trial: fewer are not worth it, and deeper levels come
/// first.
inline constexpr uint32_t kFirstTrial = 16;

/// Trials before the first decision, and those that an average goes back to.
inline constexpr uint32_t kFirstTrials = 8, kRememberedTrials = 16;

/// So few decide where the graph's share is below this, 0.45: vectors take four fifths of the elision's time, or less.
/// With eight at each level, trials were a sixteenth of fib(38).
inline constexpr uint32_t kClearTrials = 3, kClearShare = 29'500;

/// Dispatches between trials, times the ratio of both ways' time: so many for each trial that there was, and at most.
inline constexpr uint32_t kWaitPerTrial = 16, kLongestWait = 1024;

/// So many dispatches in a row have few lanes each (kFewLanes), and so often they came to a level, before its elision
/// is tried however long it takes: some ten microseconds, and more than the ends of a wide recursion have.
inline constexpr uint64_t kNarrowDispatches = 256;
inline constexpr uint32_t kNarrowVisits = 3;

/// The wait for the next trial grows with the ratio of both ways' time up to this ratio.
inline constexpr uint64_t kMostWaitRatio = 16;

/// Trials of long leaves end when one way took this many times the other's time: the larger ratio in the first trials,
/// so many of them, the smaller ratio later. Else the eighth trial (kFirstTrials) decides.
inline constexpr uint64_t kClearLeafRatio = 4, kLeafRatio = 2;
inline constexpr uint32_t kClearLeafTrials = 4;

/// Elisions of long leaves are chosen where they take less than so many quarters of the vectors' time.
inline constexpr uint64_t kChosenLeafQuarters = 3;

/// One in so many lanes of a dispatch of long leaves runs as its elision in a trial: the vectors stay nearly full.
inline constexpr uint64_t kLeafTrialPart = 16;

/// With CILK2GPU_SCHEDULE=random, one in so many dispatches runs as elisions: often enough to test them with the graph.
inline constexpr uint64_t kShuffledElisions = 4;

/// One trial of more than kElidedSubtree decides where the graph's share is above this, 0.75: such are seldom disturbed
/// so much.
inline constexpr uint32_t kLongShare = 49'150;

/// One in so many dispatches of short elisions that were chosen is timed: the clock, read twice, took half as long as
/// all else of a dispatch of one lane.
inline constexpr uint32_t kTimedElisions = 4;

/// Elided lanes of a trial at most: it takes some nanoseconds each to bring them to the front.
inline constexpr uint64_t kPickedLanes = 64;

/// Dispatches after which a level asks again that could not begin a trial.
inline constexpr uint32_t kAskAgain = 16;

/// So many lanes run one after the other, whatever their kernel can do: vectors of 32 take as long for one lane as for
/// all.
inline constexpr uint64_t kFewLanes = 2;

/// The first dispatches of pre-sync lanes at a level are measured, so many of them, and later one in so many: tasks
/// change in the course of a run, and reading the clock takes as long as a small task.
inline constexpr uint32_t kFirstMeasured = 4, kMeasuredStarts = 16;

/// Pre-sync lanes of a level, of all its tasks together, before their children run: a dispatch's 100 ns are a fraction
/// of a nanosecond for each, and what they touch is still in the cache when their post-sync tasks run. With whole
/// levels of 4,096 of each task, sixteen kinds of small tasks took twice as long, queens on bit masks a tenth longer,
/// and cilksort some percent. The second is for tasks whose children run in vectors, too. With 1,024 there, those
/// sixteen kinds took a tenth longer and queens a third; with tasks whose children do not, an FFT a twelfth.
inline constexpr uint64_t kScalarLanes = 256;
inline constexpr uint64_t kVectorLanes = 512;

/// Nanoseconds that one dispatch of a block of wavefronts should take at most where others may wait for work: what runs
/// cannot be given away. A block that takes less is doubled, one that takes four times as much is halved.
inline constexpr uint64_t kShortBlock = 20'000;
inline constexpr uint64_t kLongBlocks = 4;

/// Least nanoseconds between two blocks that a worker gives away. A hand-over costs both sides a few microseconds (a
/// lock, a system call to wake up). For blocks of one wavefront or less the interval is longer: splitting them also
/// costs lanes.
inline constexpr uint64_t kGiveEvery = 10'000;
inline constexpr uint64_t kGiveSmallEvery = 50'000;

/// Nanoseconds that a hand-over costs both sides: elisions that take less, all that wait of a task at a level, stay. A
/// task that called small ones in a loop gave each fiftieth microsecond one away that took ten nanoseconds, and waited
/// for it.
inline constexpr uint64_t kHandOver = 4'000;

/// Nanoseconds without progress after which a host thread that waits for its turn no longer does, and runs its call as
/// the serial elision: tasks may wait for that thread.
inline constexpr uint64_t kStuckAfter = 100'000'000;

/// Nanoseconds for which a worker looks for work before it sleeps: what it costs both sides, the giver with a system
/// call, that it is woken again. A run of 75 ms on two workers had 430 such waits, and took 9 ms longer.
inline constexpr uint64_t kLookOutFor = 50'000;

/// A worker whose dispatches follow each other within this many nanoseconds looks at the clock, to share, only after
/// skipping some: reading it takes 20 to 30 ns, as much as a dispatch of one lane.
inline constexpr uint64_t kShortDispatches = 1'000;
inline constexpr uint32_t kSkippedDispatches = 7;

/// Stack of a worker thread in bytes where the process's own is unlimited; else workers get as much as the process.
inline constexpr uint64_t kWorkerStack = uint64_t(256) << 20;

/// Tasks that a cilk_for without a grain size is cut into at least, if it has that many iterations: enough for every
/// worker and wavefront, few enough that a task's cost (some nanoseconds) does not show. A loop that starts beside
/// other tasks is cut into so many that there are this many in all: a stencil on 256 by 256 cells, a loop for each
/// coordinate, took seven times its elision with a task for each cell. Straight-line iterations are some hundred
/// nanoseconds' worth for a task at least (ExtractLoops.cpp).
inline constexpr uint64_t kLoopTasks = 1024;

/// Most iterations of a cilk_for that one task runs when no grain size is given, as in OpenCilk: a longer task would
/// leave other workers idle at the loop's end.
inline constexpr uint64_t kLargestGrain = 2048;

// The modelled machine. Sizes are those of the paper's Table 2; costs, in cycles of 1 ns, are rough until caches and
// memory are modelled: no claim about time rests on them, only the order of events.

/// Compute units when CILK2GPU_CUS is not set: the largest machine that the paper shows. The bound guards against a
/// mistyped number and keeps the stacks of all contexts within the kernel's limit of mappings (65,530).
inline constexpr uint32_t kDefaultCus = 8;
inline constexpr uint32_t kMaxCus = 256;

/// Upper bounds of CILK2GPU_DONE_COUNT, in elements, and CILK2GPU_WATCHDOG, in seconds: guards against mistyped
/// numbers.
inline constexpr uint32_t kMaxDoneCount = 1 << 20;
inline constexpr uint64_t kMaxWatchdog = 1'000'000;

inline constexpr uint32_t kSimdsPerCu = 4;
inline constexpr uint32_t kContextsPerCu = 40;

/// Bytes that a yield saves when contexts are saved with all registers, live or dead (paper, section 7.1): 856 for
/// program counters, masks and identifiers, and the 16 registers of 64 x 4 bytes, 8 of 64 x 8 bytes and 2 of 64 x 1 bit
/// of its first kernels (Table 3).
inline constexpr uint64_t kSavedContextBytes = 856 + 16 * 64 * 4 + 8 * 64 * 8 + 2 * 64 / 8;

/// An instruction's turn on a SIMD unit; an atomic operation in the second-level cache (16 cycles there, and as much
/// for the way there and back); a load that misses the first one; a kernel's own instructions, as long as kernels do
/// not say.
inline constexpr uint32_t kModelIssue = 4;
inline constexpr uint32_t kModelAtomicLatency = 32;
inline constexpr uint32_t kModelLoadLatency = 32;
inline constexpr uint32_t kModelKernelCycles = 256;

/// Bytes that the alignment of lanes' instructions may take (executors/model/LaneCounts.h), all wavefronts together:
/// enough for some million iterations of loops that are under way at one time.
inline constexpr uint64_t kLaneCountBytes = uint64_t(256) << 20;

/// From the aggregator's decision to a wavefront's first instruction.
inline constexpr uint32_t kModelDispatchLatency = 100;

/// A hand-written graph's channels have one done count for as many elements as this goes into their width, at least one
/// and at most CILK2GPU_DONE_COUNT: a full channel then never waits for more than a thousandth of itself.
inline constexpr uint64_t kWidthPerDoneCount = 1024;

/// Wavefronts of a hand-written graph that wait for room, up to which lanes behind such a one are given a wavefront of
/// their own: each takes a stack, two of the kernel's 65,530 mappings, and more memory under a sanitizer.
inline constexpr uint64_t kMostWaiting = 4096;

/// Levels of a hand-written graph's channel stack: a guard against a level that was not computed, with an array of so
/// many pointers, 128 MB.
inline constexpr int kMaxGraphLevels = 1 << 24;

/// The strictest alignment that elements of a hand-written graph's channels get, in bytes: a page.
inline constexpr uint64_t kGraphAlignment = 4096;

/// What the aggregator's actions take it.
inline constexpr uint32_t kAggregatorDispatch = 50;
inline constexpr uint32_t kAggregatorBlock = 50;
inline constexpr uint32_t kAggregatorReclaim = 20;
inline constexpr uint32_t kAggregatorMove = 50;

/// CILK2GPU_SCHEDULE=random: the aggregator acts in one of this many turns. Large enough for wavefronts to overtake one
/// another many times between its actions.
inline constexpr uint32_t kModelAggregatorTurn = 4;

/// CILK2GPU_SCHEDULE=adversarial: every how many turns the wavefront that has waited longest goes on.
inline constexpr uint32_t kModelFairTurn = 64;

/// Most bytes of a wavefront's stack where the process's own is larger or unlimited.
inline constexpr uint64_t kMaxFiberStack = uint64_t(64) << 20;

/// Events that CILK2GPU_TRACE keeps at most: some 100 MB of JSON, which Perfetto still opens quickly.
inline constexpr uint64_t kTraceEvents = 500'000;

} // namespace cilk2gpu::rt::tunables

#endif // CILK2GPU_RUNTIME_CORE_TUNABLES_H
