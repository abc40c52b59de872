// Tests of the emulator of AMD's instruction sets in the fake driver of HIP. LLVM assembles the instructions. The
// expected values are worked out by hand from the chapters of AMD's ISA manuals that each list names. The manuals are
// those of MI200 for gfx90a, of MI300 for gfx942, of RDNA3 for gfx1100, and of RDNA4 for gfx1201.
#include "amd/Machine.h"

#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <string.h>

using namespace cilk2gpu::test::amd;

namespace {

constexpr char kTriple[] = "amdgcn-amd-amdhsa";

unsigned waveOf(const std::string &processor) { return processor.starts_with("gfx9") ? 64 : 32; }

/// Returns the machine code of a text.
std::vector<unsigned char> assemble(const std::string &processor, const std::string &text) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser();
  LLVMTargetRef target = nullptr;
  char *message = nullptr;
  EXPECT_FALSE(LLVMGetTargetFromTriple(kTriple, &target, &message));
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, kTriple, processor.c_str(), waveOf(processor) == 32 ? "+wavefrontsize32" : "",
                              LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", context);
  LLVMSetTarget(module, kTriple);
  std::string assembly = ".text\n" + text + "\n";
  LLVMSetModuleInlineAsm2(module, assembly.c_str(), assembly.size());
  LLVMMemoryBufferRef object = nullptr;
  EXPECT_FALSE(LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object)) << text;
  auto *file = reinterpret_cast<const unsigned char *>(LLVMGetBufferStart(object));
  auto *header = reinterpret_cast<const Elf64_Ehdr *>(file);
  auto *sections = reinterpret_cast<const Elf64_Shdr *>(file + header->e_shoff);
  std::vector<unsigned char> code;
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_flags & SHF_EXECINSTR)
      code.assign(file + sections[i].sh_offset, file + sections[i].sh_offset + sections[i].sh_size);
  LLVMDisposeMemoryBuffer(object);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return code;
}

/// Code of a text, and a wavefront that executes it.
class Machine {
public:
  Machine(const std::string &processor, const std::string &text)
      : bytes(assemble(processor, text + "\ns_endpgm")),
        code(bytes.data(), bytes.size(), targetOf(processor, waveOf(processor))) {
    wave.code = &code;
    wave.shape = &shape;
    wave.group = &group;
    wave.mode = 0xf0; // subnormal numbers stay
    fillRegisters(wave, kVectors);
    wave.setMask(kExec, ~uint64_t(0));
    wave.pc = uint64_t(reinterpret_cast<uintptr_t>(bytes.data()));
    for (uint32_t lane = 0; lane < kMostLanes; ++lane)
      wave.vectors[9][lane] = lane; // v9 is the number of the lane
  }

  Wave &run() {
    while (wave.state == State::Runs)
      step(wave);
    return wave;
  }

  std::vector<unsigned char> bytes;
  Code code;
  LaunchShape shape = {.blocks = 1,
                       .threads = 64,
                       .resident = 1,
                       .privateBytes = 0,
                       .sharedBytes = 0,
                       .seed = 1,
                       .access = nullptr,
                       .imageStart = 0,
                       .imageEnd = 0};
  Group group;
  Wave wave;
};

enum class Where { Vector, VectorPair, Scalar, ScalarPair, Scc };

struct Expected {
  const char *processor;
  const char *text;
  Where where; ///< v0 of lane 1, v[0:1], s0, s[0:1], or scc
  uint64_t result;
};

void PrintTo(const Expected &expected, std::ostream *os) { *os << expected.processor << ": " << expected.text; }

uint64_t resultOf(Machine &machine, Where where) {
  constexpr unsigned kLane = 1;
  Wave &wave = machine.run();
  switch (where) {
  case Where::Vector:
    return wave.vectors[0][kLane];
  case Where::VectorPair:
    return wave.vectors[0][kLane] | uint64_t(wave.vectors[1][kLane]) << 32;
  case Where::Scalar:
    return wave.scalars[0];
  case Where::ScalarPair:
    return wave.pair(0);
  case Where::Scc:
    return wave.scalars[kScc];
  }
  return 0;
}

class AmdInstructions : public testing::TestWithParam<Expected> {};

TEST_P(AmdInstructions, HaveTheResultThatTheIsaSays) {
  auto machine = std::make_unique<Machine>(GetParam().processor, GetParam().text);
  EXPECT_EQ(resultOf(*machine, GetParam().where), GetParam().result);
}

#define ON(processor, text, where, result)                                                                             \
  Expected { processor, text, Where::where, uint64_t(result) }
/// A text for gfx90a and gfx942.
#define OLD(text, where, result) ON("gfx90a", text, where, result), ON("gfx942", text, where, result)
/// A text for gfx1100 and gfx1201.
#define NEW(text, where, result) ON("gfx1100", text, where, result), ON("gfx1201", text, where, result)
/// A text that all assemblers accept.
#define BOTH(text, where, result) OLD(text, where, result), NEW(text, where, result)

