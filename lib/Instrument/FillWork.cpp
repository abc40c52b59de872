// Fills in the numbers of CountWork.h, late in code generation: each machine block adds the number of its instructions.
// Code generation may have merged, copied and made blocks. So a block may have several additions, of which the first
// stays, or none, in which case it gets a copy of an addition of its function.
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
  MachineInstr *keepFirst(MachineBasicBlock &block) const;
  void copyInto(MachineBasicBlock &block, const MachineInstr &model, uint64_t number) const;

  StringRef text; ///< the assembly of an addition
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

static uint64_t countInstructions(const MachineBasicBlock &block, function_ref<bool(const MachineInstr &)> isAddition) {
  uint64_t result = 0;
  for (const MachineInstr &inst : block.instrs())
    if (inst.isMetaInstruction() || inst.isBundle() || isAddition(inst) || isInstrumentation(inst))
      continue;
    else if (inst.isInlineAsm())
      result += countLines(inst.getOperand(InlineAsm::MIOp_AsmString).getSymbolName());
    else
      ++result;
  return result;
}

/// Returns the first addition of a block, and removes all others.
MachineInstr *FillWork::keepFirst(MachineBasicBlock &block) const {
  MachineInstr *first = nullptr;
  for (MachineInstr &inst : make_early_inc_range(block))
    if (isAddition(inst)) {
      if (first)
        inst.eraseFromParent();
      else
        first = &inst;
    }
  return first;
}

/// Returns whether an addition can be copied: its address needs no register that the function computes.
static bool isCopyable(const MachineInstr &addition) {
  const MachineRegisterInfo &registers = addition.getMF()->getRegInfo();
  return all_of(addition.operands(), [&](const MachineOperand &operand) {
    return !operand.isReg() || !operand.readsReg() || !operand.getReg() || registers.isReserved(operand.getReg());
  });
}

/// Copies `model` to a place of `block` where no register that it changes is in use. Without such a place the block is
/// not counted.
void FillWork::copyInto(MachineBasicBlock &block, const MachineInstr &model, uint64_t number) const {
  MachineFunction &function = *block.getParent();
  LivePhysRegs live(*function.getSubtarget().getRegisterInfo());
  live.addLiveOuts(block);
  const MachineRegisterInfo &registers = function.getRegInfo();
  auto isFree = [&] {
    return all_of(model.operands(), [&](const MachineOperand &operand) {
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
  MachineInstr *copy = function.CloneMachineInstr(&model);
  copy->getOperand(kNumberOperand).setImm(int64_t(number));
  block.insert(place, copy);
}

bool FillWork::runOnMachineFunction(MachineFunction &function) {
  text = workAssembly(function.getTarget().getTargetTriple());
  SmallVector<MachineBasicBlock *> bare;
  const MachineInstr *model = nullptr;
  auto isOurs = [&](const MachineInstr &inst) { return isAddition(inst); };
  for (MachineBasicBlock &block : function) {
    uint64_t number = countInstructions(block, isOurs);
    MachineInstr *addition = keepFirst(block);
    if (!addition) {
      if (number)
        bare.push_back(&block);
      continue;
    }
    addition->getOperand(kNumberOperand).setImm(int64_t(number));
    if (isCopyable(*addition))
      model = addition;
  }
  if (model)
    for (MachineBasicBlock *block : bare)
      copyInto(*block, *model, countInstructions(*block, isOurs));
  return true;
}

void cilk2gpu::registerWorkFilling() {
  // Lives as long as the process: LLVM has one list for all code generation.
  static RegisterTargetPassConfigCallback callback([](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
    config->insertPass(&FuncletLayoutID, new FillWork());
  });
}
