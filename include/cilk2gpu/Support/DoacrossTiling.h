// Cuts the iterations of a doacross nest into tiles, and the tiles into waves. Pure integer arithmetic.
//
// Each loop is a dimension that counts its iterations from 0. A dependence is a vector: the iteration minus the
// iteration that it waits for. The tiles of a wave are independent. Waves run one after the other, and a tile runs its
// iterations in the order of the source.
//
// If no vector has a negative component, tiles are rectangles. Otherwise, some dimensions are skewed: their tiles are
// intervals of positions instead of iterations. A position is the iteration plus multiples of the places in outer
// dimensions. A place counts from the begin of the tile. So tiles are parallelograms, and their grid is a box:
//
//   position[d] = iteration[d] + sum over e < d of skew[d][e] * place[e]
//   place[d]    = position[d] - tile[d] * size[d], from 0 to size[d] - 1
//   wave        = sum over d of weight[d] * tile[d]
#ifndef CILK2GPU_SUPPORT_DOACROSSTILING_H
#define CILK2GPU_SUPPORT_DOACROSSTILING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace cilk2gpu {

struct DoacrossDimension {
  /// Number of positions in a tile. 0 stands for the whole dimension, which then has one tile.
  uint64_t size = 0;
  /// If not 0: tiles may have another size, which follows from the number of iterations and their time. Where the time
  /// is not known, tiles are no larger than `size` and no smaller than this.
  uint64_t least = 0;
  /// Factor of the tile's coordinate in the number of its wave. If 0, tiles along this dimension are independent.
  uint64_t weight = 0;
  /// Multiples of the places in the outer dimensions. Empty if the dimension is not skewed.
  llvm::SmallVector<uint64_t, 2> skew;
  /// The program gives the size, which is kept.
  bool isGiven = false;

  /// Returns true if the dimension is one tile where all iterations run one after the other.
  bool mayBeWhole() const { return size != 0 && !isGiven; }
};

struct DoacrossTiling {
  llvm::SmallVector<DoacrossDimension, 3> dimensions;
  /// If not 0, one loop has two dimensions: its iteration is split * k0 + k1, where k1 is less than split.
  uint64_t split = 0;

  /// Returns true if all iterations run one after the other.
  bool isSerial() const;
  /// Returns true if sizes may follow the time of an iteration.
  bool isAdaptable() const;
  /// Returns true if it is decided at run time how the nest runs, by an abi::DoacrossPlan. Then `Ops` chooses sizes.
  bool hasPlan() const;
  /// Describes sizes, skews and waves for a remark.
  std::string describe() const;
};

/// The facts from which a tiling follows.
struct DoacrossNest {
  unsigned rank = 1; ///< number of loops
  /// The dependences. Each vector has `rank` components, and its first component that is not 0 is positive.
  llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 4> vectors;
  /// Sizes of tiles that the program gives, for the outer loops first.
  llvm::SmallVector<uint64_t, 3> sizes;
  /// An iteration takes longer than the start of a task.
  bool isHeavy = false;
};

/// Chooses tiles and waves. Keeps the sizes that the program gives, if some tiles of that size can run in parallel.
DoacrossTiling chooseTiling(const DoacrossNest &nest);

/// The facts from which the size of a tile along one loop follows.
template <class Value> struct DoacrossSizeRequest {
  Value extent;     ///< number of positions of the loop
  Value unit;       ///< number of iterations of the nest in a tile for each iteration of this loop
  Value iterations; ///< number of iterations of the nest
  uint64_t size, least;
  unsigned depth;
  bool isOuter; ///< see abi::DoacrossShape
};