// "SOP2 Instructions", "SOPK Instructions", "SOP1 Instructions", "SOPC Instructions".
INSTANTIATE_TEST_SUITE_P(
    Scalars, AmdInstructions,
    testing::Values(
        BOTH("s_mov_b32 s1, -1\ns_add_u32 s0, s1, 2", Scalar, 1), BOTH("s_mov_b32 s1, -1\ns_add_u32 s0, s1, 2", Scc, 1),
        BOTH("s_mov_b32 s1, -1\ns_add_u32 s2, s1, 2\ns_addc_u32 s0, 5, 0", Scalar, 6),
        BOTH("s_mov_b32 s1, 1\ns_sub_u32 s0, s1, 2", Scalar, 0xffffffff),
        BOTH("s_mov_b32 s1, 1\ns_sub_u32 s0, s1, 2\ns_subb_u32 s0, 7, 0", Scalar, 6),
        BOTH("s_mov_b32 s1, 0x7fffffff\ns_add_i32 s0, s1, 1", Scc, 1), // overflow
        BOTH("s_movk_i32 s0, 0x8000", Scalar, 0xffff8000),
        BOTH("s_mov_b32 s0, 10\ns_addk_i32 s0, 0xfff0", Scalar, 0xfffffffa),
        BOTH("s_mov_b32 s0, 10\ns_mulk_i32 s0, 0xffff", Scalar, 0xfffffff6),
        BOTH("s_mov_b32 s1, 0x80000001\ns_mul_hi_u32 s0, s1, 6", Scalar, 3),
        BOTH("s_mov_b32 s1, 0x80000001\ns_mul_hi_i32 s0, s1, 6", Scalar, 0xfffffffd),
        BOTH("s_mov_b32 s1, 0x80000000\ns_lshl_b32 s0, s1, 1", Scc, 0),
        BOTH("s_mov_b32 s1, 3\ns_lshl_b32 s0, s1, 33", Scalar, 6), // the five lowest bits count
        BOTH("s_mov_b64 s[2:3], -8\ns_ashr_i64 s[0:1], s[2:3], 1", ScalarPair, -4),
        BOTH("s_mov_b64 s[2:3], 0x80000001\ns_lshl_b64 s[0:1], s[2:3], 4", ScalarPair, 0x800000010),
        BOTH("s_mov_b32 s1, 0x12345678\ns_bfe_u32 s0, s1, 0x80004", Scalar, 0x67),
        BOTH("s_mov_b32 s1, 0x12345678\ns_bfe_i32 s0, s1, 0x60002", Scalar, 0x1e),
        BOTH("s_mov_b32 s1, 0xf0000000\ns_bfe_i32 s0, s1, 0x8001c", Scalar, 0xffffffff),
        BOTH("s_bfm_b32 s0, 4, 8", Scalar, 0xf00), BOTH("s_mov_b32 s1, 1\ns_brev_b32 s0, s1", Scalar, 0x80000000),
        BOTH("s_mov_b64 s[2:3], 0xf0f\ns_bcnt1_i32_b64 s0, s[2:3]", Scalar, 8),
        OLD("s_mov_b64 s[2:3], 0\ns_ff1_i32_b64 s0, s[2:3]", Scalar, 0xffffffff),
        OLD("s_mov_b64 s[2:3], 0x50\ns_ff1_i32_b64 s0, s[2:3]", Scalar, 4),
        NEW("s_mov_b64 s[2:3], 0x50\ns_ctz_i32_b64 s0, s[2:3]", Scalar, 4),
        OLD("s_mov_b32 s1, 0x10\ns_flbit_i32_b32 s0, s1", Scalar, 27),
        NEW("s_mov_b32 s1, 0x10\ns_clz_i32_u32 s0, s1", Scalar, 27),
        OLD("s_mov_b32 s1, -16\ns_flbit_i32 s0, s1", Scalar, 28), // the first bit that differs from the sign
        OLD("s_mov_b64 s[2:3], 12\ns_mov_b64 s[4:5], 10\ns_andn2_b64 s[0:1], s[2:3], s[4:5]", ScalarPair, 4),
        NEW("s_mov_b32 s2, 12\ns_and_not1_b32 s0, s2, 10", Scalar, 4),
        NEW("s_mov_b32 s2, 12\ns_or_not1_b32 s0, s2, -2", Scalar, 13),
        BOTH("s_mov_b32 s1, 12\ns_nor_b32 s0, s1, 10", Scalar, 0xfffffff1),
        BOTH("s_mov_b32 s0, 8\ns_bitset1_b32 s0, 0", Scalar, 9), BOTH("s_mov_b32 s1, 9\ns_bitcmp1_b32 s1, 3", Scc, 1),
        BOTH("s_mov_b32 s1, -1\ns_cmp_lt_i32 s1, 0", Scc, 1), BOTH("s_mov_b32 s1, -1\ns_cmp_lt_u32 s1, 0", Scc, 0),
        OLD("s_mov_b32 s1, -5\ns_cmpk_eq_i32 s1, 0xfffb", Scc, 1),
        ON("gfx1100", "s_mov_b32 s1, -5\ns_cmpk_eq_i32 s1, 0xfffb", Scc, 1),
        BOTH("s_cmp_eq_u32 1, 1\ns_cselect_b32 s0, 7, 8", Scalar, 7),
        BOTH("s_cmp_eq_u32 1, 2\ns_cselect_b64 s[0:1], 7, -8", ScalarPair, -8),
        BOTH("s_cmp_eq_u32 1, 2\ns_cmov_b32 s0, 1", Scalar, 0xa5a5a5a5), // stays
        BOTH("s_mov_b64 s[0:1], 0x90000000", ScalarPair, 0x90000000),
        BOTH("s_mov_b64 s[0:1], 1.0", ScalarPair, 0x3ff0000000000000), BOTH("s_mov_b32 s0, 1.0", Scalar, 0x3f800000),
        BOTH("s_mov_b32 s1, -7\ns_abs_i32 s0, s1", Scalar, 7),
        BOTH("s_mov_b32 s1, 0x180\ns_sext_i32_i8 s0, s1", Scalar, 0xffffff80),
        OLD("s_mov_b32 s1, 0x40000000\ns_lshl3_add_u32 s0, s1, 5", Scalar, 5),
        OLD("s_mov_b32 s1, 0x40000000\ns_lshl3_add_u32 s0, s1, 5", Scc, 1)));

