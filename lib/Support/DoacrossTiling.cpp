// Chooses the tiles of a doacross nest. The sizes are compromises: a tile should take longer than the start of a task,
// and a wave should have enough tiles for all workers.
#include "cilk2gpu/Support/DoacrossTiling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace cilk2gpu {

namespace {
/// Limit of sizes, skews and weights. Products of two of them, and sums of a few, fit 64 bits.
constexpr uint64_t kLimit = uint64_t(1) << 30;

/// A skew above this limit moves neighbouring rows of a tile far apart.
constexpr uint64_t kFarSkew = 16;

/// Chains of a loop with light iterations share cache lines. So there must be this many of them.
constexpr uint64_t kLeastChains = 64;

/// Number of light iterations that are worth a wave.
constexpr uint64_t kLeastWave = 4096;

class Chooser {
public:
  explicit Chooser(const DoacrossNest &nest) : nest(nest) { tiling.dimensions.resize(nest.rank); }
  DoacrossTiling choose();

private:
  DoacrossTiling chooseOneLoop();
  bool chooseIndependentLines();
  bool chooseRows();
  bool chooseSkews();
  bool chooseWeights();
  void setDefaultSizes();
  bool isGiven(unsigned d) const { return d < nest.sizes.size(); }
  bool carries(unsigned d) const {
    return any_of(nest.vectors, [&](ArrayRef<int64_t> vector) { return vector[d] != 0; });
  }
  int64_t leastComponent(unsigned d) const {
    int64_t least = INT64_MAX;
    for (ArrayRef<int64_t> vector : nest.vectors)
      least = std::min(least, vector[d]);
    return least;
  }
  uint64_t farthestSkew() const {
    uint64_t farthest = 0;
    for (const DoacrossDimension &dimension : tiling.dimensions)
      for (uint64_t factor : dimension.skew)
        farthest = std::max(farthest, factor);
    return farthest;
  }
  DoacrossDimension &at(unsigned d) { return tiling.dimensions[d]; }

  const DoacrossNest &nest;
  DoacrossTiling tiling;
};
} // namespace

// A tile of light iterations has some thousand of them, most of them along the innermost loop, where caches and
// prefetchers work best.
void Chooser::setDefaultSizes() {
  bool isFlat = nest.rank <= 2;
  for (unsigned d = 0; d < nest.rank; ++d) {
    bool isInner = d + 1 == nest.rank;
    if (isGiven(d))
      at(d).size = nest.sizes[d], at(d).isGiven = true;
    else if (nest.isHeavy)
      at(d) = {/*size=*/isInner ? uint64_t(8) : 4, /*least=*/1, /*weight=*/0, {}};
    else if (isInner)
      at(d) = {/*size=*/128, /*least=*/32, /*weight=*/0, {}};
    else
      at(d) = {/*size=*/isFlat ? uint64_t(32) : 8, /*least=*/isFlat ? uint64_t(8) : 2, /*weight=*/0, {}};
  }
}

// If one loop carries all dependences, a tile takes all of its iterations. Then there is one wave.
bool Chooser::chooseIndependentLines() {
  unsigned number = 0, carrier = 0;
  for (unsigned d = 0; d < nest.rank; ++d)
    if (carries(d))
      ++number, carrier = d;
  if (number == 1 && !isGiven(carrier))
    at(carrier) = DoacrossDimension();
  return number == 0 || (number == 1 && !isGiven(carrier));
}

// If each dependence leads to another tile along one dimension, this dimension alone makes the waves.
bool Chooser::chooseRows() {
  for (unsigned d = 0; d < nest.rank; ++d) {
    int64_t least = leastComponent(d);
    bool isGivenRow = isGiven(d) && least > 0 && nest.sizes[d] <= uint64_t(least);
    bool isBetterThanSkews = d == 0 && !isGiven(0) && least > 0 && farthestSkew() > kFarSkew;
    if (!isGivenRow && !isBetterThanSkews)
      continue;
    for (DoacrossDimension &dimension : tiling.dimensions)
      dimension.skew.clear();
    at(d).least = 0;
    at(d).size = std::min(at(d).size, uint64_t(least));
    at(d).weight = 1;
    return true;
  }
  return false;
}

