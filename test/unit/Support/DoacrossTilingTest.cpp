// Tests of the tiles and waves of doacross nests. Random nests are run here: each iteration must run once, after all
// iterations that it waits for, and these must be in the same tile or in an earlier wave.
#include "cilk2gpu/Support/DoacrossTiling.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace cilk2gpu;

namespace {

/// Arithmetic on numbers. Fails where a result wraps around, except for the coordinate that may be outside of the grid.
struct Numbers {
  using Value = uint64_t;
  Value number(uint64_t n) { return n; }
  Value add(Value a, Value b) { return a + b; }
  Value sub(Value a, Value b) { return a - b; }
  Value mul(Value a, Value b) { return a * b; }
  Value div(Value a, Value b) { return a / b; }
  Value rem(Value a, Value b) { return a % b; }
  Value ifLess(Value a, Value b, Value x, Value y) { return a < b ? x : y; }
  Value keep(const char *, Value a) { return a; }

  /// Sizes as the runtime may choose them: whole loops, or any size if it may follow the time of an iteration.
  Value chooseSize(const DoacrossSizeRequest<Value> &request) {
    requests.push_back(request);
    if (isWhole)
      return request.extent;
    return request.least && sizes ? 1 + (*sizes)() % request.extent : request.size;
  }

  bool isWhole = false;
  std::mt19937 *sizes = nullptr; ///< makes sizes; null: those that the compiler has chosen
  std::vector<DoacrossSizeRequest<Value>> requests;
};

using Iteration = std::vector<uint64_t>;

struct When {
  uint64_t wave, tile, step;
};

/// Runs the tiles of a nest and records when each iteration runs.
class Run {
public:
  Run(const DoacrossTiling &tiling, llvm::ArrayRef<uint64_t> counts, Numbers numbers)
      : tiling(tiling), ops(std::move(numbers)), waves(ops, tiling, counts) {
    for (wave = 0; wave < waves.waves(); ++wave) {
      uint64_t count = waves.enterWave(wave);
      tiles += count;
      for (tile = 0; tile < count; ++tile)
        runTile();
    }
  }

  std::map<Iteration, When> when;
  unsigned repeated = 0;
  uint64_t tiles = 0; ///< number of tiles in all waves

private:
  void runTile() {
    coordinates = waves.coordinates(tile);
    if (std::optional<unsigned> d = waves.uncertain(); d && coordinates[*d] >= waves.gridSize(*d))
      return;
    inner.clear();
    places.clear();
    runLoop(0);
  }

  void runLoop(unsigned d) {
    if (d == waves.rank()) {
      Iteration iteration = tiling.split ? Iteration{tiling.split * inner[0] + inner[1]} : inner;
      repeated += !when.insert({iteration, {wave, tile, step++}}).second;
      return;
    }
    uint64_t offset = waves.offset(d, places);
    auto [low, high] = waves.iterations(d, coordinates[d], offset, d ? inner[0] : 0);
    for (uint64_t k = low; k < high; ++k) {
      inner.push_back(k);
      places.push_back(k + offset - waves.begin(d, coordinates[d]));
      runLoop(d + 1);
      inner.pop_back();
      places.pop_back();
    }
  }