// "VOP2 Instructions", "VOP1 Instructions", "VOP3A and VOP3B Instructions".
INSTANTIATE_TEST_SUITE_P(
    Integers, AmdInstructions,
    testing::Values(
        OLD("v_mov_b32 v1, -2\nv_add_u32 v0, 3, v1", Vector, 1),
        NEW("v_mov_b32 v1, -2\nv_add_nc_u32 v0, 3, v1", Vector, 1),
        OLD("v_mov_b32 v1, 7\nv_sub_u32 v0, v1, 12 clamp", Vector, 0),
        NEW("v_mov_b32 v1, -2\nv_add_nc_u32 v0, 3, v1 clamp", Vector, 0xffffffff),
        OLD("v_mov_b32 v1, 0x80000001\nv_add_i32 v0, -3, v1 clamp", Vector, 0x80000000),
        OLD("v_mov_b32 v1, 1\nv_subrev_u32 v0, 3, v1", Vector, 0xfffffffe),
        OLD("v_mov_b32 v1, -1\nv_add_co_u32 v2, vcc, 1, v1\nv_mov_b32 v3, 5\nv_addc_co_u32 v0, vcc, 1, v3, vcc", Vector,
            7),
        NEW("v_mov_b32 v1, -1\nv_add_co_u32 v2, vcc_lo, 1, v1\nv_mov_b32 v3, 5\nv_add_co_ci_u32 v0, vcc_lo, 1, v3, "
            "vcc_lo",
            Vector, 7),
        OLD("v_mov_b32 v1, 1\nv_sub_co_u32 v2, vcc, 0, v1\nv_mov_b32 v3, 5\nv_subbrev_co_u32 v0, vcc, 0, v3, vcc",
            Vector, 4),
        OLD("v_mov_b32 v1, 1\nv_sub_co_u32 v0, s[0:1], 0, v1", ScalarPair, -1), // all lanes borrow
        BOTH("v_mov_b32 v1, 0x80000001\nv_mul_hi_u32 v0, v1, 6", Vector, 3),
        BOTH("v_mov_b32 v1, 0x80000001\nv_mul_hi_i32 v0, v1, 6", Vector, 0xfffffffd),
        BOTH("v_mov_b32 v1, 0x10001\nv_mul_lo_u32 v0, v1, v1", Vector, 0x20001),
        OLD("v_mov_b32 v2, -1\nv_mov_b32 v4, 2\nv_mov_b32 v5, -1\nv_mad_u64_u32 v[0:1], s[0:1], v2, v2, v[4:5]",
            VectorPair, 0xfffffffd00000003), // 0xfffffffe00000001 + 0xffffffff00000002
        OLD("v_mov_b32 v2, -1\nv_mov_b32 v4, 2\nv_mov_b32 v5, -1\nv_mad_u64_u32 v[0:1], s[0:1], v2, v2, v[4:5]",
            ScalarPair, -1), // carries of all lanes
        BOTH("v_mov_b32 v1, 0xff000003\nv_mul_u32_u24 v0, 2, v1", Vector, 6),
        BOTH("v_mov_b32 v1, 0xffffff\nv_mul_i32_i24 v0, 2, v1", Vector, 0xfffffffe),
        BOTH("v_mov_b32 v1, 6\nv_add3_u32 v0, v1, 1, 2", Vector, 9),
        BOTH("v_mov_b32 v1, 6\nv_lshl_add_u32 v0, v1, 2, 3", Vector, 27),
        BOTH("v_mov_b32 v1, 6\nv_add_lshl_u32 v0, v1, 2, 3", Vector, 64),
        BOTH("v_mov_b32 v1, -1\nv_max_i32 v0, 3, v1", Vector, 3),
        BOTH("v_mov_b32 v1, -1\nv_max_u32 v0, 3, v1", Vector, 0xffffffff),
        BOTH("v_mov_b32 v1, 5\nv_med3_i32 v0, v1, -1, 9", Vector, 5),
        NEW("v_mov_b32 v1, 5\nv_maxmin_u32 v0, v1, 2, 4", Vector, 4),
        BOTH("v_mov_b32 v1, 1\nv_lshlrev_b32 v0, 33, v1", Vector, 2),
        BOTH("v_mov_b32 v1, 0x80000000\nv_ashrrev_i32 v0, 4, v1", Vector, 0xf8000000),
        BOTH("v_mov_b32 v2, 1\nv_mov_b32 v3, 0\nv_lshlrev_b64 v[0:1], 36, v[2:3]", VectorPair, 0x1000000000),
        BOTH("v_mov_b32 v2, 0\nv_mov_b32 v3, 0x80000000\nv_ashrrev_i64 v[0:1], 60, v[2:3]", VectorPair, -8),
        BOTH("v_mov_b32 v1, 0x12345678\nv_bfe_u32 v0, v1, 4, 8", Vector, 0x67),
        BOTH("v_mov_b32 v1, 0x12345678\nv_bfe_u32 v0, v1, 4, 0", Vector, 0),
        BOTH("v_mov_b32 v1, 0xf00\nv_bfe_i32 v0, v1, 8, 4", Vector, 0xffffffff),
        BOTH("v_mov_b32 v1, 0xff00\nv_mov_b32 v2, 0x1234\nv_mov_b32 v3, 0x5678\nv_bfi_b32 v0, v1, v2, v3", Vector,
             0x1278),
        BOTH("v_mov_b32 v1, 0x12345678\nv_mov_b32 v2, 0x9abcdef0\nv_alignbit_b32 v0, v1, v2, 8", Vector, 0x789abcde),
        BOTH("v_mov_b32 v1, 0x07060504\nv_mov_b32 v2, 0x03020100\nv_mov_b32 v3, 0x0c070d01\nv_perm_b32 v0, v1, v2, v3",
             Vector, 0x0007ff01),
        BOTH("v_mov_b32 v1, 0xf0f\nv_bcnt_u32_b32 v0, v1, 3", Vector, 11),
        OLD("v_mov_b32 v1, 0xff02\nv_mov_b32 v2, 0x0304\nv_mov_b32 v0, 1\nv_dot4c_i32_i8 v0, v1, v2", Vector, 6),
        OLD("v_mov_b32 v1, 0xff02\nv_mov_b32 v2, 0x0304\nv_dot4_u32_u8 v0, v1, v2, 1", Vector, 255 * 3 + 2 * 4 + 1),
        OLD("v_mov_b32 v1, 0\nv_ffbh_u32 v0, v1", Vector, 0xffffffff),
        OLD("v_mov_b32 v1, 16\nv_ffbh_u32 v0, v1", Vector, 27), OLD("v_mov_b32 v1, 16\nv_ffbl_b32 v0, v1", Vector, 4),
        NEW("v_mov_b32 v1, 16\nv_ctz_i32_b32 v0, v1", Vector, 4),
        BOTH("v_mov_b32 v1, 1\nv_bfrev_b32 v0, v1", Vector, 0x80000000),
        BOTH("v_mov_b32 v1, 12\nv_and_or_b32 v0, v1, 10, 1", Vector, 9),
        OLD("v_cmp_eq_u32 vcc, 1, v9\nv_mov_b32 v1, 5\nv_cndmask_b32 v0, 3, v1, vcc", Vector, 5),
        OLD("v_cmp_eq_u32 s[0:1], 7, v9", ScalarPair, 0x80), NEW("v_cmp_eq_u32 s0, 7, v9", Scalar, 0x80),
        OLD("v_mov_b32 v2, -1\nv_mov_b32 v3, -1\nv_cmp_gt_i64 s[0:1], 0, v[2:3]", ScalarPair, -1),
        OLD("v_mov_b32 v2, -1\nv_mov_b32 v3, -1\nv_cmp_gt_u64 s[0:1], 0, v[2:3]", ScalarPair, 0),
        OLD("v_mov_b32 v2, v9\nv_accvgpr_write_b32 a3, v2\nv_accvgpr_read_b32 v0, a3", Vector, 1),
        OLD("v_mov_b32 v2, 5\nv_mov_b32 v3, 6\nv_pk_mov_b32 v[0:1], v[2:3], v[2:3] op_sel:[1,0]", VectorPair,
            0x500000006),
        OLD("v_mov_b32 v2, 5\nv_mov_b32 v3, 6\nv_pk_mov_b32 v[0:1], v[2:3], v[2:3] op_sel:[0,1]", VectorPair,
            0x600000005)));

