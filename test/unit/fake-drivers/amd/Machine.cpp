// See Machine.h.
#include "Machine.h"
#include "Faults.h"
#include "core/Generator.h"

#include <algorithm>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cilk2gpu::test::amd {
namespace {

constexpr int kPattern = 0xa5;          ///< pattern of memory that nobody has written
constexpr uint32_t kFilledBytes = 4096; ///< of the part of private memory that a kernel's own frame has
constexpr unsigned kGranule = 8;        ///< vector registers that a kernel descriptor counts as one

using rt::Generator;

} // namespace

void Wave::fail(const std::string &what) const {
  const Instruction *instruction = code->at(at);
  fprintf(stderr, "fake GPU: %s (wavefront %u of block %u, at '%s')\n", what.c_str(), number, block,
          instruction ? instruction->text.c_str() : "no code");
  fflush(stderr);
  _exit(1);
}

void fillRegisters(Wave &wave, unsigned vectors) {
  memset(wave.scalars, kPattern, sizeof wave.scalars);
  memset(wave.vectors, kPattern, std::min<size_t>(vectors, kVectors) * sizeof *wave.vectors);
  wave.setPair(kNull, 0);
  wave.setPair(kSharedBase, kSharedAperture);
  wave.setPair(kSharedLimit, kSharedAperture + 0xffffffff);
  wave.setPair(kPrivateBase, kPrivateAperture);
  wave.setPair(kPrivateLimit, kPrivateAperture + 0xffffffff);
  wave.scalars[kScc] = 0;
}

//===-- Instructions ----------------------------------------------------------------------------------------------===//

/// Executes both operations of a dual instruction: each reads what was there before.
static void stepDual(Wave &wave, const Instruction &instruction) {
  uint32_t *result = wave.vectors[instruction.operands[0].first], before[kMostLanes], after[kMostLanes];
  memcpy(before, result, sizeof before);
  instruction.execute(wave, instruction);
  memcpy(after, result, sizeof after);
  memcpy(result, before, sizeof before);
  instruction.second->execute(wave, *instruction.second);
  memcpy(result, after, sizeof after);
}

/// Executes an instruction with the registers that m0 moves.
static void stepIndexed(Wave &wave, const Instruction &instruction) {
  Instruction moved = instruction;
  for (unsigned i = 0; i < instruction.count; ++i) {
    bool isMoved = wave.indexMode >> (i ? i - 1 : 3) & 1;
    if (isMoved && moved.operands[i].kind == Operand::Vector)
      moved.operands[i].first = uint16_t(moved.operands[i].first + (wave.scalars[kM0] & 0xff));
  }
  moved.execute(wave, moved);
}

void step(Wave &wave) {
  wave.at = wave.pc;
  const Instruction *instruction = wave.code->at(wave.pc);
  if (!instruction)
    wave.fail("a jump to where no code is");
  if (!instruction->execute)
    wave.fail("an instruction that is not known here");
  wave.pc += instruction->bytes;
  if (instruction->second)
    stepDual(wave, *instruction);
  else if (wave.indexMode && instruction->name.starts_with("v_"))
    stepIndexed(wave, *instruction);
  else
    instruction->execute(wave, *instruction);
}

//===-- Starts ----------------------------------------------------------------------------------------------------===//

namespace {

/// Returns memory that stays for later launches: of wavefronts (0) or of lanes' private memory (1).
void *memoryOf(unsigned purpose, uint64_t bytes) {
  static struct {
    void *memory;
    uint64_t bytes;
  } kept[2];
  auto &own = kept[purpose];
  if (own.bytes >= bytes)
    return own.memory;
  if (own.memory)
    munmap(own.memory, own.bytes);
  own.memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  own.bytes = bytes;
  if (own.memory == MAP_FAILED) {
    fprintf(stderr, "fake GPU: there is no memory for %llu bytes of lanes\n", static_cast<unsigned long long>(bytes));
    _exit(1);
  }
  return own.memory;
}

/// Memory that is the driver's own, which lanes may read: a kernel's arguments and its dispatch packet.
struct {
  const void *ranges[2][2] = {};
  void (*access)(const void *memory, uint64_t bytes, bool writes) = nullptr;
} own;

void accessBesideOwn(const void *memory, uint64_t bytes, bool writes) {
  for (auto &range : own.ranges)
    if (!writes && memory >= range[0] && memory < range[1])
      return;
  own.access(memory, bytes, writes);
}

/// A launch: its kernel, what is passed to it, and the wavefronts of the resident blocks.
class Launch {
public:
  Launch(const Kernel &kernel, const LaunchShape &shape, const void *parameter);
  Launch(const Launch &) = delete;
  uint64_t run();

private:
  struct Block {
    Group group;
    uint32_t left = 0; ///< wavefronts that have not ended
  };

