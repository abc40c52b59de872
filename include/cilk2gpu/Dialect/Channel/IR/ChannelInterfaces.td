// The interface of everything that stands in a channel.graph.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELINTERFACES_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELINTERFACES_TD

include "mlir/IR/OpBase.td"

def Channel_NodeOpInterface : OpInterface<"ChannelNodeOpInterface"> {
  let cppNamespace = "::cilk2gpu::channel";
  let description = [{
    A node or an edge of a channel-flow graph. The graph's verifier, the printers
    of graphs and the emission of records know nodes through this interface only.
    A new kind of node is therefore one operation that implements it.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the types of the fields of the node's elements, or null if the node
      holds no elements.
    }], "::mlir::ArrayAttr", "getElementFields", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Returns the name of the record that the node's elements belong to: the name
      of a task or of a queue. Null if the node holds no elements.
    }], "::mlir::StringAttr", "getRecordName", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Returns true if kernels enqueue new work to this node, one level deeper.
      Such
      a node has a record of its own.
    }], "bool", "takesSpawns", (ins), "", "return false;">,
    InterfaceMethod<[{
      Returns the node whose elements this node consumes, or null.
    }], "::mlir::FlatSymbolRefAttr", "getConsumedNode", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Returns the nodes that take new work from this node, or null.
    }], "::mlir::ArrayAttr", "getSpawnedNodes", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Returns the nodes that must be drained before elements of the node
      `getWaitingNode` are ready, or null if this operation is not an edge.
    }], "::mlir::ArrayAttr", "getAwaitedNodes", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Returns the node whose elements wait for `getAwaitedNodes`, or null.
    }], "::mlir::FlatSymbolRefAttr", "getWaitingNode", (ins), "", "return nullptr;">,
    InterfaceMethod<[{
      Verifies the node against the other nodes of its graph. The node's own
      verifier and those of the other nodes have succeeded before.
    }], "::llvm::LogicalResult", "verifyInGraph",
       (ins "const ::cilk2gpu::channel::GraphAnalysis &":$graph), "", "return ::mlir::success();">,
    InterfaceMethod<[{
      Adds the node's part to the records of its graph.
    }], "void", "describe", (ins "::cilk2gpu::channel::GraphDescription &":$graph)>,
    InterfaceMethod<[{
      Fills in how the node appears as a drawing, as JSON and as a line of text.
    }], "void", "draw", (ins "::cilk2gpu::channel::NodeDrawing &":$drawing)>,
  ];
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELINTERFACES_TD