// "16-bit operations": gfx9 clears the upper half of the result, later processors keep it. "SDWA", "VOP3P".
INSTANTIATE_TEST_SUITE_P(
    Halves, AmdInstructions,
    testing::Values(
        OLD("v_mov_b32 v0, -1\nv_mov_b32 v1, 0xffff\nv_add_u16 v0, 2, v1", Vector, 1),
        ON("gfx1100", "v_mov_b32 v0, -1\nv_mov_b32 v1, 0xffff\nv_add_nc_u16 v0.l, 2, v1.l", Vector, 0xffff0001),
        ON("gfx1100", "v_mov_b32 v0, 7\nv_mov_b32 v1, 0xabcd0000\nv_mov_b16 v0.h, v1.h", Vector, 0xabcd0007),
        ON("gfx1100", "v_mov_b32 v0, 0x12340000\nv_mov_b32 v1, 0x00ff00f0\nv_and_b16 v0.l, v1.l, v1.h", Vector,
           0x123400f0),
        OLD("v_mov_b32 v1, 0x180\nv_lshlrev_b16 v0, 17, v1", Vector, 0x300), // the four lowest bits count
        OLD("v_mov_b32 v1, 0x8000\nv_ashrrev_i16 v0, 3, v1", Vector, 0xf000),
        OLD("v_mov_b32 v1, 0x1234\nv_mov_b32 v2, 0xaabbccdd\nv_or_b32_sdwa v0, v1, v2 dst_sel:DWORD "
            "dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
            Vector, 0xaabb | 0x12),
        OLD("v_mov_b32 v1, 0x1234\nv_mov_b32 v2, 0xaabbccdd\nv_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:DWORD "
            "dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_3",
            Vector, 0xbc),
        OLD("v_mov_b32 v0, 0x11223344\nv_mov_b32 v1, 0xff\nv_mov_b32_sdwa v0, v1 dst_sel:BYTE_2 "
            "dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
            Vector, 0x11ff3344),
        OLD("v_mov_b32 v1, 0xff\nv_mov_b32 v2, 1\nv_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD "
            "dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
            Vector, 0),
        BOTH("v_mov_b32 v1, 0x0003ffff\nv_mov_b32 v2, 0x00050002\nv_pk_add_u16 v0, v1, v2", Vector, 0x00080001),
        BOTH("v_mov_b32 v1, 0x0003ffff\nv_mov_b32 v2, 0x00050002\nv_pk_add_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]",
             Vector, 0x00040005),
        BOTH("v_mov_b32 v1, 0x00037fff\nv_mov_b32 v2, 0x00050002\nv_pk_add_i16 v0, v1, v2 clamp", Vector, 0x00087fff),
        BOTH("v_mov_b32 v1, 0x00030001\nv_mov_b32 v2, 0x00050002\nv_pk_sub_u16 v0, v2, v1 clamp", Vector, 0x00020001),
        BOTH("v_mov_b32 v1, 0x00030001\nv_mov_b32 v2, 0x00050002\nv_pk_sub_u16 v0, v1, v2 clamp", Vector, 0),
        // 3 * 2 + 1: halves, the higher and the lower one, and a word.
        BOTH("v_mov_b32 v1, 0x42003c00\nv_mov_b32 v2, 0x4000\nv_mov_b32 v3, 1.0\n"
             "v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
             Vector, 0x40e00000),
        BOTH("v_mov_b32 v1, 2.0\nv_fma_mix_f32 v0, v1, v1, -v1", Vector, 0x40000000),
        BOTH("v_mov_b32 v0, 0x11112222\nv_mov_b32 v1, 2.0\nv_fma_mixhi_f16 v0, v1, v1, v1", Vector, 0x46002222),
        BOTH("v_mov_b32 v0, 0x11112222\nv_mov_b32 v1, 2.0\nv_fma_mixlo_f16 v0, v1, v1, v1", Vector, 0x11114600),
        OLD("v_mov_b32 v1, 0x3c00\nv_mov_b32 v2, 0x4000\nv_mov_b32 v3, 0x4200\nv_max3_f16 v0, v1, v2, v3", Vector,
            0x4200),
        OLD("v_mov_b32 v1, 0x4200\nv_exp_f16 v0, v1", Vector, 0x4800),                           // 2^3
        OLD("v_mov_b32 v1, 0x3c00\nv_mov_b32 v2, 0x4000\nv_add_f16 v0, v1, v2", Vector, 0x4200), // 1 + 2
        OLD("v_mov_b32 v1, 0x40400000\nv_cvt_f16_f32 v0, v1", Vector, 0x4200)));

// "VOP2 Instructions" and the rest for numbers, "Output Modifiers", "V_DIV_SCALE", "V_DIV_FIXUP".
INSTANTIATE_TEST_SUITE_P(
    Numbers, AmdInstructions,
    testing::Values(
        BOTH("v_mov_b32 v1, 1.0\nv_add_f32 v0, 2.0, v1", Vector, 0x40400000),
        BOTH("v_mov_b32 v1, 1.0\nv_sub_f32 v0, -v1, |v1|", Vector, 0xc0000000),
        BOTH("v_mov_b32 v1, 1.0\nv_add_f32 v0, v1, v1 mul:2", Vector, 0x40800000),
        BOTH("v_mov_b32 v1, 1.0\nv_add_f32 v0, v1, v1 clamp", Vector, 0x3f800000),
        BOTH("v_mov_b32 v1, 0x7fc00000\nv_min_f32 v0, 2.0, v1", Vector, 0x40000000),
        BOTH("v_mov_b32 v1, 1\nv_add_f32 v0, v1, v1", Vector, 2), // subnormal numbers
        BOTH("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\nv_mov_b32 v1, 1\nv_add_f32 v0, v1, v1", Vector, 0),
        BOTH("v_mov_b32 v1, 2.0\nv_mov_b32 v0, 0.5\nv_fmac_f32 v0, 4.0, v1", Vector, 0x41080000), // 8.5
        BOTH("v_mov_b32 v1, 0xbf800000\nv_cvt_u32_f32 v0, v1", Vector, 0),
        BOTH("v_mov_b32 v1, 0x4f800000\nv_cvt_u32_f32 v0, v1", Vector, 0xffffffff), // 2^32
        BOTH("v_mov_b32 v1, 0x7fc00000\nv_cvt_i32_f32 v0, v1", Vector, 0),
        BOTH("v_mov_b32 v1, -3\nv_cvt_f64_i32 v[0:1], v1", VectorPair, 0xc008000000000000),
        BOTH("v_mov_b32 v2, 0\nv_mov_b32 v3, 0x3ff80000\nv_mul_f64 v[0:1], v[2:3], 2.0", VectorPair,
             0x4008000000000000),
        BOTH("v_mov_b32 v2, 0\nv_mov_b32 v3, 0x3ff80000\nv_fma_f64 v[0:1], v[2:3], v[2:3], -v[2:3]", VectorPair,
             0x3fe8000000000000),                                                 // 0.75
        BOTH("v_mov_b32 v1, 0x40200000\nv_rndne_f32 v0, v1", Vector, 0x40000000), // 2.5
        BOTH("v_mov_b32 v1, 0xc0200000\nv_floor_f32 v0, v1", Vector, 0xc0400000),
        BOTH("v_mov_b32 v1, 1.0\nv_ldexp_f32 v0, v1, 3", Vector, 0x41000000),
        BOTH("v_mov_b32 v1, 0x41000000\nv_frexp_exp_i32_f32 v0, v1", Vector, 4),
        BOTH("v_mov_b32 v1, 0x41000000\nv_frexp_mant_f32 v0, v1", Vector, 0x3f000000),
        // A quotient near the largest number: the denominator is scaled up by 2^64, and vcc says so.
        OLD("v_mov_b32 v1, 0x00800000\nv_mov_b32 v2, 0x7f000000\nv_div_scale_f32 v0, vcc, v1, v1, v2", Vector,
            0x20800000),
        OLD("v_mov_b32 v1, 0x00800000\nv_mov_b32 v2, 0x7f000000\nv_div_scale_f32 v2, s[0:1], v2, v1, v2", ScalarPair,
            -1),
        OLD("v_mov_b32 v1, 0\nv_mov_b32 v2, -1.0\nv_div_fixup_f32 v0, v1, v1, v2", Vector, 0xff800000))); // -1 / 0

