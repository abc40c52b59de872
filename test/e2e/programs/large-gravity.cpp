// Barnes and Hut's simulation of bodies in the plane, in C++17: classes and std::vector hold the data, the tasks are
// free functions and templates over them. The tree's nodes own their children; tasks build and free them.
//   large-gravity [bodies]   by default 300
#include <algorithm>
#include <array>
#include <cilk/cilk.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace {

struct Vector {
  double x = 0, y = 0;
  friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
  friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
  friend Vector operator*(Vector a, double s) { return {a.x * s, a.y * s}; }
  double norm2() const { return x * x + y * y; }
};

struct Body {
  Vector position, velocity;
  double mass;
};

struct Square {
  Vector low;
  double side;
  Square quarter(int which) const {
    return {{low.x + (which & 1 ? side / 2 : 0), low.y + (which & 2 ? side / 2 : 0)}, side / 2};
  }
  int which(Vector at) const { return (at.x >= low.x + side / 2 ? 1 : 0) | (at.y >= low.y + side / 2 ? 2 : 0); }
};

class Node {
public:
  static constexpr std::size_t few = 4;

  explicit Node(Square where, std::vector<int> members) : square(where), bodies(std::move(members)) {}

  // Puts the bodies of a large node into four lists. Returns false if the node stays without children.
  bool distribute(const std::vector<Body> &all, std::array<std::vector<int>, 4> &lists) const {
    if (bodies.size() <= few || square.side < 1e-6)
      return false;
    for (int body : bodies)
      lists[static_cast<std::size_t>(square.which(all[static_cast<std::size_t>(body)].position))].push_back(body);
    return true;
  }

  void add_children(const std::array<std::vector<int>, 4> &lists) {
    for (int i = 0; i < 4; ++i)
      if (const auto &list = lists[static_cast<std::size_t>(i)]; !list.empty())
        children[static_cast<std::size_t>(i)] = std::make_unique<Node>(square.quarter(i), list);
    bodies.clear();
    inner = true;
  }

  // Mass and its centre, from the children's or the bodies'.
  void weigh(const std::vector<Body> &all) {
    auto add = [this](double more, Vector at) {
      mass += more;
      centre = centre + at * more;
    };
    for (int body : bodies)
      add(all[static_cast<std::size_t>(body)].mass, all[static_cast<std::size_t>(body)].position);
    for (const auto &child : children)
      if (child)
        add(child->mass, child->centre);
    if (mass > 0)
      centre = centre * (1 / mass);
  }

  Square square;
  std::vector<int> bodies; // of nodes without children
  std::array<std::unique_ptr<Node>, 4> children;
  double mass = 0;
  Vector centre;
  bool inner = false;
};

class Universe {
public:
  explicit Universe(int count) {
    std::uint64_t state = 88172645463325252u;
    auto random = [&state] {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      return static_cast<double>(state >> 11) / 9007199254740992.0;
    };
    for (int i = 0; i < count; ++i) {
      double radius = random() * random() * 50, angle = random() * 6.283185307179586;
      Vector at{radius * std::cos(angle), radius * std::sin(angle)};
      bodies.push_back({at, Vector{-at.y, at.x} * 0.02, 0.5 + random()});
    }
    accelerations.resize(bodies.size());
  }

  Square bounds() const {
    double most = 1;
    for (const auto &[position, velocity, mass] : bodies)
      most = std::max({most, std::fabs(position.x), std::fabs(position.y)});
    return {{-most, -most}, 2 * most};
  }

  // Acceleration of one body by the part of the tree below `node`; ordinary recursion, in one task.
  Vector pull(const Node &node, int body) const {
    const Vector at = bodies[static_cast<std::size_t>(body)].position;
    if (!node.inner) {
      Vector sum;
      for (int other : node.bodies)
        if (other != body)
          sum = sum + attraction(at, bodies[static_cast<std::size_t>(other)].position,
                                 bodies[static_cast<std::size_t>(other)].mass);
      return sum;
    }
    if (node.square.side * node.square.side < opening * opening * (node.centre - at).norm2())
      return attraction(at, node.centre, node.mass);
    Vector sum;
    for (const auto &child : node.children)
      if (child)
        sum = sum + pull(*child, body);
    return sum;
  }

  void move(int body, double time) {
    auto &b = bodies[static_cast<std::size_t>(body)];
    b.velocity = b.velocity + accelerations[static_cast<std::size_t>(body)] * time;
    b.position = b.position + b.velocity * time;
  }

