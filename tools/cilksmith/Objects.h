// The objects that a generated function can name, and the tasks that may touch them. This makes programs free of
// determinacy races by construction. Each scalar member of each object has one of three states:
// - free;
// - shared: children may read it;
// - given: one child may write it.
//
// A sync frees everything. Where control flow joins, the stricter state wins.
#ifndef CILK2GPU_TOOLS_CILKSMITH_OBJECTS_H
#define CILK2GPU_TOOLS_CILKSMITH_OBJECTS_H

#include "Types.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cilksmith {

enum class Access : unsigned char { Free, Shared, Given };

/// Purpose of an object: the parent's own read or write, a child's reads (by a const pointer), or a child's exclusive
/// use (a result's destination, a pointer).
enum class Need { Read, Write, Share, Give };

/// A variable, array, heap block or pointer parameter. Two kinds of object are parts of an array:
/// - A loop that spawns into `array[i]` sees this element as an object (`elementOf`). It is free at the start of each
///   iteration, even while children of earlier iterations run.
/// - A local pointer leads to an element, or a part of one, that is chosen at run time (`isAlias`).
struct Object {
  std::string name;
  Type type;
  unsigned count = 1;       ///< elements
  bool subscripted = false; ///< elements are name[i]; otherwise the only element is name
  bool readOnly = false;
  bool addressable = true;
  bool heap = false;
  bool isVolatile = false;
  bool opaque = false;      ///< only children use it: a function object
  int reducer = -1;         ///< the kind of a reducer, which is opaque
  unsigned views = 1;       ///< of a reducer: elements of its array
  bool foreign = false;     ///< a reducer that tasks elsewhere may update, too
  int elementOf = -1;       ///< index of the array
  bool isAlias = false;     ///< the element is chosen at run time, so an access must be allowed for all elements
  unsigned firstMember = 0; ///< of an alias: index of its first member among the members of the element
  /// a loop spawns into its elements, so children get it through that loop's element object only
  bool reserved = false;
  std::vector<ScalarMember> members; ///< of one element
  std::vector<Part> parts;           ///< of one element
};

/// Access of every cell (scalar member of an element) of every object, by object index.
using State = std::vector<std::vector<Access>>;

/// Takes the stricter access of each cell; the result has as many objects as `into`.
void merge(State &into, const State &other);

/// A piece of an object: cells [first, first + count).
struct Piece {
  int object;
  unsigned first, count;
  std::string text; ///< an lvalue; for regions, the value of a pointer
  Type type;
  unsigned bits = 0; ///< of a bit-field
};

class Objects {
public:
  explicit Objects(Random &random) : random(random) {}

  int add(Object object, State &state);
  Object &operator[](int index) { return all[index]; }
  const Object &operator[](int index) const { return all[index]; }
  int size() const { return static_cast<int>(all.size()); }
  /// Forgets objects whose scope ends.
  void truncate(int size, State &state);

  bool allows(const State &state, int object, unsigned first, unsigned count, Need need) const;
  /// Records that children read (Shared) or own (Given) the piece until the next sync.
  void take(State &state, const Piece &piece, Access access);

  /// Returns a random scalar member for which `fits` holds. Gives up after some tries.
  std::optional<Piece> member(const State &state, Need need, const std::function<bool(Scalar)> &fits);
  /// Returns a random struct of this type.
  std::optional<Piece> structure(const State &state, Need need, int structure);
  /// Returns a random pointer to `count` elements of this type.
  std::optional<Piece> region(const State &state, Need need, const Type &type, unsigned count);
  /// Returns an array with at least `least` elements, all of which are allowed.
  std::optional<int> array(const State &state, Need need, unsigned least,
                           const std::function<bool(const Object &)> &fits);

  std::string element(int object, unsigned index) const;

private:
  Random &random;
  std::vector<Object> all;
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_OBJECTS_H