  void setHiddenArguments();
  void startBlock(size_t place);
  void startWave(Wave &wave, uint32_t number);
  unsigned setUserRegisters(Wave &wave);
  void setNumbers(Wave &wave, unsigned next);
  bool runOne(size_t index);
  void passBarrier(size_t place);

  const Kernel &kernel;
  LaunchShape shape;
  Generator random;
  uint32_t perBlock, started = 0;
  std::vector<uint64_t> arguments;
  uint32_t packet[16] = {}; ///< the dispatch packet, as far as kernels read it
  std::vector<Block> blocks;
  size_t numWaves;
  Wave *waves = nullptr;
  std::vector<size_t> active;
  unsigned char *privateMemory = nullptr;
  uint64_t privateOfAll, executed = 0;
};

Launch::Launch(const Kernel &kernel, const LaunchShape &given, const void *parameter)
    : kernel(kernel), shape(given), random(given.seed) {
  uint32_t wave = kernel.code->target.wave;
  perBlock = (shape.threads + wave - 1) / wave;
  size_t places = std::min(shape.resident, shape.blocks);
  if (kernel.privateBytes > shape.privateBytes || !kernel.hasDynamicStack)
    shape.privateBytes = kernel.privateBytes;
  shape.privateBytes = (shape.privateBytes + 15) & ~uint64_t(15);
  shape.sharedBytes = kernel.sharedBytes;
  arguments.resize(kernel.argumentBytes / 8 + 2);
  memcpy(arguments.data(), &parameter, sizeof parameter);
  setHiddenArguments();
  packet[1] = shape.threads | 1 << 16;
  packet[2] = 1;
  packet[3] = shape.blocks * shape.threads;
  packet[4] = packet[5] = 1;
  own = {.ranges = {{arguments.data(), arguments.data() + arguments.size()}, {packet, std::end(packet)}},
         .access = given.access};
  shape.access = given.access ? accessBesideOwn : nullptr;
  blocks = std::vector<Block>(places);
  numWaves = places * perBlock;
  waves = static_cast<Wave *>(memoryOf(0, numWaves * sizeof(Wave)));
  privateOfAll = wave * shape.privateBytes;
  if (privateOfAll)
    privateMemory = static_cast<unsigned char *>(memoryOf(1, numWaves * privateOfAll));
}

void Launch::setHiddenArguments() {
  for (const Kernel::Hidden &each : kernel.hidden) {
    uint64_t value = 0;
    if (each.kind == "hidden_block_count_x")
      value = shape.blocks;
    else if (each.kind == "hidden_group_size_x")
      value = shape.threads;
    else if (each.kind.starts_with("hidden_block_count") || each.kind.starts_with("hidden_group_size"))
      value = 1;
    else if (each.kind == "hidden_grid_dims")
      value = 1;
    memcpy(reinterpret_cast<unsigned char *>(arguments.data()) + each.offset, &value, each.bytes);
  }
}

void Launch::startBlock(size_t place) {
  Block &block = blocks[place];
  block.group = {.shared = std::vector<unsigned char>(shape.sharedBytes, uint8_t(kPattern)),
                 .waves = perBlock,
                 .waiting = 0,
                 .ended = 0};
  block.left = perBlock;
  for (uint32_t number = 0; number < perBlock; ++number) {
    size_t index = place * perBlock + number;
    Wave &wave = waves[index];
    wave.group = &block.group;
    wave.privateMemory = privateMemory + index * privateOfAll;
    wave.scratchBase = (uint64_t(index) + 1) << 32; // no address: accesses of the host would be wrong
    startWave(wave, number);
    active.push_back(index);
  }
  ++started;
}

/// Sets registers as "Initial Kernel Execution State" in LLVM's "User Guide for AMDGPU Backend" says.
void Launch::startWave(Wave &wave, uint32_t number) {
  wave.code = kernel.code;
  wave.shape = &shape;
  wave.block = started;
  wave.number = number;
  wave.lanes = std::min(wave.size(), shape.threads - number * wave.size());
  wave.pc = wave.at = kernel.entry;
  wave.state = State::Runs;
  wave.mode = kernel.resources1 >> 12 & 0xff;
  wave.indexMode = 0;
  wave.yields = wave.hasSignalled = false;
  fillRegisters(wave, ((kernel.resources1 & 63) + 1) * kGranule);
  for (unsigned lane = 0; lane < wave.size() && shape.privateBytes; ++lane)
    memset(wave.privateOf(lane), kPattern, std::min(kernel.privateBytes, kFilledBytes));
  wave.setMask(kExec, wave.lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << wave.lanes) - 1);
  // From gfx90a on, one register has the thread's numbers.
  for (unsigned lane = 0; lane < wave.size(); ++lane)
    wave.vectors[0][lane] = number * wave.size() + lane;
  setNumbers(wave, setUserRegisters(wave));
}

