// Tests the forms of reducers in C++: OpenCilk's and Cilk Plus's headers, templates, members, lambdas and references.
#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <list>
#include <string>
#include <vector>

template <class T> struct list_monoid {
  static void identity(void *view) { new (view) std::list<T>; }
  static void reduce(void *left, void *right) {
    auto *to = static_cast<std::list<T> *>(left), *from = static_cast<std::list<T> *>(right);
    to->splice(to->end(), *from);
    using list = std::list<T>;
    from->~list();
  }
};
template <class T> using list_reducer = std::list<T> _Hyperobject(list_monoid<T>::identity, list_monoid<T>::reduce);

static cilk::opadd_reducer<long> total = 1;
static cilk::reducer_opadd<int> calls;

struct tree {
  list_reducer<int> leaves;
  cilk::opadd_reducer<int> inner = 0;
  cilk::holder<std::vector<int>> scratch;

  void visit(int low, int high, cilk::ostream_reducer<char> &out) {
    calls += 1;
    if (high - low == 1) {
      scratch.assign(3, low);
      leaves.push_back(scratch[0] + scratch[2]);
      out << low << ' ';
      return;
    }
    ++inner;
    int middle = low + (high - low) / 2;
    cilk_spawn visit(low, middle, out);
    out << '(' << middle << ')';
    visit(middle, high, out);
    out << '.';
    cilk_sync;
  }
};

template <class T> T sum_of(const std::vector<T> &values) {
  cilk::opadd_reducer<T> sum = 0;
  auto add = [&](const T &x) { sum += x; };
  cilk_for(std::size_t i = 0; i < values.size(); ++i) add(values[i]);
  return sum;
}

struct point {
  int x = 0, y = 0;
};
struct point_monoid : cilk::monoid_base<point> {
  void reduce(point *left, point *right) const {
    left->x = left->x * 3 + right->x - left->x * 2;
    left->y += right->y;
  }
};

static void classes(int n) {
  cilk::reducer<cilk::op_list_append<int>> list;
  cilk::reducer_list_prepend<int> reversed;
  cilk::reducer<cilk::op_vector<int>> vector;
  cilk::reducer_string text("start:");
  cilk::reducer<cilk::op_max<int>> most;
  cilk::reducer_min_index<int, double> least;
  cilk::reducer<cilk::op_ostream> out(std::cout);
  cilk::reducer<point_monoid> points;
  cilk::reducer<cilk::op_add<long>> sum(7);
  cilk_for(int i = 0; i < n; ++i) {
    list->push_back(i);
    reversed.push_front(i);
    vector->push_back(i * i);
    text += std::to_string(i) + ",";
    most->calc_max((i * 7) % n);
    least.calc_min(i, ((i + 5) * 3) % 11);
    *out << i << ';';
    points->x += i;
    points->y -= i;
    *sum += i;
    *sum = *sum + 1;
  }
  *out << std::endl;
  long order = 0;
  for (int x : list.get_value())
    order = order * 31 + x;
  for (int x : reversed.get_value())
    order = order * 31 + x;
  for (int x : vector.get_value())
    order = (order * 31 + x) % 1000003;
  std::printf("%ld %s %d %d %d %d %ld\n", order, text.get_value().c_str(), most.get_value(), least.get_index(),
              points->x, points->y, sum.get_value());
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 40;
  tree shape;
  {
    cilk::ostream_reducer<char> out(std::cout);
    shape.visit(0, n, out);
    out << std::endl;
  }
  cilk::opadd_reducer<long> *made = new cilk::opadd_reducer<long>(4);
  cilk_for(int i = 0; i < n; ++i) {
    *made += i;
    total += 2 * i;
  }
  long order = 0;
  for (int x : shape.leaves)
    order = (order * 31 + x) % 1000003;
  std::vector<int> values(n, 3);
  std::vector<double> halves(n, 0.5);
  classes(n);
  std::fflush(stdout);
  std::printf("%ld %d %d %ld %ld %d %g\n", order, int(shape.inner), calls.get_value(), long(*made), long(total),
              sum_of(values), sum_of(halves));
  delete made;
  return 0;
}
