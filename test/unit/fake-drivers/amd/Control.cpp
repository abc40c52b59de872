// Branches, calls, barriers, hardware registers, and instructions without an effect here: waits (memory is strongly
// ordered), caches, hints.
#include "Columns.h"
#include "Tables.h"

#include <time.h>

namespace cilk2gpu::test::amd {
namespace {

void nothing(Wave &, const Instruction &) {}

/// The operand counts words from the next instruction.
void branch(Wave &wave, const Instruction &instruction) {
  wave.pc += uint64_t(4 * int64_t(int16_t(instruction.operands[0].value)));
}

template <auto Condition> void branchIf(Wave &wave, const Instruction &instruction) {
  if (Condition(wave))
    branch(wave, instruction);
}

void readCounter(Wave &wave, const Instruction &instruction) { writeScalar(wave, instruction.operands[0], wave.pc, 8); }
void setCounter(Wave &wave, const Instruction &instruction) {
  wave.pc = readScalar<uint64_t>(wave, instruction.operands[0]);
}
void call(Wave &wave, const Instruction &instruction) {
  uint64_t back = wave.pc;
  wave.pc = readScalar<uint64_t>(wave, instruction.operands[1]);
  writeScalar(wave, instruction.operands[0], back, 8);
}
void callNear(Wave &wave, const Instruction &instruction) {
  writeScalar(wave, instruction.operands[0], wave.pc, 8);
  wave.pc += uint64_t(4 * int64_t(int16_t(instruction.operands[1].value)));
}

void end(Wave &wave, const Instruction &) {
  wave.state = State::Ended;
  ++wave.group->ended;
}

void barrier(Wave &wave, const Instruction &) {
  wave.state = State::AtBarrier;
  ++wave.group->waiting;
}

/// From gfx12 on, a wavefront signals a barrier and then waits for it. Nothing may be between them here.
void signal(Wave &wave, const Instruction &instruction) {
  if (instruction.operands[0].value != -1)
    wave.fail("a barrier that is not the workgroup's");
  wave.hasSignalled = true;
}
void waitForBarrier(Wave &wave, const Instruction &instruction) {
  if (!wave.hasSignalled)
    wave.fail("a wavefront waits for a barrier that it has not signalled");
  wave.hasSignalled = false;
  barrier(wave, instruction);
}

void sleep(Wave &wave, const Instruction &) { wave.yields = true; }
void trap(Wave &wave, const Instruction &) { wave.fail("a trap"); }

void fence(Wave &, const Instruction &) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/// The constant-frequency counter, of 100 MHz.
uint64_t realTime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec)) / 10;
}
void readTime(Wave &wave, const Instruction &instruction) { writeScalar(wave, instruction.operands[0], realTime(), 8); }

void sendAndReturn(Wave &wave, const Instruction &instruction) {
  if (instruction.text.find("MSG_RTN_GET_REALTIME") == std::string::npos)
    wave.fail("a message that is not known here");
  readTime(wave, instruction);
}

//===-- Hardware registers ----------------------------------------------------------------------------------------===//

struct Field {
  unsigned offset = 0, bits = 32;
  bool isMode;
};

/// Reads hwreg(HW_REG_MODE, 4, 2): the register, the first bit and the number of bits. gfx12 calls it HW_REG_WAVE_MODE.
Field fieldOf(const Instruction &instruction) {
  Field field;
  field.isMode = instruction.text.find("HW_REG_MODE") != std::string::npos ||
                 instruction.text.find("HW_REG_WAVE_MODE") != std::string::npos;
  size_t comma = instruction.text.find(", ", instruction.text.find("HW_REG_"));
  if (comma != std::string::npos && instruction.text.find("hwreg(") < comma)
    sscanf(instruction.text.c_str() + comma, ", %u, %u", &field.offset, &field.bits);
  return field;
}

void setMode(Wave &wave, const Field &field, uint32_t value) {
  uint32_t mask = uint32_t((uint64_t(1) << field.bits) - 1) << field.offset;
  wave.mode = (wave.mode & ~mask) | (value << field.offset & mask);
  if (wave.mode & 15)
    wave.fail("a rounding mode that is not known here");
}