// "EXEC Mask", "VOPC Instructions", "DPP", "DS_BPERMUTE_B32" and "VOPD".
INSTANTIATE_TEST_SUITE_P(
    Lanes, AmdInstructions,
    testing::Values(
        OLD("v_mov_b32 v0, 7\ns_mov_b64 exec, 5\nv_mov_b32 v0, 8", Vector, 7), // lane 1 is not active
        OLD("s_mov_b64 exec, 6\ns_mov_b64 s[2:3], 12\ns_and_saveexec_b64 s[0:1], s[2:3]", ScalarPair, 6),
        OLD("s_mov_b64 exec, 6\ns_mov_b64 s[2:3], 12\ns_and_saveexec_b64 s[4:5], s[2:3]\ns_mov_b64 s[0:1], exec",
            ScalarPair, 4),
        OLD("s_mov_b64 exec, 6\ns_mov_b64 s[2:3], 12\ns_andn2_saveexec_b64 s[4:5], s[2:3]\ns_mov_b64 s[0:1], exec",
            ScalarPair, 8),
        OLD("s_mov_b64 exec, 6\ns_mov_b64 s[2:3], 8\ns_and_saveexec_b64 s[4:5], s[2:3]", Scc, 0),
        NEW("s_mov_b32 exec_lo, 6\ns_mov_b32 s2, 12\ns_or_saveexec_b32 s4, s2\ns_mov_b32 s0, exec_lo", Scalar, 14),
        OLD("v_cmp_lt_u32 vcc, 61, v9\ns_mov_b64 s[0:1], vcc", ScalarPair, 0xc000000000000000),
        OLD("s_mov_b64 exec, 6\nv_cmp_lt_u32 s[0:1], 1, v9", ScalarPair, 4), // inactive lanes give 0
        NEW("v_cmpx_lt_u32 29, v9\ns_mov_b32 s0, exec_lo", Scalar, 0xc0000000),
        OLD("v_cmpx_lt_u32 vcc, 61, v9\ns_mov_b64 s[0:1], exec", ScalarPair, 0xc000000000000000),
        OLD("v_mov_b32 v2, 0x7fc00000\nv_cmp_u_f32 s[0:1], v2, v2", ScalarPair, -1),
        OLD("v_mov_b32 v2, 0x7fc00000\nv_cmp_nlt_f32 s[0:1], v2, v2", ScalarPair, -1),
        OLD("v_mov_b32 v2, 0x7fc00000\nv_cmp_neq_f32 s[0:1], v2, v2", ScalarPair, -1),
        OLD("v_mov_b32 v2, 0x7fc00000\nv_cmp_lg_f32 s[0:1], v2, v2", ScalarPair, 0),
        OLD("v_mov_b32 v2, 0xff800000\nv_cmp_class_f32 s[0:1], v2, 4", ScalarPair, -1),  // minus infinity
        OLD("v_mov_b32 v2, 0x80000001\nv_cmp_class_f32 s[0:1], v2, 16", ScalarPair, -1), // negative, subnormal
        BOTH("v_readlane_b32 s0, v9, 13", Scalar, 13), BOTH("v_mov_b32 v0, 1\nv_writelane_b32 v0, 7, 1", Vector, 7),
        OLD("s_mov_b64 exec, 0xc\nv_readfirstlane_b32 s0, v9", Scalar, 2),
        OLD("s_mov_b64 exec, 0\nv_readfirstlane_b32 s0, v9", Scalar, 0),
        BOTH("v_mbcnt_lo_u32_b32 v0, -1, 5", Vector, 6),
        OLD("v_mbcnt_hi_u32_b32 v1, -1, 0\nv_readlane_b32 s0, v1, 63", Scalar, 31),
        BOTH("v_lshlrev_b32 v1, 2, v9\nv_xor_b32 v1, 12, v1\nds_bpermute_b32 v0, v1, v9", Vector, 2),
        OLD("s_mov_b64 exec, 3\nv_lshlrev_b32 v1, 3, v9\nds_bpermute_b32 v0, v1, v9", Vector,
            0), // lane 2 is not active
        BOTH("v_mov_b32_dpp v0, v9 row_shr:1 row_mask:0xf bank_mask:0xf", Vector, 0),
        OLD("v_mov_b32_dpp v2, v9 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\nv_readlane_b32 s0, v2, 16", Scalar,
            0),
        NEW("v_mov_b32_dpp v2, v9 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\nv_readlane_b32 s0, v2, 16", Scalar,
            0),
        BOTH("v_mov_b32 v2, 9\nv_mov_b32_dpp v2, v9 row_shr:1 row_mask:0xf bank_mask:0xf\nv_readlane_b32 s0, v2, 16",
             Scalar, 9), // stays, because no lane is there
        BOTH("v_mov_b32_dpp v0, v9 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf", Vector, 2),
        BOTH("v_mov_b32_dpp v0, v9 row_half_mirror row_mask:0xf bank_mask:0xf", Vector, 6),
        OLD("v_mov_b32_dpp v2, v9 row_bcast:15 row_mask:0xa bank_mask:0xf\nv_readlane_b32 s0, v2, 20", Scalar, 15),
        NEW("v_mov_b32_dpp v0, v9 row_xmask:6 row_mask:0xf bank_mask:0xf", Vector, 7),
        NEW("v_mov_b32_dpp v0, v9 dpp8:[7,6,5,4,3,2,1,0]", Vector, 6),
        NEW("v_mov_b32 v2, 0x76543210\ns_mov_b32 s2, 0x76543210\nv_permlanex16_b32 v0, v9, s2, s2", Vector, 17),
        NEW("v_mov_b32 v0, 1\nv_mov_b32 v1, 2\nv_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", Vector, 2),
        NEW("v_mov_b32 v2, 1\nv_mov_b32 v1, 2\nv_dual_mov_b32 v2, v1 :: v_dual_add_f32 v1, v2, v2\nv_mov_b32 v0, v1",
            Vector, 2), // the old v2: subnormal 1 + 1
        OLD("v_mov_b32 v3, 5\nv_mov_b32 v0, 6\ns_set_gpr_idx_on 2, gpr_idx(SRC0)\nv_mov_b32 v0, v1\n"
            "s_set_gpr_idx_off",
            Vector, 5),
        NEW("v_mov_b32 v3, 5\ns_mov_b32 m0, 2\nv_movrels_b32 v0, v1", Vector, 5),
        BOTH("s_mov_b32 s0, 1\ns_branch 1\ns_mov_b32 s0, 2\ns_add_i32 s0, s0, 5", Scalar, 6),
        OLD("s_mov_b64 exec, 0\ns_mov_b32 s0, 1\ns_cbranch_execz 1\ns_mov_b32 s0, 2", Scalar, 1),
        BOTH("s_getpc_b64 s[2:3]\ns_add_u32 s2, s2, 20\ns_addc_u32 s3, s3, 0\ns_swappc_b64 s[4:5], s[2:3]\n"
             "s_mov_b32 s0, 7\ns_endpgm\ns_mov_b32 s6, 1\ns_setpc_b64 s[4:5]",
             Scalar, 7)));

