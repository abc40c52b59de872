// Tests of the interpreter of PTX in the fake driver: the meaning of instructions, as in NVIDIA's PTX ISA, and
// operations of several threads. Behaviour that the ISA leaves undefined is detected.
#include "ptx/Machine.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace {

constexpr uint64_t kLocalBytes = 4096;

std::string moduleOf(const std::string &body, const std::string &before = "") {
  return ".version 7.8\n.target sm_90\n.address_size 64\n" + before +
         "\n.visible .entry kernel(\n.param .u64 .ptr .align 1 kernel_param_0\n)\n{\n.reg .pred %p<9>;\n.reg .b16 "
         "%rs<9>;\n"
         ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.b64 %rd0, [kernel_param_0];\n" +
         body + "\nret;\n}\n";
}

uint64_t runKernel(const std::string &text, void *memory, uint32_t blocks = 1, uint32_t threads = 1,
                   uint64_t seed = 1) {
  auto module = ptx::readModule(text);
  ptx::LaunchShape shape = {blocks, threads, 2, kLocalBytes, 0, seed, nullptr};
  return ptx::run(*module->functions.at("kernel"), shape, memory);
}

/// Returns the value that one thread leaves in %rd1.
uint64_t resultOf(const std::string &body) {
  uint64_t result = 0;
  runKernel(moduleOf(body + "\nst.global.b64 [%rd0], %rd1;"), &result);
  return result;
}

struct Expected {
  const char *body;
  uint64_t result; ///< of %rd1; narrower results are zero-extended into it
};

void PrintTo(const Expected &expected, std::ostream *os) { *os << expected.body; }

class Instructions : public testing::TestWithParam<Expected> {};

TEST_P(Instructions, HaveTheResultThatTheIsaSays) {
  EXPECT_EQ(resultOf(GetParam().body), GetParam().result) << GetParam().body;
}

#define OF32(text) text "\ncvt.u64.u32 %rd1, %r1;"
#define OF16(text) text "\ncvt.u64.u16 %rd1, %rs1;"
#define OF_PREDICATE(text) text "\nselp.b64 %rd1, 1, 0, %p1;"