template <unsigned Source> void setRegister(Wave &wave, const Instruction &instruction) {
  Field field = fieldOf(instruction);
  if (!field.isMode)
    wave.fail("a hardware register that is not known here");
  setMode(wave, field, readScalar<uint32_t>(wave, instruction.operands[Source]));
}
void getRegister(Wave &wave, const Instruction &instruction) {
  Field field = fieldOf(instruction);
  if (!field.isMode)
    wave.fail("a hardware register that is not known here");
  uint32_t value = wave.mode >> field.offset & uint32_t((uint64_t(1) << field.bits) - 1);
  writeScalar(wave, instruction.operands[0], value, 4);
}
template <unsigned Offset> void setModePart(Wave &wave, const Instruction &instruction) {
  setMode(wave, {Offset, 4, true}, uint32_t(instruction.operands[0].value));
}

/// The next vector instructions use registers whose numbers are larger by m0 (gfx9).
void indexOn(Wave &wave, const Instruction &instruction) {
  constexpr std::string_view kNames[] = {"SRC0", "SRC1", "SRC2", "DST"};
  wave.scalars[kM0] = readScalar<uint32_t>(wave, instruction.operands[0]);
  wave.indexMode = 0;
  for (unsigned i = 0; i < std::size(kNames); ++i)
    if (instruction.text.find(kNames[i]) != std::string::npos)
      wave.indexMode |= uint8_t(1 << i);
}
void indexOff(Wave &wave, const Instruction &) { wave.indexMode = 0; }

const Row kTable[] = {
    {"s_branch", branch},
    {"s_cbranch_scc0", branchIf<[](const Wave &w) { return !w.scalars[kScc]; }>},
    {"s_cbranch_scc1", branchIf<[](const Wave &w) { return w.scalars[kScc] != 0; }>},
    {"s_cbranch_vccz", branchIf<[](const Wave &w) { return !w.mask(kVcc); }>},
    {"s_cbranch_vccnz", branchIf<[](const Wave &w) { return w.mask(kVcc) != 0; }>},
    {"s_cbranch_execz", branchIf<[](const Wave &w) { return !w.exec(); }>},
    {"s_cbranch_execnz", branchIf<[](const Wave &w) { return w.exec() != 0; }>},
    {"s_getpc_b64", readCounter},
    {"s_setpc_b64", setCounter},
    {"s_swappc_b64", call},
    {"s_call_b64", callNear},
    {"s_endpgm", end},
    {"s_barrier", barrier},
    {"s_barrier_signal", signal},
    {"s_barrier_wait", waitForBarrier},
    {"s_sleep", sleep},
    {"s_trap", trap},
    {"s_memtime s_memrealtime", readTime},
    {"s_sendmsg_rtn_b64", sendAndReturn},
    {"s_getreg_b32", getRegister},
    {"s_setreg_b32", setRegister<1>},
    {"s_setreg_imm32_b32", setRegister<1>},
    {"s_round_mode", setModePart<0>},
    {"s_denorm_mode", setModePart<4>},
    {"s_set_gpr_idx_on", indexOn},
    {"s_set_gpr_idx_off", indexOff},
    {"buffer_wbinvl1 buffer_wbinvl1_vol buffer_wbl2 buffer_invl2 buffer_inv buffer_gl0_inv buffer_gl1_inv global_wb "
     "global_inv global_wbinv s_dcache_wb s_dcache_inv s_dcache_wb_vol s_dcache_inv_vol s_gl1_inv",
     fence},
    {"s_nop v_nop s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_expcnt s_waitcnt_lgkmcnt s_waitcnt_depctr "
     "s_wait_alu s_wait_idle s_wait_loadcnt s_wait_storecnt s_wait_dscnt s_wait_kmcnt s_wait_samplecnt s_wait_bvhcnt "
     "s_wait_expcnt s_wait_loadcnt_dscnt s_wait_storecnt_dscnt s_wait_xcnt s_delay_alu s_clause s_setprio s_version "
     "s_sendmsg s_set_inst_prefetch_distance s_inst_prefetch s_icache_inv s_code_end s_prefetch_inst",
     nothing},
};

} // namespace

std::span<const Row> controlTable() { return kTable; }

} // namespace cilk2gpu::test::amd
