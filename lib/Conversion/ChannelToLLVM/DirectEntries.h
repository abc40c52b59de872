// Lets short calls from ordinary code go straight to the serial elision (cilk2gpu/abi/EntrySite.h).
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DIRECTENTRIES_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DIRECTENTRIES_H

#include "mlir/IR/BuiltinOps.h"

namespace cilk2gpu {

/// Lets each ordinary entry that calls its elision in a block of its own call it first if the thread runs a task. Gives
/// entries whose elisions throw nothing a record, and asks the record next. What follows moves to a function of its
/// own, so that the other calls save no registers for it. Other uses of channel.serial stay. Must run before ordinary
/// functions are lowered.
///
///   @f: %serial = channel.serial; cond_br %serial, ^serial, ^run; ^serial: call @f.serial; ^run: ... channel.execute
///   -> @f: cond_br (inside a task), ^serial, ^ask
///      ^ask: cond_br (site is open), ^serial, ^start
///      ^serial: call @f.serial
///      ^start: call @f.start
///      @f.start: %token = enter(site); cond_br ..., ^serial, ^run
///      ^serial: call @f.serial; left(site, %token) if it is timed
///      ^run: ... channel.execute; left(site, %token)
///
/// If the elision is recursive, @f.start asks the record, because elisions from there run on a stack of the runtime.
void makeDirectEntries(mlir::ModuleOp module);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DIRECTENTRIES_H