INSTANTIATE_TEST_SUITE_P(
    Integers, Instructions,
    testing::Values(
        Expected{OF32("mov.b32 %r2, 0xfffffffe; add.s32 %r1, %r2, 3;"), 1},
        Expected{OF32("mov.b32 %r2, -7; div.s32 %r1, %r2, 2;"), 0xfffffffd},
        Expected{OF32("mov.b32 %r2, -7; rem.s32 %r1, %r2, 2;"), 0xffffffff},
        Expected{OF32("mov.b32 %r2, -7; div.u32 %r1, %r2, 2;"), 0x7ffffffc},
        Expected{OF32("mov.b32 %r2, 0x80000000; mul.hi.s32 %r1, %r2, 6;"), 0xfffffffd},
        Expected{OF32("mov.b32 %r2, 0x80000000; mul.hi.u32 %r1, %r2, 6;"), 3},
        Expected{"mov.b32 %r2, -2; mul.wide.s32 %rd1, %r2, 3;", uint64_t(-6)},
        Expected{"mov.b32 %r2, -2; mul.wide.u32 %rd1, %r2, 3;", 0x2fffffffa},
        Expected{"mov.b64 %rd2, -1; mul.hi.u64 %rd1, %rd2, %rd2;", uint64_t(-2)},
        Expected{"mov.b64 %rd2, 5; mad.lo.s64 %rd1, %rd2, -3, 1;", uint64_t(-14)},
        Expected{OF16("mov.b16 %rs2, -300; max.s16 %rs1, %rs2, 4;"), 4},
        Expected{OF16("mov.b16 %rs2, -300; shr.s16 %rs1, %rs2, 99;"), 0xffff},
        Expected{OF32("mov.b32 %r2, 1; shl.b32 %r1, %r2, 32;"), 0},
        Expected{OF32("mov.b32 %r2, -8; shr.s32 %r1, %r2, 1;"), 0xfffffffc},
        Expected{OF32("mov.b32 %r2, 0x12345678; mov.b32 %r3, 0x9abcdef0; shf.l.wrap.b32 %r1, %r2, %r3, 40;"),
                 0xbcdef012},
        Expected{OF32("mov.b32 %r2, 0x12345678; mov.b32 %r3, 0x9abcdef0; shf.r.wrap.b32 %r1, %r2, %r3, 8;"),
                 0xf0123456},
        Expected{OF32("mov.b32 %r2, 0x12345678; bfe.u32 %r1, %r2, 4, 8;"), 0x67},
        Expected{OF32("mov.b32 %r2, 0x12345678; bfe.s32 %r1, %r2, 2, 6;"), 0x1e},
        Expected{OF32("mov.b32 %r2, 0x80000000; bfe.s32 %r1, %r2, 28, 8;"), 0xfffffff8},
        Expected{"mov.b64 %rd2, 0xff00; bfe.s64 %rd1, %rd2, 8, 8;", uint64_t(-1)},
        Expected{OF32("mov.b32 %r2, 0xff; mov.b32 %r3, 0x12345678; bfi.b32 %r1, %r2, %r3, 8, 4;"), 0x12345f78},
        Expected{OF32("mov.b32 %r2, 0x03020180; mov.b32 %r3, 0x07060504; prmt.b32 %r1, %r2, %r3, 0x8360;"), 0xff030680},
        Expected{OF32("mov.b64 %rd2, 0xf0f; popc.b64 %r1, %rd2;"), 8},
        Expected{OF32("mov.b64 %rd2, 0xf0f; clz.b64 %r1, %rd2;"), 52},
        Expected{OF32("mov.b32 %r2, 1; brev.b32 %r1, %r2;"), 0x80000000},
        Expected{"mov.b64 %rd2, -1; add.cc.s64 %rd3, %rd2, 1; mov.b64 %rd2, 6; addc.s64 %rd1, %rd2, 0;", 7},
        Expected{"mov.b64 %rd2, 0x123456789; mov.b64 {%r2, %r3}, %rd2; mov.b64 %rd1, {%r3, %r2};", 0x2345678900000001},
        Expected{OF_PREDICATE("mov.b32 %r2, -1; setp.lt.s32 %p1, %r2, 0;"), 1},
        Expected{OF_PREDICATE("mov.b32 %r2, -1; setp.lt.u32 %p1, %r2, 0;"), 0},
        Expected{OF_PREDICATE("mov.pred %p2, -1; mov.pred %p3, 0; xor.pred %p1, %p2, %p3;"), 1}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Instructions,
    testing::Values(
        Expected{"mov.b64 %rd2, 0d3FF8000000000000; fma.rn.f64 %rd1, %rd2, %rd2, %rd2;", 0x400e000000000000}, // 3.75
        Expected{"mov.b64 %rd2, 0d4000000000000000; sqrt.rn.f64 %rd1, %rd2;", 0x3ff6a09e667f3bcd},
        Expected{OF32("mov.b32 %r2, 0f3F800000; mov.b32 %r3, 0fC0400000; div.rn.f32 %r1, %r2, %r3;"), 0xbeaaaaab},
        Expected{"mov.b64 %rd2, 0dBFF0000000000000; mov.b64 %rd3, 0d4008000000000000; copysign.f64 %rd1, %rd2, %rd3;",
                 0xc008000000000000},
        Expected{"mov.b64 %rd2, 0d7FF8000000000000; mov.b64 %rd3, 0d4008000000000000; min.f64 %rd1, %rd2, %rd3;",
                 0x4008000000000000},
        Expected{OF_PREDICATE("mov.b64 %rd2, 0d7FF8000000000000; setp.neu.f64 %p1, %rd2, %rd2;"), 1},
        Expected{OF_PREDICATE("mov.b64 %rd2, 0d7FF8000000000000; setp.ne.f64 %p1, %rd2, %rd2;"), 0},
        Expected{OF_PREDICATE("mov.b64 %rd2, 0d7FF8000000000000; setp.geu.f64 %p1, %rd2, 0d0000000000000000;"), 1},
        Expected{OF32("mov.b64 %rd2, 0d4415AF1D78B58C40; cvt.rzi.s32.f64 %r1, %rd2;"), 0x7fffffff}, // 1e20
        Expected{OF32("mov.b64 %rd2, 0dC415AF1D78B58C40; cvt.rzi.u32.f64 %r1, %rd2;"), 0},
        Expected{OF32("mov.b64 %rd2, 0d7FF8000000000000; cvt.rzi.s32.f64 %r1, %rd2;"), 0},
        Expected{"mov.b64 %rd2, 0dC002000000000000; cvt.rmi.f64.f64 %rd1, %rd2;", 0xc008000000000000}, // -2.25
        Expected{"mov.b64 %rd2, 0d4004000000000000; cvt.rni.s64.f64 %rd1, %rd2;", 2},                  // 2.5
        Expected{OF32("mov.b64 %rd2, 0d3FB999999999999A; cvt.rn.f32.f64 %r1, %rd2;"), 0x3dcccccd},
        Expected{"mov.b64 %rd2, -1; cvt.rn.f64.u64 %rd1, %rd2;", 0x43f0000000000000},
        Expected{"mov.b32 %r2, 0x180; cvt.s64.s8 %rd1, %r2;", uint64_t(-128)},
        Expected{"mov.b32 %r2, 0x180; cvt.u64.u8 %rd1, %r2;", 0x80}));

TEST(PtxMemory, IsReadAsWideAndWithTheSignThatAnInstructionSays) {
  uint64_t memory[4] = {0x8182838485868788, 0, 0, 0};
  runKernel(moduleOf("ld.global.s8 %rd1, [%rd0]; st.global.b64 [%rd0+8], %rd1;\n"
                     "ld.global.v2.b32 {%r1, %r2}, [%rd0]; cvt.u64.u32 %rd2, %r2; st.global.b64 [%rd0+16], %rd2;\n"
                     "cvt.u16.u32 %rs1, %r1; st.global.b8 [%rd0+24], %rs1;"),
            memory);
  EXPECT_EQ(memory[1], uint64_t(int64_t(int8_t(0x88))));
  EXPECT_EQ(memory[2], 0x81828384u);
  EXPECT_EQ(memory[3], 0x88u);
}

/// n(n + 1) / 2 by recursion, with the summand in local memory, and half of the calls through a pointer.
const char kRecursion[] = R"(
.func (.param .b32 func_retval0) sum(
	.param .b32 sum_param_0
)
{
	.local .align 4 .b8 __local_depot0[4];
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<4>;
	mov.b64 %rd1, __local_depot0;
	ld.param.b32 %r1, [sum_param_0];
	st.local.b32 [%rd1], %r1;
	setp.eq.b32 %p1, %r1, 0;
	@%p1 bra $END;
	add.s32 %r2, %r1, -1;
	and.b32 %r3, %r1, 1;
	setp.eq.b32 %p2, %r3, 0;
	@!%p2 bra $ODD;
	{
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 [param0], %r2;
	call.uni (retval0), sum, (param0);
	ld.param.b32 %r4, [retval0];
	}
	bra.uni $ADD;
$ODD:
	mov.b64 %rd2, sum;
	{
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 [param0], %r2;
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
	call (retval0), %rd2, (param0), prototype_0;
	ld.param.b32 %r4, [retval0];
	}
$ADD:
	ld.local.b32 %r5, [%rd1];
	add.s32 %r1, %r4, %r5;
$END:
	st.param.b32 [func_retval0], %r1;
	ret;
}
)";