// Finds the smallest factors that leave no vector with a negative component. Each vector leans on its first component
// that is not 0. Returns false if a factor is out of bounds.
bool Chooser::chooseSkews() {
  SmallVector<SmallVector<int64_t, 3>, 4> vectors = nest.vectors;
  for (ArrayRef<int64_t> vector : vectors)
    if (any_of(vector, [](int64_t component) { return AbsoluteValue(component) > kLimit; }))
      return false;
  for (unsigned d = 1; d < nest.rank; ++d) {
    SmallVector<uint64_t, 2> skew(d, 0);
    auto skewed = [&](ArrayRef<int64_t> vector) {
      __int128 sum = vector[d];
      for (unsigned e = 0; e < d; ++e)
        sum += __int128(skew[e]) * vector[e];
      return sum;
    };
    for (ArrayRef<int64_t> vector : vectors) {
      __int128 component = skewed(vector);
      unsigned lead = find_if(vector, [](int64_t each) { return each != 0; }) - vector.begin();
      if (component < 0)
        skew[lead] += uint64_t((-component + vector[lead] - 1) / vector[lead]);
    }
    for (SmallVector<int64_t, 3> &vector : vectors) {
      __int128 component = skewed(vector);
      if (component > __int128(kLimit))
        return false;
      vector[d] = int64_t(component);
    }
    if (any_of(skew, [](uint64_t factor) { return factor != 0; }))
      at(d).skew = std::move(skew);
  }
  return true;
}

// Makes the number of the wave grow along each dependence. Let T[d] be the difference of the tiles' coordinates, and R
// the ratio P[d][e] * size[e] / size[d], where P is the product of skews. Then T[d] is at least
//   - sum over e of (T[e] > 0 ? roundedUp(R) : roundedDown(R)) * T[e].
// So the weight of e makes up for the losses in all later dimensions. `negative` is the weight that remains for a
// negative T[e]: what the rounding up of its weight gives away.
bool Chooser::chooseWeights() {
  unsigned rank = nest.rank;
  SmallVector<SmallVector<uint64_t, 3>, 3> product(rank, SmallVector<uint64_t, 3>(rank, 0));
  for (unsigned d = 0; d < rank; ++d)
    for (unsigned e = 0; e < at(d).skew.size(); ++e)
      for (unsigned f = 0; f <= e; ++f) {
        uint64_t path = f == e ? 1 : product[e][f];
        product[d][f] = SaturatingAdd(product[d][f], SaturatingMultiply(at(d).skew[e], path));
      }
  SmallVector<uint64_t, 3> negative(rank, 1);
  for (unsigned e = rank; e-- > 0;) {
    if (!carries(e))
      continue;
    at(e).weight = 1;
    for (unsigned d = e + 1; d < rank; ++d) {
      if (!product[d][e])
        continue;
      uint64_t distance = SaturatingMultiply(product[d][e], at(e).size);
      uint64_t up = divideCeil(distance, at(d).size), down = distance / at(d).size;
      at(e).weight = SaturatingAdd(at(e).weight, SaturatingMultiply(negative[d], up));
      negative[e] = SaturatingAdd(negative[e], SaturatingMultiply(negative[d], up) - down);
    }
    if (at(e).weight > kLimit || negative[e] > kLimit || at(e).size > kLimit)
      return false;
  }
  return true;
}

// One loop is cut into chains that do not depend on each other, or into waves of the iterations up to the nearest
// dependence.
DoacrossTiling Chooser::chooseOneLoop() {
  uint64_t nearest = UINT64_MAX, divisor = 0;
  for (ArrayRef<int64_t> vector : nest.vectors) {
    nearest = std::min(nearest, uint64_t(vector[0]));
    divisor = std::gcd(divisor, uint64_t(vector[0]));
  }
  bool isGivenSize = isGiven(0);
  uint64_t size = isGivenSize ? nest.sizes[0] : 1;
  bool hasChains = divisor > 1 && (isGivenSize ? size <= divisor : nest.isHeavy || divisor >= kLeastChains);
  bool hasWaves = nearest > 1 && (isGivenSize ? size <= nearest : nest.isHeavy || nearest >= kLeastWave);
  if (nest.vectors.empty())
    return tiling;
  DoacrossDimension inner = at(0);
  at(0) = DoacrossDimension();
  if (!hasChains && !hasWaves)
    return tiling;
  if (!hasChains)
    at(0) = {/*size=*/1, /*least=*/0, /*weight=*/1, {}};
  at(0).isGiven = isGivenSize; // the waves keep tiles of a given size in order
  tiling.split = hasChains ? divisor : nearest;
  tiling.dimensions.push_back(inner);
  return tiling;
}

