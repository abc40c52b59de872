// Operations that read or write chosen lanes, and that count lanes.
#include "Columns.h"
#include "Tables.h"

#include <algorithm>

namespace cilk2gpu::test::amd {
namespace {

uint32_t scalarSource(const Wave &wave, const Instruction &instruction, unsigned operand) {
  return readScalar<uint32_t>(wave, instruction.operands[operand]);
}

void readLane(Wave &wave, const Instruction &instruction) {
  uint32_t lane = scalarSource(wave, instruction, 2) & (wave.size() - 1);
  writeScalar(wave, instruction.operands[0], wave.vectors[instruction.operands[1].first][lane], 4);
}

/// Reads the first active lane, or lane 0 if none is active.
void readFirstLane(Wave &wave, const Instruction &instruction) {
  uint64_t exec = wave.exec();
  const Operand &source = instruction.operands[1];
  uint32_t value = source.kind == Operand::Vector ? wave.vectors[source.first][exec ? std::countr_zero(exec) : 0]
                                                  : scalarSource(wave, instruction, 1);
  writeScalar(wave, instruction.operands[0], value, 4);
}

/// Writes one lane, also if it is not active.
void writeLane(Wave &wave, const Instruction &instruction) {
  uint32_t lane = scalarSource(wave, instruction, 2) & (wave.size() - 1);
  wave.vectors[instruction.operands[0].first][lane] = scalarSource(wave, instruction, 1);
}

/// Counts the bits of a mask for lanes before each lane, of lanes 0 to 31 or of the others.
template <bool IsHigh> void countBefore(Wave &wave, const Instruction &instruction) {
  uint32_t masks[kMostLanes], sums[kMostLanes];
  readColumn(wave, instruction.operands[1], false, false, false, masks);
  readColumn(wave, instruction.operands[2], false, false, false, sums);
  for (unsigned lane = 0; lane < kMostLanes; ++lane) {
    uint64_t before = (uint64_t(1) << lane) - 1;
    sums[lane] += uint32_t(std::popcount(masks[lane] & uint32_t(IsHigh ? before >> 32 : before)));
  }
  writeColumn(wave, instruction, sums, wave.exec());
}

/// Each lane reads the lane that its address names, in bytes; lanes that are not active give 0 (DS_BPERMUTE_B32).
void pull(Wave &wave, const Instruction &instruction) {
  uint32_t addresses[kMostLanes], values[kMostLanes], result[kMostLanes] = {};
  readColumn(wave, instruction.operands[1], false, false, false, addresses);
  readColumn(wave, instruction.operands[2], false, false, false, values);
  uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    auto from = unsigned((addresses[lane] + instruction.access.offset) / 4 % wave.size());
    result[lane] = exec >> from & 1 ? values[from] : 0;
  }
  writeColumn(wave, instruction, result, exec);
}

/// Each lane writes the lane that its address names (DS_PERMUTE_B32).
void push(Wave &wave, const Instruction &instruction) {
  uint32_t addresses[kMostLanes], values[kMostLanes], result[kMostLanes] = {};
  readColumn(wave, instruction.operands[1], false, false, false, addresses);
  readColumn(wave, instruction.operands[2], false, false, false, values);
  for (uint64_t left = wave.exec(); left; left &= left - 1) {
    auto lane = unsigned(std::countr_zero(left));
    result[(addresses[lane] + instruction.access.offset) / 4 % wave.size()] = values[lane];
  }
  writeColumn(wave, instruction, result, wave.exec());
}

/// Each half of a wavefront, or the 16 lanes of a row, read lanes that the scalars name (V_PERMLANE16_B32). With
/// `IsOther`, they read the neighbouring row.
template <bool IsOther> void permuteRow(Wave &wave, const Instruction &instruction) {
  uint32_t values[kMostLanes], result[kMostLanes];
  readColumn(wave, instruction.operands[1], false, false, false, values);
  uint64_t selectors = scalarSource(wave, instruction, 2) | uint64_t(scalarSource(wave, instruction, 3)) << 32;
  uint64_t exec = wave.exec(), active = exec;
  bool readsInactive = instruction.opSel & 1, zeroes = instruction.opSel >> 1 & 1;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    unsigned from = (lane & ~15u) + unsigned(selectors >> 4 * (lane & 15) & 15);
    from ^= IsOther ? 16 : 0;
    bool isValid = readsInactive || (exec >> from & 1);
    result[lane] = isValid ? values[from] : 0;
    if (!isValid && !zeroes)
      active &= ~(uint64_t(1) << lane);
  }
  writeColumn(wave, instruction, result, active);
}

/// Exchanges the halves of a wide wavefront.
void permuteHalves(Wave &wave, const Instruction &instruction) {
  uint32_t values[kMostLanes];
  readColumn(wave, instruction.operands[1], false, false, false, values);
  if (wave.isWide())
    std::rotate(values, values + 32, values + 64);
  writeColumn(wave, instruction, values, wave.exec());
}

void swap(Wave &wave, const Instruction &instruction) {
  uint32_t *a = wave.vectors[instruction.operands[0].first], *b = wave.vectors[instruction.operands[1].first];
  for (uint64_t left = wave.exec(); left; left &= left - 1)
    std::swap(a[std::countr_zero(left)], b[std::countr_zero(left)]);
}

// Registers whose numbers m0 moves (gfx10 on).

void moveRelativeResult(Wave &wave, const Instruction &instruction) {
  uint32_t values[kMostLanes];
  readColumn(wave, instruction.operands[1], false, false, false, values);
  uint32_t *words = wave.vectors[instruction.operands[0].first + wave.scalars[kM0]];
  for (uint64_t left = wave.exec(); left; left &= left - 1)
    words[std::countr_zero(left)] = values[std::countr_zero(left)];
}

void moveRelativeSource(Wave &wave, const Instruction &instruction) {
  const uint32_t *words = wave.vectors[instruction.operands[1].first + wave.scalars[kM0]];
  for (uint64_t left = wave.exec(); left; left &= left - 1)
    wave.vectors[instruction.operands[0].first][std::countr_zero(left)] = words[std::countr_zero(left)];
}

const Row kTable[] = {
    {"v_readlane_b32", readLane},
    {"v_readfirstlane_b32", readFirstLane},
    {"v_writelane_b32", writeLane},
    {"v_mbcnt_lo_u32_b32", countBefore<false>},
    {"v_mbcnt_hi_u32_b32", countBefore<true>},
    {"ds_bpermute_b32", pull},
    {"ds_permute_b32", push},
    {"v_permlane16_b32", permuteRow<false>},
    {"v_permlanex16_b32", permuteRow<true>},
    {"v_permlane64_b32", permuteHalves},
    {"v_swap_b32", swap},
    {"v_movreld_b32", moveRelativeResult},
    {"v_movrels_b32", moveRelativeSource},
};

} // namespace

std::span<const Row> laneTable() { return kTable; }

} // namespace cilk2gpu::test::amd