const char kCallOfSum[] = "{ .param .b32 param0; .param .b32 retval0; st.param.b32 [param0], %r1;\n"
                          "call.uni (retval0), sum, (param0); ld.param.b32 %r2, [retval0]; }\n";

TEST(PtxCalls, HaveFramesOfTheirOwn) {
  uint32_t result = 0;
  runKernel(moduleOf(std::string("mov.b32 %r1, 100;\n") + kCallOfSum + "st.global.b32 [%rd0], %r2;", kRecursion),
            &result);
  EXPECT_EQ(result, 5050u);
}

TEST(PtxCallsDeathTest, EndWithLocalMemory) {
  uint32_t result = 0;
  std::string text = moduleOf(std::string("mov.b32 %r1, 1000;\n") + kCallOfSum, kRecursion);
  EXPECT_EXIT(runKernel(text, &result), testing::ExitedWithCode(1),
              "fake GPU: local memory is full \\(PTX line 37, in sum");
}

/// One thread counts the threads that are active together. Threads with odd numbers take another path.
const char kAggregated[] = R"(
	mov.u32 %r1, %laneid;
	and.b32 %r2, %r1, 1;
	setp.eq.b32 %p1, %r2, 1;
	@%p1 bra $ODD;
	bra.uni $COUNT;
