// Features that a generated program may contain, as a list of switches: the names of --list-features and --disable.
#ifndef CILK2GPU_TOOLS_CILKSMITH_FEATURES_H
#define CILK2GPU_TOOLS_CILKSMITH_FEATURES_H

#include <bitset>
#include <optional>
#include <string_view>

namespace cilksmith {

// X(enumerator, name on the command line, meaning)
#define CILKSMITH_FEATURES(X)                                                                                          \
  X(Structs, "structs", "structs of 1 to 200 bytes as locals, arguments and results by value")                         \
  X(Packed, "packed", "packed structs")                                                                                \
  X(Bitfields, "bitfields", "bit-fields, used by the parent only")                                                     \
  X(Unions, "unions", "unions as fields with one member in use, also over bytes of a struct's padding")                \
  X(Copies, "copies", "structs with their padding, unions and arrays copied as bytes, also through other arrays")      \
  X(Aligned, "aligned", "locals and fields with more than their natural alignment")                                    \
  X(Int128, "int128", "128-bit integers")                                                                              \
  X(Floats, "floats", "float and double")                                                                              \
  X(Pointers, "pointers", "pointers into the parents' frames as arguments")                                            \
  X(ElementPointers, "element-pointers", "local pointers to elements chosen at run time, and to their members")        \
  X(TablePointers, "table-pointers", "pointers into constant tables as values and results")                            \
  X(Globals, "globals", "results and data in global variables")                                                        \
  X(Atomics, "atomics", "relaxed read-modify-write operations that commute")                                           \
  X(Heap, "heap", "malloc and free in tasks")                                                                          \
  X(PlainCalls, "plain-calls", "plain calls of Cilk functions, also in arguments and conditions")                      \
  X(Bridges, "bridges", "ordinary functions that call Cilk functions from inside a task")                              \
  X(Forwarders, "forwarders", "ordinary functions that pass their arguments on to Cilk functions, spawned and called") \
  X(PlainSpawns, "plain-spawns", "spawns of ordinary functions")                                                       \
  X(SpawnIntoElements, "spawn-elements", "results into array elements and struct fields")                              \
  X(SpawnThroughPointers, "spawn-pointers", "results through pointers and to computed destinations")                   \
  X(ConvertingSpawns, "spawn-conversions", "results that the child converts to the destination's type")                \
  X(ConditionalSyncs, "conditional-syncs", "syncs under a condition")                                                  \
  X(EarlyReturns, "early-returns", "returns from the middle, children left to the implicit sync")                      \
  X(Loops, "loops", "for, while and do loops")                                                                         \
  X(GotoLoops, "goto-loops", "loops made of goto")                                                                     \
  X(BreakContinue, "break-continue", "break and continue")                                                             \
  X(Switches, "switches", "switch with and without fall-through")                                                      \
  X(SpawnLoops, "spawn-loops", "loops that leave children running from iteration to iteration")                        \
  X(Updates, "updates", "x += cilk_spawn f() and the like, several at once for one object")                            \
  X(CilkFor, "cilk-for", "cilk_for over integers and pointers, up and down, with strides and grain sizes, nested")     \
  X(Reducers, "reducers", "reducers: globals, locals, elements, members and parameters, some that show their order")   \
  X(SpawnedBlocks, "spawned-blocks", "spawned blocks and expressions")                                                 \
  X(Scopes, "scopes", "cilk_scope")                                                                                    \
  X(IndirectCalls, "indirect-calls", "calls and spawns through function pointers")                                     \
  X(DynamicLocals, "dynamic-locals", "variable-length arrays and alloca")                                              \
  X(MainSpawns, "main-spawns", "spawns and syncs in main")                                                             \
  X(Volatile, "volatile", "volatile locals")                                                                           \
  X(Restrict, "restrict", "restrict-qualified pointer parameters")                                                     \
  X(Classes, "classes", "C++: structs that own memory, with constructors, copies, moves and destructors")              \
  X(References, "references", "C++: reference parameters")                                                             \
  X(Templates, "templates", "C++: function templates")                                                                 \
  X(Members, "members", "C++: static, const and virtual member functions")                                             \
  X(Lambdas, "lambdas", "C++: spawns of lambdas, unnamed, named, with captures, and with spawns in them")              \
  X(Iterators, "iterators", "C++: cilk_for over iterators of class type and over ranges")                              \
  X(HeapArrays, "heap-arrays", "C++: local arrays with destructors")                                                   \
  X(Exceptions, "exceptions", "C++: exceptions thrown and caught in tasks, with spawns in try blocks")                 \
  X(ThrowingTasks, "throwing-tasks", "C++: exceptions that leave tasks, and destructors that record their order")      \
  X(HandlerSpawns, "handler-spawns", "C++: spawns, syncs, loops and calls of tasks in handlers")                       \
  X(ReducerClasses, "reducer-classes", "C++: reducers of Cilk Plus's classes, in their older and newer forms")

enum class Feature {
#define CILKSMITH_FEATURE(id, name, meaning) id,
  CILKSMITH_FEATURES(CILKSMITH_FEATURE)
#undef CILKSMITH_FEATURE
      Count
};

/// The first feature that only programs in C++ have. All features after it are for C++ only, too.
inline constexpr size_t kFirstCpp = static_cast<size_t>(Feature::Classes);

using FeatureSet = std::bitset<static_cast<size_t>(Feature::Count)>;

std::string_view featureName(Feature feature);
std::string_view featureMeaning(Feature feature);
std::optional<Feature> featureNamed(std::string_view name);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_FEATURES_H
