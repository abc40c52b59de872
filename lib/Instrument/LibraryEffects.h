// Effects of functions of the C and C++ libraries on memory and locks, for the race detector.
#ifndef CILK2GPU_LIB_INSTRUMENT_LIBRARYEFFECTS_H
#define CILK2GPU_LIB_INSTRUMENT_LIBRARYEFFECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cilk2gpu {

/// An access that a library function makes through one of its parameters.
struct LibraryEffect {
  enum Extent {
    Bytes,      ///< as many bytes as argument `first` says
    Product,    ///< the product of the arguments `first` and `second`
    Text,       ///< the text at the parameter, or at parameter `first`, with its end
    TextAfter,  ///< the text that the call leaves at the parameter
    TextWithin, ///< the text at the parameter, or its first bytes: as many as argument `first` says
    Found,      ///< up to the byte to which the result points; without one, the text, or the bytes in argument `first`
    Number,     ///< the text of a number at the parameter, with the byte behind it
    Pointer,    ///< a pointer, if the parameter is not null
    Result,     ///< as many bytes as the call returns, or as many objects of the size in argument `first`
    Printed,    ///< the text that the call leaves, whose length it returns; at most the bytes in argument `first`
    Block,      ///< a block of the heap, which is freed
    Lock,       ///< a lock: taken if the call returns 0
    Unlock,     ///< a lock: released
    GuardBegin, ///< the initialisation of a static variable begins, if the call does not return 0
    GuardEnd,   ///< the initialisation ends
    Once        ///< the call runs an initialisation, or waits until another call has run it
  };
  /// Stands for the lock of all inlets, which is no parameter.
  static constexpr unsigned kInletLock = ~0u;
  unsigned parameter;
  Extent extent;
  bool writes = false;
  int first = -1, second = -1;
};

/// The functions of the runtime between which an inlet of MIT Cilk runs, without another inlet beside it.
inline constexpr llvm::StringLiteral kBeginInlet = "__cilk2gpu_begin_inlet", kEndInlet = "__cilk2gpu_end_inlet";

/// Returns the effects of the function with this name in object files. Functions that are not known have none.
llvm::ArrayRef<LibraryEffect> libraryEffects(llvm::StringRef name);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_LIBRARYEFFECTS_H