/// Computes the waves and tiles of a nest from the numbers of iterations of its loops. `Ops` does the arithmetic on
/// unsigned 64-bit integers. It works on numbers, or on expressions of a program. It has a type Value and functions:
/// - number(n), add(a, b), sub, mul, div, rem;
/// - ifLess(a, b, x, y): x if a is less than b, else y;
/// - keep(name, a): evaluates `a` here, once;
/// - chooseSize(request): the size of a tile along a loop, if the tiling has a plan.
template <class Ops> class DoacrossWaves {
public:
  using Value = typename Ops::Value;
  using Values = llvm::SmallVector<Value, 3>;
  struct Range {
    Value low, high; ///< `high` is the first number behind the range; an empty range may have a smaller `high`
  };

  /// `counts` are the numbers of iterations of the loops, each at least 1.
  DoacrossWaves(Ops &ops, const DoacrossTiling &tiling, llvm::ArrayRef<Value> counts);

  unsigned rank() const { return tiling.dimensions.size(); }
  Value waves() const { return waveCount; }

  /// Returns the number of tiles of a wave. The other functions follow for the same wave.
  Value enterWave(Value wave);

  /// Returns the coordinates of the tile with this number in the wave.
  Values coordinates(Value number) const;

  /// Returns the dimension in which a coordinate may lie outside of the grid, if there is one. Tiles with such a
  /// coordinate are no tiles.
  std::optional<unsigned> uncertain() const {
    return weighted.size() > 2 ? std::optional(weighted.back()) : std::nullopt;
  }
  Value gridSize(unsigned d) const { return grid[d]; }

  /// Returns the distance from the iteration to its position.
  Value offset(unsigned d, llvm::ArrayRef<Value> places) const;

  /// Returns the iterations of a tile along the dimension. `first` is the iteration along dimension 0.
  Range iterations(unsigned d, Value tile, Value offset, Value first) const;

  /// Returns the position at which the tile begins.
  Value begin(unsigned d, Value tile) const { return isWhole(d) ? ops.number(0) : ops.mul(tile, sizes[d]); }

  bool isWhole(unsigned d) const { return tiling.dimensions[d].size == 0; }
  bool isSkewed(unsigned d) const { return !tiling.dimensions[d].skew.empty(); }

private:
  struct Counted {
    unsigned dimension;
    Value low, count;
  };

  Value atMost(Value a, Value b) const { return ops.ifLess(a, b, a, b); }
  Value atLeast(Value a, Value b) const { return ops.ifLess(a, b, b, a); }
  Value roundedUp(Value a, Value b) const { // a is at least 1
    return ops.add(ops.div(ops.sub(a, ops.number(1)), b), ops.number(1));
  }
  Value weight(unsigned d) const { return ops.number(tiling.dimensions[d].weight); }
  void chooseSizes();
  Value sizeOf(unsigned d, llvm::ArrayRef<Value> reaches) const;
  Value unitOf(unsigned d) const;
  Value gridOf(unsigned d) const;
  Range tilesOf(unsigned d, Value wave) const;

  Ops &ops;
  const DoacrossTiling &tiling;
  llvm::SmallVector<unsigned, 3> weighted;
  Values extents, sizes, grid, shares; ///< shares[d]: the last tile along d adds this to the number of its wave
  Value length, waveCount, currentWave;
  llvm::SmallVector<Counted, 3> counted;
};

template <class Ops>
DoacrossWaves<Ops>::DoacrossWaves(Ops &ops, const DoacrossTiling &tiling, llvm::ArrayRef<Value> counts)
    : ops(ops), tiling(tiling), extents(counts), length(counts[0]), waveCount(ops.number(1)), currentWave(waveCount) {
  if (tiling.split) {
    Value split = ops.number(tiling.split);
    extents = {ops.keep("extent", roundedUp(length, split)), ops.keep("extent", atMost(length, split))};
  }
  chooseSizes();
  for (unsigned d = 0; d < rank(); ++d) {
    grid.push_back(ops.keep("grid", gridOf(d)));
    shares.push_back(ops.number(0));
    if (!tiling.dimensions[d].weight)
      continue;
    weighted.push_back(d);
    shares[d] = ops.keep("share", ops.mul(weight(d), ops.sub(grid[d], ops.number(1))));
    waveCount = ops.add(waveCount, shares[d]);
  }
  waveCount = ops.keep("waves", waveCount);
}

// The inner loops come first, because the sizes of the outer loops follow from them.
template <class Ops> void DoacrossWaves<Ops>::chooseSizes() {
  Values reaches; // numbers of positions, if the outer dimensions are whole
  for (unsigned d = 0; d < rank(); ++d) {
    Value reach = extents[d];
    for (auto [e, factor] : llvm::enumerate(tiling.dimensions[d].skew))
      reach = ops.add(reach, ops.mul(ops.number(factor), ops.sub(reaches[e], ops.number(1))));
    reaches.push_back(tiling.dimensions[d].mayBeWhole() ? ops.keep("reach", reach) : reach);
  }
  sizes.assign(rank(), ops.number(0));
  for (unsigned d = rank(); d-- > 0;)
    sizes[d] = sizeOf(d, reaches);
}

template <class Ops> auto DoacrossWaves<Ops>::sizeOf(unsigned d, llvm::ArrayRef<Value> reaches) const -> Value {
  const DoacrossDimension &dimension = tiling.dimensions[d];
  if (isWhole(d))
    return extents[d];
  if (!tiling.hasPlan() || !dimension.mayBeWhole())
    return ops.number(dimension.size);
  Value iterations = ops.number(1);
  for (Value extent : extents)
    iterations = ops.mul(iterations, extent);
  bool isOuter = llvm::all_of(llvm::ArrayRef(tiling.dimensions).take_front(d),
                              [](const DoacrossDimension &each) { return each.least == 0; });
  return ops.keep("size", ops.chooseSize(DoacrossSizeRequest<Value>{reaches[d], unitOf(d), iterations, dimension.size,
                                                                    dimension.least, d, isOuter}));
}