// Instructions that gfx942 has and gfx90a has not: "VOP1 Instructions", "VOP3A and VOP3B Instructions".
INSTANTIATE_TEST_SUITE_P(
    Later9, AmdInstructions,
    testing::Values(ON("gfx942", "v_mov_b32 v2, 5\nv_mov_b32 v3, 6\nv_mov_b64 v[0:1], v[2:3]", VectorPair, 0x600000005),
                    ON("gfx942", "v_mov_b32 v2, -1\nv_mov_b32 v3, 0\nv_lshl_add_u64 v[0:1], v[2:3], 4, v[2:3]",
                       VectorPair, 0x10ffffffefull)));

// "SALU Floating-Point Instructions" and "VOP3 Instructions" of RDNA4.
INSTANTIATE_TEST_SUITE_P(
    Numbers12, AmdInstructions,
    testing::Values(
        ON("gfx1201", "s_mov_b32 s1, 0x40000000\ns_add_f32 s0, s1, 1.0", Scalar, 0x40400000),
        ON("gfx1201", "s_mov_b32 s0, 0.5\ns_mov_b32 s1, 2.0\ns_fmac_f32 s0, s1, 4.0", Scalar, 0x41080000), // 8.5
        ON("gfx1201", "s_mov_b32 s1, 0x4000\ns_add_f16 s0, s1, 1.0", Scalar, 0x4200),                      // 2 + 1
        ON("gfx1201", "s_mov_b32 s1, 0x7fc00000\ns_min_num_f32 s0, s1, 2.0", Scalar, 0x40000000),
        ON("gfx1201", "s_mov_b32 s1, 0x7fc00000\ns_minimum_f32 s0, s1, 2.0", Scalar, 0x7fc00000),
        ON("gfx1201", "s_mov_b32 s1, 0x80000000\ns_maximum_f32 s0, s1, 0", Scalar, 0),       // 0 is more than -0
        ON("gfx1201", "s_mov_b32 s1, 0xc0200000\ns_cvt_i32_f32 s0, s1", Scalar, 0xfffffffe), // -2.5
        ON("gfx1201", "s_mov_b32 s1, 0xcf800000\ns_cvt_i32_f32 s0, s1", Scalar, 0x80000000), // -2^32
        ON("gfx1201", "s_mov_b32 s1, 0xbf800000\ns_cvt_u32_f32 s0, s1", Scalar, 0),
        ON("gfx1201", "s_mov_b32 s1, 0x40400000\ns_cvt_f16_f32 s0, s1", Scalar, 0x4200),
        ON("gfx1201", "s_mov_b32 s1, 0x42003c00\ns_cvt_hi_f32_f16 s0, s1", Scalar, 0x40400000),
        ON("gfx1201", "s_mov_b32 s1, 0x7fc00000\ns_cmp_u_f32 s1, 1.0", Scc, 1),
        ON("gfx1201", "s_mov_b32 s1, 0x7fc00000\ns_cmp_o_f32 s1, 1.0", Scc, 0),
        ON("gfx1201", "s_mov_b32 s1, 0x7fc00000\ns_cmp_nlg_f32 s1, 1.0", Scc, 1),
        ON("gfx1201", "s_mov_b32 s1, 0x3c00\ns_cmp_lt_f16 s1, 2.0", Scc, 1),
        ON("gfx1201", "s_mov_b32 s1, 4.0\nv_s_rcp_f32 s0, -|s1|", Scalar, 0xbe800000),
        ON("gfx1201", "s_mov_b32 s1, 4.0\nv_s_sqrt_f32 s0, s1 mul:2", Scalar, 0x40800000),
        ON("gfx1201", "s_mov_b32 s1, 0x41000000\nv_s_log_f32 s0, s1", Scalar, 0x40400000),
        ON("gfx1201", "v_mov_b32 v1, 0x7fc00000\nv_minimum_f32 v0, 2.0, v1", Vector, 0x7fc00000),
        ON("gfx1201", "v_mov_b32 v1, 0x7fc00000\nv_max_num_f32 v0, 2.0, v1", Vector, 0x40000000),
        ON("gfx1201", "v_mov_b32 v1, 4.0\nv_minimum3_f32 v0, 2.0, v1, 1.0", Vector, 0x3f800000),
        ON("gfx1201", "v_mov_b32 v1, 4.0\nv_minimummaximum_f32 v0, 2.0, v1, 1.0", Vector, 0x40000000),
        ON("gfx1201", "v_mov_b32 v1, 4.0\nv_maximumminimum_f32 v0, 2.0, v1, 1.0", Vector, 0x3f800000),
        ON("gfx1201", "v_mov_b32 v1, 4.0\nv_maxmin_num_f32 v0, 2.0, v1, 1.0", Vector, 0x3f800000),
        ON("gfx1201", "v_mov_b32 v1, 0x40003c00\nv_mov_b32 v2, 0x3c007e00\nv_pk_minimum_f16 v0, v1, v2", Vector,
           0x3c007e00),
        ON("gfx1201", "v_mov_b32 v1, 0xff02\nv_mov_b32 v2, 0x0304\nv_dot4_i32_iu8 v0, v1, v2, 1 neg_lo:[1,1,0]", Vector,
           6), // -1 * 3 + 2 * 4 + 1
        ON("gfx1201", "v_mov_b32 v1, 0xff02\nv_mov_b32 v2, 0x0304\nv_dot4_i32_iu8 v0, v1, v2, 1", Vector,
           255 * 3 + 2 * 4 + 1)));

