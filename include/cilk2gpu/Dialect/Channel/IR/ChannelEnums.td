// Enumerations of the `channel` dialect.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELENUMS_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELENUMS_TD

include "mlir/IR/EnumAttr.td"

def Channel_Dimension : I32EnumAttr<"Dimension", "a dimension of a grid or of a block", [
    I32EnumAttrCase<"X", 0, "x">,
    I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]> {
  let cppNamespace = "::cilk2gpu::channel";
}

// The numbers are those of abi::OrderKind (lib/Conversion/ChannelToLLVM/BlockGraphs.cpp asserts it).
def Channel_BlockPolicy : I32EnumAttr<"BlockPolicy", "which ready block runs next", [
    I32EnumAttrCase<"Lrr", 0, "lrr">,
    I32EnumAttrCase<"Lvl", 1, "lvl">]> {
  let cppNamespace = "::cilk2gpu::channel";
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELENUMS_TD