$ODD:
	add.s64 %rd0, %rd0, 8;
$COUNT:
	activemask.b32 %r3;
	popc.b32 %r4, %r3;
	brev.b32 %r5, %r3;
	clz.b32 %r5, %r5;
	setp.ne.b32 %p2, %r1, %r5;
	shfl.sync.idx.b32 %r6, %r1, %r5, 31, %r3;
	@%p2 bra $END;
	setp.ne.b32 %p3, %r6, %r1;
	@%p3 trap;
	atom.global.add.u32 %r7, [%rd0], %r4;
	atom.global.add.u32 %r7, [%rd0+4], 1;
$END:
)";

TEST(PtxGroups, AreAnyPartsOfThoseThatWaitTogether) {
  uint32_t fewest = ~0u, most = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    uint32_t counts[4] = {}; // threads and groups; even and odd
    runKernel(moduleOf(kAggregated), counts, 3, 96, seed);
    EXPECT_EQ(counts[0] + counts[2], 288u);
    EXPECT_GE(counts[1] + counts[3], 9u);
    fewest = std::min(fewest, counts[1] + counts[3]);
    most = std::max(most, counts[1] + counts[3]);
  }
  EXPECT_LT(fewest, 30u); // whole groups occur
  EXPECT_GT(most, 30u);   // and parts of them
}

/// One thread writes a message and a flag; another polls the flag and reads the message. Returns how often, of 200
/// orders, it read the old message.
unsigned stale(const std::string &betweenWrites, const std::string &flagStore) {
  unsigned found = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    uint64_t memory[3] = {7, 0, 0};
    runKernel(moduleOf("mov.u32 %r1, %tid.x; setp.eq.b32 %p1, %r1, 0; @!%p1 bra $READ;\n"
                       "st.global.b64 [%rd0], 42;\n" +
                       betweenWrites + flagStore +
                       " [%rd0+8], 1;\nbra.uni $END;\n$READ:\nld.acquire.sys.global.b64 %rd1, [%rd0+8]; setp.ne.b64 "
                       "%p2, %rd1, 1;\n"
                       "@%p2 bra $READ;\nld.global.b64 %rd2, [%rd0]; st.global.b64 [%rd0+16], %rd2;\n$END:"),
              memory, 1, 2, seed);
    EXPECT_TRUE(memory[2] == 42 || memory[2] == 7);
    found += memory[2] == 7;
  }
  return found;
}

TEST(PtxMemory, IsWeakUnlessAThreadReleasesWhatItHasWritten) {
  EXPECT_GT(stale("", "st.relaxed.sys.global.b64"), 0u);
  EXPECT_EQ(stale("", "st.release.sys.global.b64"), 0u);
  EXPECT_EQ(stale("fence.acq_rel.sys;\n", "st.relaxed.sys.global.b64"), 0u);
}

struct Undefined {
  const char *body;
  const char *message;
};

void PrintTo(const Undefined &undefined, std::ostream *os) { *os << undefined.body; }

class UndefinedDeathTest : public testing::TestWithParam<Undefined> {};