  const DoacrossTiling &tiling;
  Numbers ops;
  DoacrossWaves<Numbers> waves;
  uint64_t wave = 0, tile = 0, step = 0;
  llvm::SmallVector<uint64_t, 3> coordinates, places;
  Iteration inner;
};

std::string print(const DoacrossNest &nest, llvm::ArrayRef<uint64_t> counts) {
  std::string text = chooseTiling(nest).describe() + "; counts";
  for (uint64_t count : counts)
    text += " " + std::to_string(count);
  for (llvm::ArrayRef<int64_t> vector : nest.vectors) {
    text += "; vector";
    for (int64_t component : vector)
      text += " " + std::to_string(component);
  }
  return text;
}

void checkOne(const DoacrossNest &nest, llvm::ArrayRef<uint64_t> counts, Numbers numbers) {
  SCOPED_TRACE(print(nest, counts));
  DoacrossTiling tiling = chooseTiling(nest);
  if (!tiling.isSerial() && !tiling.split)
    for (unsigned d = 0; d < nest.sizes.size(); ++d)
      ASSERT_EQ(nest.sizes[d], tiling.dimensions[d].size);
  bool isOneTile = numbers.isWhole && nest.sizes.empty() && (tiling.isSerial() || tiling.hasPlan());
  Run run(tiling, counts, std::move(numbers));
  if (isOneTile)
    ASSERT_EQ(1u, run.tiles);
  uint64_t total = 1;
  for (uint64_t count : counts)
    total *= count;
  ASSERT_EQ(total, run.when.size());
  ASSERT_EQ(0u, run.repeated);
  for (const auto &[iteration, when] : run.when)
    for (llvm::ArrayRef<int64_t> vector : nest.vectors) {
      Iteration source = iteration;
      for (unsigned d = 0; d < nest.rank; ++d)
        source[d] -= uint64_t(vector[d]);
      auto it = run.when.find(source);
      if (it == run.when.end())
        continue; // outside of the nest
      bool isSameTile = it->second.wave == when.wave && it->second.tile == when.tile;
      ASSERT_TRUE(isSameTile ? it->second.step < when.step : it->second.wave < when.wave);
    }
}

void check(const DoacrossNest &nest, llvm::ArrayRef<uint64_t> counts) {
  std::mt19937 sizes(unsigned(counts.front()));
  Numbers numbers;
  checkOne(nest, counts, numbers);
  numbers.sizes = &sizes;
  checkOne(nest, counts, numbers);
  numbers.isWhole = true;
  checkOne(nest, counts, numbers);
}

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine); }

  DoacrossNest nest(unsigned rank, int64_t farthest) {
    DoacrossNest result;
    result.rank = rank;
    result.isHeavy = between(0, 1);
    for (int64_t count = between(0, 4); count > 0; --count)
      result.vectors.push_back(vector(rank, farthest));
    for (int64_t count = between(0, 2) ? 0 : between(1, rank); count > 0; --count)
      result.sizes.push_back(uint64_t(between(1, 9)));
    return result;
  }

private:
  llvm::SmallVector<int64_t, 3> vector(unsigned rank, int64_t farthest) {
    for (;;) {
      llvm::SmallVector<int64_t, 3> result;
      for (unsigned d = 0; d < rank; ++d)
        result.push_back(between(0, 2) ? between(-farthest, farthest) : 0);
      for (int64_t component : result)
        if (component > 0)
          return result;
        else if (component < 0)
          break;
    }
  }

  std::mt19937 engine;
};

DoacrossNest makeNest(std::initializer_list<llvm::SmallVector<int64_t, 3>> vectors,
                      std::initializer_list<uint64_t> sizes = {}, bool isHeavy = false) {
  DoacrossNest nest;
  nest.rank = vectors.begin()->size();
  nest.vectors.assign(vectors);
  nest.sizes.assign(sizes);
  nest.isHeavy = isHeavy;
  return nest;
}

TEST(DoacrossTiling, RandomNests) {
  constexpr int64_t kLongest[] = {0, 900, 60, 14, 6};
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    unsigned rank = unsigned(random.between(1, 4));
    DoacrossNest nest = random.nest(rank, random.between(1, rank == 1 ? 20 : 5));
    llvm::SmallVector<uint64_t, 3> counts;
    for (unsigned d = 0; d < rank; ++d)
      counts.push_back(uint64_t(random.between(1, kLongest[rank])));
    check(nest, counts);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
}

