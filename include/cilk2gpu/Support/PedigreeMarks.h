// Names of pedigrees (-fcilk-pedigrees): the place of a strand in the tree of spawns. <cilk/cilk_api.h> and the
// frontend use them, and cilk-keep-pedigrees replaces them.
#ifndef CILK2GPU_SUPPORT_PEDIGREEMARKS_H
#define CILK2GPU_SUPPORT_PEDIGREEMARKS_H

namespace cilk2gpu {

/// Function that returns the record of the running strand (struct __cilk2gpu_strand in <cilk/cilk_api.h>).
inline constexpr const char kStrandFunction[] = "__cilk2gpu_strand";

/// Marker of a cilk_sync, or of the end of a cilk_scope: it raises the rank of the running strand.
inline constexpr const char kRaiseMarker[] = "__cilk2gpu_raise_rank";

/// Variable with the seed of the random numbers.
inline constexpr const char kPedigreeSeed[] = "__cilk2gpu_pedigree_seed";

/// Macro that the option defines.
inline constexpr const char kPedigreeMacro[] = "__cilk2gpu_pedigrees__";

/// The end of the name of a form of a function that is told its strand.
inline constexpr const char kPedigreeSuffix[] = ".pedigree";

/// The end of the name of a function that notes a strand in its thread, or makes a record for a child, and calls
/// another function.
inline constexpr const char kEnteringSuffix[] = ".entering";
inline constexpr const char kSpawnedSuffix[] = ".spawned";

/// Constructor of a unit with pedigrees, which calls kHasPedigrees.
inline constexpr const char kAnnouncePedigrees[] = "__cilk2gpu_announce_pedigrees";

/// Functions of the runtime: they register the graph of a unit with pedigrees in the place of __cilk2gpu_register, and
/// say that a unit has pedigrees (cilk2gpu/abi/Records.h).
inline constexpr const char kRegisterWithPedigrees[] = "__cilk2gpu_register_with_pedigrees";
inline constexpr const char kHasPedigrees[] = "__cilk2gpu_has_pedigrees";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_PEDIGREEMARKS_H
