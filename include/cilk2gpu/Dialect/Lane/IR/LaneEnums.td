// Enumerations of the `lane` dialect.
#ifndef CILK2GPU_DIALECT_LANE_IR_LANEENUMS_TD
#define CILK2GPU_DIALECT_LANE_IR_LANEENUMS_TD

include "mlir/IR/EnumAttr.td"

// Each kind has the same number as the kind of llvm.atomicrmw (Lane.cpp asserts this).
def Lane_FoldKind : I32EnumAttr<"FoldKind", "how lanes' values are folded into one", [
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"And", 3, "and">,
    I32EnumAttrCase<"Or", 5, "or">,
    I32EnumAttrCase<"Xor", 6, "xor">,
    I32EnumAttrCase<"Max", 7, "max">,
    I32EnumAttrCase<"Min", 8, "min">,
    I32EnumAttrCase<"UMax", 9, "umax">,
    I32EnumAttrCase<"UMin", 10, "umin">,
    I32EnumAttrCase<"FAdd", 11, "fadd">]> {
  let cppNamespace = "::cilk2gpu::lane";
}

#endif // CILK2GPU_DIALECT_LANE_IR_LANEENUMS_TD