TEST_P(UndefinedDeathTest, EndsTheProcess) {
  uint64_t memory[4] = {};
  EXPECT_EXIT(runKernel(moduleOf(GetParam().body), memory, 1, 2), testing::ExitedWithCode(1), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Of, UndefinedDeathTest,
    testing::Values(Undefined{"ld.global.b64 %rd1, [%rd0+4];",
                              "less aligned than it is wide \\(PTX line 14, in kernel"},
                    Undefined{"mov.b64 %rd1, 4096; st.local.b32 [%rd1], 7;", "local memory is beyond it"},
                    Undefined{"mov.b64 %rd1, 16; ld.global.b32 %r1, [%rd1];", "there is no memory at 0x10.*in kernel"},
                    Undefined{"mov.b64 %rd1, 128; st.local.b32 [%rd1], 7;", "below the stack"},
                    Undefined{"alloca.u64 %rd1, 64, 16; cvta.local.u64 %rd2, %rd1; ld.global.b32 %r1, [%rd2];",
                              "global memory is to local memory"},
                    Undefined{"mov.u32 %r1, %laneid; setp.eq.b32 %p1, %r1, 0; @%p1 bra $A; bar.warp.sync 3; bra.uni "
                              "$B;\n$A: bar.warp.sync 3;\n$B:",
                              "wait for one another at different instructions"},
                    Undefined{"mov.u32 %r1, %laneid; setp.eq.b32 %p1, %r1, 0; @%p1 bar.warp.sync 2;",
                              "not in the mask that it names"},
                    Undefined{"activemask.b32 %r1; shfl.sync.idx.b32 %r2, %r1, 9, 31, %r1;",
                              "a shuffle reads a thread that does not take part"},
                    Undefined{"trap;", "a trap"},
                    Undefined{"tanh.approx.f32 %r1, %r2;", "an instruction that is not known here"}));

TEST(PtxText, ThatIsNotKnownIsRefusedWithItsLine) {
  auto message = [](const std::string &text) -> std::string {
    try {
      ptx::readModule(text);
    } catch (const ptx::Unreadable &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(".version 7.8\n.tex .u64 x;"), "PTX line 2: '.tex' is not known");
  const char ends[] = "PTX line 1: the text ends where more is expected";
  EXPECT_EQ(message(".file \"no end"), "");
  EXPECT_EQ(message(".global \"no end"), "PTX line 1: '\"no end' is no type that is known");
  EXPECT_EQ(message(".visible .entry f"), ends);
  EXPECT_EQ(message(".visible .entry f(.param .u64 .ptr .global"), ends);
  EXPECT_EQ(message(".visible .entry f() { .reg .b32"), ends);
  EXPECT_EQ(message(".visible .entry f() { mov.b32"), ends);
  EXPECT_EQ(message(".visible .entry f() { { }"), ends);
  EXPECT_EQ(message(moduleOf("bra.uni $NOWHERE;")), "PTX line 14: there is no label '$NOWHERE'");
  EXPECT_EQ(message(moduleOf("mov.b64 %rd1, nobody;")), "PTX line 14: 'nobody' is not declared");
  // NVIDIA's assembler takes the register for a number. (lib/Target/GPU/NarrowStores.h)
  const char converted[] = "PTX line 15: a part of a register is stored that has a floating-point number: NVIDIA's "
                           "assembler would convert it";
  EXPECT_EQ(message(moduleOf("add.rn.f32 %r1, %r2, %r3;\nst.global.b8 [%rd0], %r1;")), converted);
  EXPECT_EQ(message(moduleOf("cvt.rn.f64.s32 %rd1, %r3;\nst.global.v2.b32 [%rd0], {%r1, %rd1};")), converted);
  EXPECT_EQ(message(moduleOf("add.rn.f32 %r1, %r2, %r3;\nst.global.b32 [%rd0], %r1;")), "");
  EXPECT_EQ(message(moduleOf("setp.lt.f32 %p1, %r2, %r3;\nst.global.b8 [%rd0], %r2;")), "");
}

} // namespace
