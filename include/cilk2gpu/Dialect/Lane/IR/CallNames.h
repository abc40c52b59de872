// Names of the functions whose calls stand for lane operations in LLVM IR. The passes lane-encode-calls and
// lane-decode-calls (lib/Dialect/Lane/Transforms/CallEncoding.cpp) write and read the names; analyses of LLVM IR read
// them. An example:
//
//   cilk2gpu.lane.deq.0..f.k0.lanes
//                 |   |  the lane form's name, because calls in different forms have different types
//                 |   the operation's attributes, with dots between them
//                 the operation
#ifndef CILK2GPU_DIALECT_LANE_IR_CALLNAMES_H
#define CILK2GPU_DIALECT_LANE_IR_CALLNAMES_H

#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace cilk2gpu::lane {

inline constexpr llvm::StringLiteral kPrefix = "cilk2gpu.lane.";
inline constexpr llvm::StringLiteral kDeq = "deq";
inline constexpr llvm::StringLiteral kAddress = "address";
inline constexpr llvm::StringLiteral kSpawn = "spawn";
inline constexpr llvm::StringLiteral kFrame = "frame";
inline constexpr llvm::StringLiteral kPlace = "place";
inline constexpr llvm::StringLiteral kFree = "free";
inline constexpr llvm::StringLiteral kPublish = "publish";
inline constexpr llvm::StringLiteral kYield = "yield";
inline constexpr llvm::StringLiteral kResult = "result";
inline constexpr llvm::StringLiteral kDestination = "destination";
inline constexpr llvm::StringLiteral kAccumulate = "accumulate";
inline constexpr llvm::StringLiteral kThread = "thread";
inline constexpr llvm::StringLiteral kBarrier = "barrier";

/// The parts of a name, without its prefix and the lane form's name.
struct CallName {
  llvm::StringRef operation;
  llvm::StringRef attributes; ///< with dots between them

  /// Returns the first attribute if it is a number: of a field, a target or a segment.
  std::optional<unsigned> number() const {
    unsigned value;
    bool isNumber = !attributes.split('.').first.getAsInteger(10, value);
    return isNumber ? std::optional(value) : std::nullopt;
  }
};

/// Parses the name of a function. Returns nothing if it does not stand for a lane operation.
inline std::optional<CallName> parseCallName(llvm::StringRef symbol) {
  if (!symbol.consume_front(kPrefix))
    return std::nullopt;
  auto [operation, attributes] = symbol.split("..").first.split('.');
  return CallName{operation, attributes};
}

} // namespace cilk2gpu::lane

#endif // CILK2GPU_DIALECT_LANE_IR_CALLNAMES_H