//===-- Kernels ---------------------------------------------------------------------------------------------------===//

struct Program {
  const char *processor;
  const char *text;
};

/// Runs a kernel that finds its argument's address in s[0:1] and its workgroup's number in s2.
void runKernel(const std::string &processor, const std::string &text, void *memory, uint32_t blocks = 1,
               uint32_t threads = 64, uint64_t seed = 1, uint32_t sharedBytes = 256, uint32_t privateBytes = 64) {
  bool isWide = waveOf(processor) == 64;
  std::string load = isWide ? "s_load_dwordx2 s[0:1], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"
                            : "s_load_b64 s[0:1], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n";
  if (processor == "gfx1201")
    load = "s_load_b64 s[0:1], s[0:1], 0x0\ns_wait_kmcnt 0x0\ns_mov_b32 s2, ttmp9\n";
  std::vector<unsigned char> bytes = assemble(processor, load + text + "\ns_endpgm");
  Code code(bytes.data(), bytes.size(), targetOf(processor, waveOf(processor)));
  Kernel kernel;
  kernel.name = "kernel";
  kernel.code = &code;
  kernel.entry = uint64_t(reinterpret_cast<uintptr_t>(bytes.data()));
  kernel.sharedBytes = sharedBytes;
  kernel.privateBytes = privateBytes;
  kernel.argumentBytes = 8;
  kernel.resources1 = 0xf0 << 12;
  kernel.resources2 = 2 << 1 | 1 << 7;
  kernel.properties = 1 << 3;
  LaunchShape shape = {.blocks = blocks,
                       .threads = threads,
                       .resident = 2,
                       .privateBytes = privateBytes,
                       .sharedBytes = sharedBytes,
                       .seed = seed,
                       .access = nullptr,
                       .imageStart = 0,
                       .imageEnd = 0};
  run(kernel, shape, memory);
}

// "Flat Memory Instructions", "Scalar Memory Reads".
TEST(AmdMemory, IsReadAsWideAndWithTheSignThatAnInstructionSays) {
  uint32_t memory[64] = {0x81828384, 0x11121314, 0x21222324, 0x31323334};
  runKernel("gfx90a",
            "s_mov_b64 exec, 1\nv_mov_b32 v1, 0\nglobal_load_sbyte v2, v1, s[0:1]\nglobal_load_ushort v3, v1, s[0:1] "
            "offset:2\nglobal_load_dwordx3 v[4:6], v1, s[0:1] offset:4\nv_mov_b32 v7, -1\n"
            "global_load_short_d16_hi v7, v1, s[0:1]\nglobal_store_dwordx4 v1, v[2:5], s[0:1] offset:64\n"
            "global_store_dword v1, v7, s[0:1] offset:80\nglobal_store_byte v1, v2, s[0:1] offset:84",
            memory);
  EXPECT_EQ(memory[16], 0xffffff84u);
  EXPECT_EQ(memory[17], 0x8182u);
  EXPECT_EQ(memory[18], 0x11121314u);
  EXPECT_EQ(memory[19], 0x21222324u);
  EXPECT_EQ(memory[20], 0x8384ffffu);
  EXPECT_EQ(memory[21], 0x84u);
}

/// Programs of one behaviour for several processors.
class AmdPrograms : public testing::TestWithParam<Program> {};
void PrintTo(const Program &program, std::ostream *os) { *os << program.processor; }

using AmdPrivateMemory = AmdPrograms;
TEST_P(AmdPrivateMemory, IsALanesOwnAndReachedInTwoWays) {
  uint32_t memory[64] = {}, lanes = waveOf(GetParam().processor);
  runKernel(GetParam().processor, GetParam().text, memory, 1, lanes);
  for (uint32_t lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(memory[lane], lane);
}
INSTANTIATE_TEST_SUITE_P(
    Of, AmdPrivateMemory,
    testing::Values(
        Program{"gfx942", "v_mov_b32 v1, v0\nscratch_store_dword off, v1, off offset:8\ns_mov_b64 s[4:5], "
                          "src_private_base\nv_mov_b32 v2, 8\nv_mov_b32 v3, s5\nflat_load_dword v4, v[2:3] sc0 sc1\n"
                          "v_lshlrev_b32 v5, 2, v0\nglobal_store_dword v5, v4, s[0:1] sc0 sc1 nt"},
        Program{"gfx1100", "v_mov_b32 v1, v0\nscratch_store_b32 off, v1, off offset:8\ns_mov_b64 s[4:5], "
                           "src_private_base\nv_mov_b32 v2, 8\nv_mov_b32 v3, s5\nflat_load_b32 v4, v[2:3]\n"
                           "v_lshlrev_b32 v5, 2, v0\nglobal_store_b32 v5, v4, s[0:1]"},
        Program{"gfx1201",
                "v_mov_b32 v1, v0\nscratch_store_b32 off, v1, off offset:8\ns_mov_b64 s[4:5], "
                "src_private_base\nv_mov_b32 v2, 8\nv_mov_b32 v3, s5\nflat_load_b32 v4, v[2:3] "
                "scope:SCOPE_SYS\ns_wait_loadcnt_dscnt 0x0\nv_lshlrev_b32 v5, 2, v0\n"
                "global_store_b32 v5, v4, s[0:1] th:TH_STORE_NT scope:SCOPE_DEV\nglobal_wb scope:SCOPE_SYS"}));

// "Local Data Share", "S_BARRIER". Each thread reads what the thread half a group away has written.
using AmdGroups = AmdPrograms;
TEST_P(AmdGroups, ShareMemoryThatABarrierOrders) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    uint32_t memory[256] = {};
    runKernel(GetParam().processor, GetParam().text, memory, 1, 256, seed, 1024);
    for (uint32_t thread = 0; thread < 256; ++thread)
      EXPECT_EQ(memory[thread], thread ^ 128);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Of, AmdGroups,
    testing::Values(Program{"gfx90a", "v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
                                      "v_xor_b32 v2, 0x200, v1\nds_read_b32 v3, v2\ns_mul_i32 s3, s2, 0x400\n"
                                      "v_add_u32 v1, s3, v1\nglobal_store_dword v1, v3, s[0:1]"},
                    Program{"gfx1201", "v_lshlrev_b32 v1, 2, v0\nds_store_b32 v1, v0\ns_wait_dscnt 0x0\n"
                                       "s_barrier_signal -1\ns_barrier_wait 0xffff\nv_xor_b32 v2, 0x200, v1\n"
                                       "ds_load_b32 v3, v2\ns_mul_i32 s3, s2, 0x400\nv_add_nc_u32 v1, s3, v1\n"
                                       "global_store_b32 v1, v3, s[0:1]"}));