TEST(DoacrossTiling, LongNests) {
  check(makeNest({{1, 0}, {0, 1}}), {1000, 300});
  check(makeNest({{1, -1}, {0, 1}}), {500, 300});
  check(makeNest({{1, -1}, {1, 0}, {1, 1}}), {2000, 5});
  check(makeNest({{1, -100}, {0, 1}}), {50, 700});
  check(makeNest({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), {40, 50, 200});
  check(makeNest({{70}, {140}}), {5000});
  check(makeNest({{5000}, {5001}}), {20000});
}

TEST(DoacrossTiling, Descriptions) {
  auto describe = [](const DoacrossNest &nest) { return chooseTiling(nest).describe(); };
  EXPECT_EQ(
      "in tiles of some microseconds, or of at most 32 x 128 iterations whose time is unknown; tiles run in waves",
      describe(makeNest({{1, 0}, {0, 1}})));
  EXPECT_EQ("in tiles of 5 x 7 iterations; tiles run in waves", describe(makeNest({{1, 0}, {0, 1}}, {5, 7})));
  EXPECT_EQ("in tiles of 5 x 7 iterations; loop 2 is skewed by 1 for each iteration of loop 1; tiles run in waves",
            describe(makeNest({{1, -1}, {0, 1}}, {5, 7})));
  EXPECT_EQ("in tiles of some microseconds, or of all x at most 128 iterations whose time is unknown; all tiles are "
            "independent",
            describe(makeNest({{1, 0}})));
  EXPECT_EQ("in tiles of 8 x 16 iterations; tiles run in waves", describe(makeNest({{1, 0}}, {8, 16})));
  EXPECT_EQ("in tiles of 1 x 16 iterations; tiles run in waves", describe(makeNest({{1, -3}, {2, 7}}, {1, 16})));
  EXPECT_EQ("one iteration after the other: the dependences leave no tiles that could run in parallel",
            describe(makeNest({{1}})));
  EXPECT_EQ("as 4 independent chains, some microseconds or at most 8 in a task", describe(makeNest({{4}}, {}, true)));
  EXPECT_EQ("in waves of 4 iterations, some microseconds or at most 8 in a task",
            describe(makeNest({{4}, {5}}, {}, true)));
  EXPECT_EQ("in waves of 4 iterations, at most 2 in a task", describe(makeNest({{4}, {5}}, {2})));
}

// The weights of the waves grow with the skew, so far sinks have smaller tiles or are rows.
TEST(DoacrossTiling, FarSinks) {
  EXPECT_TRUE(chooseTiling(makeNest({{1, -(int64_t(1) << 40)}, {0, 1}})).isSerial());
  DoacrossTiling rows = chooseTiling(makeNest({{1, -1000}}));
  EXPECT_EQ(1u, rows.dimensions[0].size);
  EXPECT_EQ(0u, rows.dimensions[1].weight);
  DoacrossTiling skewed = chooseTiling(makeNest({{1, -1000}, {0, 1}}));
  EXPECT_EQ(1u, skewed.dimensions[0].size);
  EXPECT_EQ(9u, skewed.dimensions[0].weight);
}

// No number of the grid wraps around for extents near the end of 64 bits.
TEST(DoacrossTiling, LargeExtents) {
  Numbers ops;
  DoacrossTiling tiling = chooseTiling(makeNest({{1, 0}, {0, 1}}));
  DoacrossWaves<Numbers> waves(ops, tiling, llvm::ArrayRef<uint64_t>{UINT64_MAX, 1});
  EXPECT_EQ(UINT64_MAX / 32 + 1, waves.waves());
  EXPECT_EQ(1u, waves.enterWave(waves.waves() - 1));
  llvm::SmallVector<uint64_t, 3> last = waves.coordinates(0);
  EXPECT_EQ(UINT64_MAX / 32, last[0]);
  auto [low, high] = waves.iterations(0, last[0], 0, 0);
  EXPECT_EQ(UINT64_MAX - 31, low);
  EXPECT_EQ(UINT64_MAX, high);
}

} // namespace