DoacrossTiling Chooser::choose() {
  setDefaultSizes();
  if (nest.rank == 1)
    return chooseOneLoop();
  if (chooseIndependentLines())
    return tiling;
  bool isSmall = chooseSkews();
  if (chooseRows())
    return tiling;
  if (isSmall && farthestSkew())
    for (unsigned d = nest.rank; d-- > 0;) {
      at(d).least = 0;
      for (unsigned e = 0; e < at(d).skew.size(); ++e) // a tile moves by its own length at most
        if (at(d).skew[e] && !isGiven(e))
          at(e).size = std::clamp<uint64_t>(at(d).size / at(d).skew[e], 1, at(e).size);
    }
  if (isSmall && chooseWeights())
    return tiling;
  for (DoacrossDimension &dimension : tiling.dimensions)
    dimension = DoacrossDimension();
  return tiling;
}

DoacrossTiling chooseTiling(const DoacrossNest &nest) { return Chooser(nest).choose(); }

bool DoacrossTiling::isAdaptable() const {
  return any_of(dimensions, [](const DoacrossDimension &each) { return each.least != 0; });
}

// With skews above the limit, positions might exceed 64 bits if the outer loops were whole.
bool DoacrossTiling::hasPlan() const {
  constexpr uint64_t kMostSkew = 4096;
  return dimensions.size() <= 4 &&
         any_of(dimensions, [](const DoacrossDimension &each) { return each.mayBeWhole(); }) &&
         all_of(dimensions, [](const DoacrossDimension &each) {
           return all_of(each.skew, [](uint64_t factor) { return factor <= kMostSkew; });
         });
}

bool DoacrossTiling::isSerial() const {
  return all_of(dimensions, [](const DoacrossDimension &dimension) { return dimension.size == 0; });
}

static void describeSkews(const DoacrossTiling &tiling, raw_ostream &out) {
  for (auto [d, dimension] : enumerate(tiling.dimensions))
    for (auto [e, factor] : enumerate(dimension.skew))
      if (factor)
        out << "; loop " << d + 1 << " is skewed by " << factor << " for each iteration of loop " << e + 1;
}

static void describeSizes(const DoacrossTiling &tiling, raw_ostream &out) {
  bool hasWhole = any_of(tiling.dimensions, [](const DoacrossDimension &each) { return each.size == 0; });
  if (tiling.isAdaptable())
    out << "in tiles of some microseconds, or of " << (hasWhole ? "" : "at most ");
  else
    out << "in tiles of ";
  interleave(
      tiling.dimensions, out,
      [&](const DoacrossDimension &each) {
        if (each.size)
          out << (hasWhole && each.least ? "at most " : "") << each.size;
        else
          out << "all";
      },
      " x ");
  out << " iterations" << (tiling.isAdaptable() ? " whose time is unknown" : "");
}

std::string DoacrossTiling::describe() const {
  std::string text;
  raw_string_ostream out(text);
  if (isSerial())
    return "one iteration after the other: the dependences leave no tiles that could run in parallel";
  bool hasWaves = any_of(dimensions, [](const DoacrossDimension &each) { return each.weight != 0; });
  const char *most = isAdaptable() ? "some microseconds or at most " : "at most ";
  if (split && !hasWaves)
    out << "as " << split << " independent chains, " << most << dimensions[1].size << " in a task";
  else if (split)
    out << "in waves of " << split << " iterations, " << most << dimensions[1].size << " in a task";
  else
    describeSizes(*this, out);
  describeSkews(*this, out);
  if (!split)
    out << (hasWaves ? "; tiles run in waves" : "; all tiles are independent");
  return text;
}

} // namespace cilk2gpu