unsigned Launch::setUserRegisters(Wave &wave) {
  auto address = [](const void *memory) { return uint64_t(reinterpret_cast<uintptr_t>(memory)); };
  unsigned next = 0;
  auto has = [&](unsigned bit) { return kernel.properties >> bit & 1; };
  auto setPair = [&](uint64_t value) {
    wave.setPair(next, value);
    next += 2;
  };
  // The wavefront's own offset is added to these bases, see setNumbers().
  uint64_t scratch = uint64_t(1) << 32;
  if (has(0)) {
    setPair(scratch);
    setPair(0);
  }
  if (has(1))
    setPair(address(packet));
  if (has(2))
    setPair(0);
  if (has(3))
    setPair(address(arguments.data()));
  if (has(4))
    setPair(0);
  if (has(5))
    setPair(scratch);
  if (has(6))
    wave.scalars[next++] = uint32_t(shape.privateBytes);
  unsigned count = kernel.resources2 >> 1 & 31;
  if (next > count)
    wave.fail("a kernel descriptor has too few user registers");
  return count;
}

void Launch::setNumbers(Wave &wave, unsigned next) {
  if (wave.code->target.hasArchitectedNumbers) {
    wave.scalars[kTtmp + 9] = wave.block;
    wave.scalars[kTtmp + 7] = 0;
  } else {
    if (kernel.resources2 >> 7 & 1)
      wave.scalars[next++] = wave.block;
    if (kernel.resources2 >> 8 & 1)
      wave.scalars[next++] = 0;
    if (kernel.resources2 >> 9 & 1)
      wave.scalars[next++] = 0;
    if (kernel.resources2 >> 10 & 1)
      ++next;
  }
  // With private memory, kernels add the wavefront's offset to the bases that they were given.
  constexpr uint64_t kBase = uint64_t(1) << 32;
  constexpr uint32_t kOffset = 0x10000;
  if (wave.code->target.hasArchitectedScratch || !(kernel.resources2 & 1))
    return;
  auto index = uint32_t(&wave - waves);
  wave.scalars[next] = (index + 1) * kOffset;
  wave.scratchBase = kBase + wave.scalars[next];
}

//===-- Turns -----------------------------------------------------------------------------------------------------===//

/// Lets a wavefront run for a while. Returns whether it is left.
bool Launch::runOne(size_t index) {
  Wave &wave = waves[index];
  wave.yields = false;
  uint64_t most = random.below(4) ? 1 + random.below(256) : 1 + random.below(8), left = most;
  FaultsOfCode faults([](const void *context, const char *what) { static_cast<const Wave *>(context)->fail(what); },
                      &wave);
  for (; left && wave.state == State::Runs && !wave.yields; --left)
    step(wave);
  executed += most - left;
  return wave.state != State::Ended;
}

/// Lets wavefronts go on if all that have not ended are at the barrier.
void Launch::passBarrier(size_t place) {
  Group &group = blocks[place].group;
  if (!group.waiting || group.waiting + group.ended < group.waves)
    return;
  group.waiting = 0;
  for (uint32_t number = 0; number < perBlock; ++number)
    if (Wave &wave = waves[place * perBlock + number]; wave.state == State::AtBarrier)
      wave.state = State::Runs;
}

uint64_t Launch::run() {
  for (size_t place = 0; place < blocks.size(); ++place)
    startBlock(place);
  // If wavefronts do nothing but poll, other threads of this process have to act.
  for (size_t polled = 0; !active.empty();) {
    size_t n = random.below(active.size()), index = active[n], place = index / perBlock;
    if (waves[index].state == State::AtBarrier) {
      if (++polled > 8 * active.size())
        sched_yield();
      continue;
    }
    bool isLeft = runOne(index);
    passBarrier(place);
    polled = waves[index].yields ? polled + 1 : 0;
    if (polled > 8 * active.size())
      sched_yield();
    if (isLeft)
      continue;
    active[n] = active.back();
    active.pop_back();
    if (!--blocks[place].left && started < shape.blocks)
      startBlock(place);
  }
  return executed;
}

} // namespace

uint64_t run(const Kernel &kernel, const LaunchShape &shape, const void *parameter) {
  return Launch(kernel, shape, parameter).run();
}

} // namespace cilk2gpu::test::amd
