// Fills in the numbers of CountWork.h, late in code generation: each machine block adds the number of its instructions.
// Hooks cut a block into pieces, and each piece adds its own number.
//
//   addq $2; movl; cmpl; callq hook; addq $1; incl     a hook reads the counter between the pieces
//
// Code generation may have merged, copied and made blocks. So a piece may have several additions, of which the first
// stays, or none. Then the next addition of the block counts for it, or the last one. A block without any addition gets
// a copy of an addition of its function.
#include "CountWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Position of the number in an addition: behind the text, the flags, and the flags of the first operand.
constexpr unsigned kNumberOperand = InlineAsm::MIOp_FirstOperand + 1;

/// Instructions of a block between two hooks.
struct Piece {
  MachineInstr *addition = nullptr;
  uint64_t number = 0; ///< of the program's instructions
};

/// The machine pass.
class FillWork : public MachineFunctionPass {
public:
  static char ID;
  FillWork() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "cilk2gpu: fill in the numbers of instructions"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override;

private:
  bool isAddition(const MachineInstr &inst) const;
  SmallVector<Piece> cut(MachineBasicBlock &block) const;
  uint64_t fill(MachineBasicBlock &block);
  void copyInto(MachineBasicBlock &block, uint64_t number) const;

  StringRef text;                      ///< the assembly of an addition
  const MachineInstr *model = nullptr; ///< an addition of the function that can be copied
};

} // namespace

char FillWork::ID = 0;

bool FillWork::isAddition(const MachineInstr &inst) const {
  return inst.isInlineAsm() && StringRef(inst.getOperand(InlineAsm::MIOp_AsmString).getSymbolName()) == text;
}

/// Returns the name of a global that an operand refers to.
static StringRef globalOf(const MachineOperand &operand) {
  if (operand.isGlobal())
    return operand.getGlobal()->getName();
  return operand.isSymbol() ? StringRef(operand.getSymbolName()) : StringRef();
}

/// Returns whether only instrumentation needs an instruction: the call of a hook, or the address of a hook's site.
static bool isInstrumentation(const MachineInstr &inst) {
  return any_of(inst.operands(), [](const MachineOperand &operand) {
    StringRef name = globalOf(operand);
    return name.starts_with("__cilk2gpu_scale_") || name.starts_with(kStrandSitePrefix);
  });
}

/// Returns the number of instructions in inline assembly of the program: its lines that are not empty.
static uint64_t countLines(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return uint64_t(count_if(lines, [](StringRef line) { return !line.trim().empty(); }));
}

/// Returns the number of instructions of the program that an instruction of code generation is.
static uint64_t countInstructions(const MachineInstr &inst) {
  if (inst.isMetaInstruction() || inst.isBundle() || isInstrumentation(inst))
    return 0;
  return inst.isInlineAsm() ? countLines(inst.getOperand(InlineAsm::MIOp_AsmString).getSymbolName()) : 1;
}

/// Returns whether an instruction calls a hook that reads the counter.
static bool readsCounter(const MachineInstr &inst) {
  return inst.isCall() &&
         any_of(inst.operands(), [](const MachineOperand &operand) { return isCounterReader(globalOf(operand)); });
}

/// Makes an addition add `more` instructions.
static void raiseNumber(MachineInstr &addition, uint64_t more) {
  MachineOperand &number = addition.getOperand(kNumberOperand);
  number.setImm(number.getImm() + int64_t(more));
}

/// Returns whether an addition can be copied: its address needs no register that the function computes.
static bool isCopyable(const MachineInstr &addition) {
  const MachineRegisterInfo &registers = addition.getMF()->getRegInfo();
  return all_of(addition.operands(), [&](const MachineOperand &operand) {
    return !operand.isReg() || !operand.readsReg() || !operand.getReg() || registers.isReserved(operand.getReg());
  });
}

/// Copies the model to a place of `block` where no register that it changes is in use. Without such a place the block
/// is not counted.
void FillWork::copyInto(MachineBasicBlock &block, uint64_t number) const {
  MachineFunction &function = *block.getParent();
  LivePhysRegs live(*function.getSubtarget().getRegisterInfo());
  live.addLiveOuts(block);
  const MachineRegisterInfo &registers = function.getRegInfo();
  auto isFree = [&] {
    return all_of(model->operands(), [&](const MachineOperand &operand) {
      return !operand.isReg() || !operand.isDef() || live.available(registers, operand.getReg());
    });
  };
  MachineBasicBlock::iterator place = block.end();
  bool isFound = false;
  for (auto it = block.end(); it != block.begin();) {
    --it;
    live.stepBackward(*it);
    if (!it->isMetaInstruction() && isFree()) {
      place = it;
      isFound = true;
    }
  }
  if (!isFound)
    return;
  MachineInstr *copy = function.CloneMachineInstr(model);
  copy->getOperand(kNumberOperand).setImm(int64_t(number));
  block.insert(place, copy);
}

/// Cuts a block into pieces behind each hook that reads the counter. Keeps one addition of each piece.
SmallVector<Piece> FillWork::cut(MachineBasicBlock &block) const {
  SmallVector<Piece> pieces(1);
  for (MachineInstr &inst : make_early_inc_range(block.instrs())) {
    Piece &piece = pieces.back();
    if (readsCounter(inst))
      pieces.emplace_back();
    else if (!isAddition(inst))
      piece.number += countInstructions(inst);
    else if (!piece.addition)
      piece.addition = &inst;
    else
      inst.eraseFromParent();
  }
  return pieces;
}

/// Gives the additions of a block their numbers. Returns the number of instructions that wait for an addition, because
/// the block has none.
uint64_t FillWork::fill(MachineBasicBlock &block) {
  MachineInstr *last = nullptr;
  uint64_t waiting = 0;
  for (const Piece &piece : cut(block)) {
    waiting += piece.number;
    if (!piece.addition)
      continue;
    last = piece.addition;
    raiseNumber(*last, std::exchange(waiting, 0));
    if (isCopyable(*last))
      model = last;
  }
  if (last)
    raiseNumber(*last, std::exchange(waiting, 0));
  return waiting;
}

bool FillWork::runOnMachineFunction(MachineFunction &function) {
  text = workAssembly(function.getTarget().getTargetTriple());
  model = nullptr;
  SmallVector<std::pair<MachineBasicBlock *, uint64_t>> bare;
  for (MachineBasicBlock &block : function)
    if (uint64_t waiting = fill(block))
      bare.emplace_back(&block, waiting);
  if (model)
    for (auto [block, number] : bare)
      copyInto(*block, number);
  return true;
}

void cilk2gpu::registerWorkFilling() {
  // Lives as long as the process: LLVM has one list for all code generation.
  static RegisterTargetPassConfigCallback callback([](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
    config->insertPass(&FuncletLayoutID, new FillWork());
  });
}