  static Vector attraction(Vector at, Vector other, double mass) {
    Vector way = other - at;
    double squared = way.norm2() + 0.01;
    return way * (mass / (squared * std::sqrt(squared)));
  }

  static constexpr double opening = 0.6;
  std::vector<Body> bodies;
  std::vector<Vector> accelerations;
};

bool split(const std::vector<Body> &all, Node *node) {
  std::array<std::vector<int>, 4> lists;
  if (!node->distribute(all, lists))
    return false;
  node->add_children(lists);
  return true;
}

Node *child(Node *node, int i) { return node->children[static_cast<std::size_t>(i)].get(); }

void build(const std::vector<Body> &all, Node *node) {
  if (split(all, node))
    for (int i = 0; i < 4; ++i)
      if (child(node, i))
        cilk_spawn build(all, child(node, i));
  cilk_sync;
  node->weigh(all);
}

void release(std::unique_ptr<Node> &node) {
  if (node && node->inner) {
    for (auto &part : node->children)
      cilk_spawn release(part);
    cilk_sync;
  }
  node.reset();
}

// Calls action(universe, i) for i in [low, high), in tasks of at most `grain`.
template <typename Action> void for_each(Universe &universe, int low, int high, int grain, Action action) {
  if (high - low > grain) {
    const int middle = low + (high - low) / 2;
    cilk_spawn for_each<Action>(universe, low, middle, grain, action);
    for_each<Action>(universe, middle, high, grain, action);
    return;
  }
  for (int i = low; i < high; ++i)
    action(universe, i);
}

struct Accelerate {
  const Node *root;
  void operator()(Universe &universe, int i) const {
    universe.accelerations[static_cast<std::size_t>(i)] = universe.pull(*root, i);
  }
};

struct Move {
  double time;
  void operator()(Universe &universe, int i) const { universe.move(i, time); }
};

// A fold over all bodies. The recursion gives it its shape, and so its rounding.
template <typename T, typename Get> T reduce(const std::vector<Body> &bodies, int low, int high, Get get) {
  if (high - low == 1)
    return get(bodies[static_cast<std::size_t>(low)]);
  const int middle = low + (high - low) / 2;
  T left, right;
  left = cilk_spawn reduce<T, Get>(bodies, low, middle, get);
  right = cilk_spawn reduce<T, Get>(bodies, middle, high, get);
  cilk_sync;
  if constexpr (std::is_integral_v<T>)
    return left * T(31) + right;
  else
    return left + right;
}

struct Momentum {
  Vector operator()(const Body &body) const { return body.velocity * body.mass; }
};

struct Energy {
  double operator()(const Body &body) const { return body.velocity.norm2() * body.mass / 2; }
};

struct Bits {
  std::uint64_t operator()(const Body &body) const {
    std::uint64_t x, y;
    std::memcpy(&x, &body.position.x, sizeof x);
    std::memcpy(&y, &body.velocity.y, sizeof y);
    return (x ^ (y >> 7)) * 0x9e3779b97f4a7c15u;
  }
};

int depth(const Node *node) {
  int depths[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i)
    if (const Node *part = node->children[static_cast<std::size_t>(i)].get())
      depths[i] = cilk_spawn depth(part);
  cilk_sync;
  return 1 + *std::max_element(depths, depths + 4);
}

std::optional<int> parse(int argc, char **argv) {
  if (argc < 2)
    return 300;
  int count = std::atoi(argv[1]);
  return count > 0 ? std::optional(count) : std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  const auto count = parse(argc, argv);
  if (!count)
    return 2;
  Universe universe(*count);
  for (int step = 0; step < 5; ++step) {
    auto root = std::make_unique<Node>(universe.bounds(), std::vector<int>{});
    for (int i = 0; i < *count; ++i)
      root->bodies.push_back(i);
    build(universe.bodies, root.get());
    for_each(universe, 0, *count, 3, Accelerate{root.get()});
    for_each(universe, 0, *count, 16, Move{0.05});
    const auto momentum = reduce<Vector>(universe.bodies, 0, *count, Momentum{});
    const auto energy = reduce<double>(universe.bodies, 0, *count, Energy{});
    std::printf("step %d: depth %d, mass %.9g, momentum %.9g %.9g, energy %.12g\n", step, depth(root.get()), root->mass,
                momentum.x, momentum.y, energy);
    release(root);
  }
  std::printf("gravity %016llx\n",
              static_cast<unsigned long long>(reduce<std::uint64_t>(universe.bodies, 0, *count, Bits{})));
  return 0;
}