// "Flat Memory Atomics": operations with a result, and a loop of compare-and-swap.
using AmdAtomics = AmdPrograms;
TEST_P(AmdAtomics, AreDoneByAllThreadsOfAllGroups) {
  uint32_t memory[4] = {0, 0, 5, 0}, waves = 3 * 128 / waveOf(GetParam().processor);
  runKernel(GetParam().processor, GetParam().text, memory, 3, 128);
  EXPECT_EQ(memory[0], 3u * 3 * 128);
  EXPECT_EQ(memory[1], 127u);
  EXPECT_EQ(memory[2], 6u);
  EXPECT_EQ(memory[3], 5u + (waves - 1) * 6); // the first wavefront finds 5
}
INSTANTIATE_TEST_SUITE_P(
    Of, AmdAtomics,
    testing::Values(
        Program{"gfx90a", "v_mov_b32 v1, 0\nv_mov_b32 v2, 3\nglobal_atomic_add v1, v2, s[0:1]\nglobal_atomic_umax v1, "
                          "v0, s[0:1] offset:4\ns_mov_b64 exec, 1\nv_mov_b32 v5, 5\nv_mov_b32 v4, 6\n"
                          "global_atomic_cmpswap v6, v1, v[4:5], s[0:1] offset:8 glc\n"
                          "global_atomic_add v1, v6, s[0:1] offset:12"},
        Program{"gfx942", "v_mov_b32 v1, 0\nv_mov_b32 v2, 3\nglobal_atomic_add v1, v2, s[0:1] sc1\n"
                          "global_atomic_umax v1, v0, s[0:1] offset:4 sc1\ns_mov_b64 exec, 1\nv_mov_b32 v5, 5\n"
                          "v_mov_b32 v4, 6\nglobal_atomic_cmpswap v6, v1, v[4:5], s[0:1] offset:8 sc0 sc1\n"
                          "buffer_inv sc0 sc1\nglobal_atomic_add v1, v6, s[0:1] offset:12"},
        Program{"gfx1201", "v_mov_b32 v1, 0\nv_mov_b32 v2, 3\nglobal_atomic_add_u32 v1, v2, s[0:1] scope:SCOPE_DEV\n"
                           "global_atomic_max_u32 v1, v0, s[0:1] offset:4\ns_mov_b32 exec_lo, 1\nv_mov_b32 v5, 5\n"
                           "v_mov_b32 v4, 6\nglobal_atomic_cmpswap_b32 v6, v1, v[4:5], s[0:1] offset:8 "
                           "th:TH_ATOMIC_RETURN scope:SCOPE_SYS\nglobal_inv scope:SCOPE_SYS\n"
                           "global_atomic_add_u32 v1, v6, s[0:1] offset:12 th:TH_ATOMIC_NT"}));

struct Wrong {
  const char *processor, *text, *message;
};

void PrintTo(const Wrong &wrong, std::ostream *os) { *os << wrong.text; }

class AmdUndefinedDeathTest : public testing::TestWithParam<Wrong> {};

TEST_P(AmdUndefinedDeathTest, EndsTheProcess) {
  uint64_t memory[4] = {};
  EXPECT_EXIT(runKernel(GetParam().processor, GetParam().text, memory), testing::ExitedWithCode(1), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Of, AmdUndefinedDeathTest,
    testing::Values(
        Wrong{"gfx90a", "v_cubeid_f32 v0, v1, v2, v3", "not known here .*at 'v_cubeid_f32 v0, v1, v2, v3'"},
        Wrong{"gfx942", "v_cubeid_f32 v0, v1, v2, v3", "not known here"},
        Wrong{"gfx1201", "v_cubeid_f32 v0, v1, v2, v3", "not known here"},
        Wrong{"gfx1201", "s_barrier_wait 0xffff", "waits for a barrier that it has not signalled"},
        Wrong{"gfx1201", "s_barrier_signal 1", "a barrier that is not the workgroup's"},
        Wrong{"gfx90a", "s_trap 2", "a trap"},
        Wrong{"gfx90a", "s_mov_b64 s[2:3], 0\ns_setpc_b64 s[2:3]", "a jump to where no code is"},
        Wrong{"gfx90a", "v_mov_b32 v1, 256\nds_read_b32 v2, v1", "shared memory is beyond it"},
        Wrong{"gfx1100", "scratch_load_b32 v1, off, off offset:64", "private memory is beyond it"},
        Wrong{"gfx1100",
              "s_mov_b64 s[4:5], src_private_base\nv_mov_b32 v2, 0\nv_mov_b32 v3, s5\nglobal_load_b32 v4, "
              "v[2:3], off",
              "global memory is to memory of a lane"},
        Wrong{"gfx90a",
              "s_mov_b64 s[4:5], src_private_base\nv_mov_b32 v2, 0\nv_mov_b32 v3, s5\nflat_load_dword v4, "
              "v[2:3]",
              "flat_scratch does not name the wavefront's private memory"},
        Wrong{"gfx90a", "buffer_load_dword v1, off, s[4:7], 0", "a buffer is not the wavefront's private memory"},
        Wrong{"gfx90a", "v_mov_b32 v2, 16\nv_mov_b32 v3, 0\nglobal_store_dword v[2:3], v1, off",
              "there is no memory at 0x10"},
        Wrong{"gfx90a", "v_mov_b32 v1, 2\nglobal_atomic_add v1, v1, s[0:1]", "an atomic operation is not aligned"},
        Wrong{"gfx90a", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1", "a rounding mode that is not known"}));

} // namespace