// Returns the iterations of a tile for each iteration along `d`. Outer loops whose sizes are open count as 1.
template <class Ops> auto DoacrossWaves<Ops>::unitOf(unsigned d) const -> Value {
  Value unit = ops.number(1);
  for (unsigned e = 0; e < rank(); ++e) {
    const DoacrossDimension &dimension = tiling.dimensions[e];
    if (e > d)
      unit = ops.mul(unit, sizes[e]);
    else if (e < d && dimension.least == 0)
      unit = ops.mul(unit, dimension.size ? ops.number(dimension.size) : extents[e]);
  }
  return unit;
}

template <class Ops> auto DoacrossWaves<Ops>::gridOf(unsigned d) const -> Value {
  if (isWhole(d))
    return ops.number(1);
  Value positions = extents[d];
  for (auto [e, factor] : llvm::enumerate(tiling.dimensions[d].skew))
    positions = ops.add(positions, ops.mul(ops.number(factor), ops.sub(sizes[e], ops.number(1))));
  Value parts = roundedUp(positions, sizes[d]);
  // Where the dimension is known to be whole, no division is left.
  return tiling.dimensions[d].mayBeWhole() ? ops.ifLess(sizes[d], positions, parts, ops.number(1)) : parts;
}

// Returns the tiles along `d` that can belong to the wave.
template <class Ops> auto DoacrossWaves<Ops>::tilesOf(unsigned d, Value wave) const -> Range {
  if (!tiling.dimensions[d].weight)
    return {ops.number(0), grid[d]};
  Value others = ops.keep("others", ops.sub(ops.sub(waveCount, ops.number(1)), shares[d]));
  Value missing = ops.ifLess(others, wave, ops.sub(wave, others), ops.number(0)); // what the other dimensions lack
  Value roundUp = ops.sub(weight(d), ops.number(1));
  Value low = ops.keep("low", ops.div(ops.add(missing, roundUp), weight(d)));
  Value last = atMost(ops.keep("most", ops.div(wave, weight(d))), ops.sub(grid[d], ops.number(1)));
  return {low, ops.keep("high", ops.add(last, ops.number(1)))};
}

template <class Ops> auto DoacrossWaves<Ops>::enterWave(Value wave) -> Value {
  currentWave = wave;
  counted.clear();
  Value product = ops.number(1);
  for (unsigned d = 0; d < rank(); ++d) {
    if (isWhole(d) || (!weighted.empty() && d == weighted.back()))
      continue; // one tile, or the tile that follows from the wave
    Range range = tilesOf(d, wave);
    Value count = ops.ifLess(range.low, range.high, ops.sub(range.high, range.low), ops.number(0));
    counted.push_back({d, range.low, ops.keep("count", count)});
    product = ops.mul(product, counted.back().count);
  }
  return ops.keep("tiles", product);
}

template <class Ops> auto DoacrossWaves<Ops>::coordinates(Value number) const -> Values {
  Values result(rank(), ops.number(0));
  Value rest = number;
  for (unsigned i = counted.size(); i-- > 0;) {
    const Counted &each = counted[i];
    Value own = i ? ops.rem(rest, each.count) : rest;
    result[each.dimension] = ops.keep("tile", ops.add(each.low, own));
    if (i)
      rest = ops.keep("rest", ops.div(rest, each.count));
  }
  if (weighted.empty())
    return result;
  // A sum that exceeds the wave leads to a coordinate that wraps around, which is outside of the grid.
  Value last = currentWave;
  for (unsigned d : llvm::ArrayRef(weighted).drop_back())
    last = ops.sub(last, ops.mul(weight(d), result[d]));
  result[weighted.back()] = ops.keep("tile", last);
  return result;
}

template <class Ops> auto DoacrossWaves<Ops>::offset(unsigned d, llvm::ArrayRef<Value> places) const -> Value {
  Value sum = ops.number(0);
  for (auto [e, factor] : llvm::enumerate(tiling.dimensions[d].skew))
    if (factor)
      sum = ops.add(sum, ops.mul(ops.number(factor), places[e]));
  return sum;
}

template <class Ops>
auto DoacrossWaves<Ops>::iterations(unsigned d, Value tile, Value offset, Value first) const -> Range {
  Value extent = extents[d];
  if (tiling.split && d == 1)
    extent = ops.keep("extent", atMost(extent, ops.sub(length, ops.mul(ops.number(tiling.split), first))));
  if (isWhole(d))
    return {ops.number(0), extent};
  Value low = ops.keep("low", begin(d, tile));
  Value positions = isSkewed(d) ? ops.keep("positions", ops.add(extent, offset)) : extent;
  // `low` may be behind the last position.
  Value left = ops.keep("left", ops.ifLess(low, positions, ops.sub(positions, low), ops.number(0)));
  Value high = ops.keep("high", ops.add(low, atMost(left, sizes[d])));
  if (!isSkewed(d))
    return {low, high};
  return {ops.sub(atLeast(low, offset), offset), ops.sub(atLeast(high, offset), offset)};
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DOACROSSTILING_H
