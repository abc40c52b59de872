/* <cilk/reducer_vector.h> of Cilk Plus: vectors in the order of the serial elision.
   `cilk::reducer<cilk::op_vector<T>> v;` and `v->push_back(x);`. `cilk::reducer_vector<T>` is the older form. */
#ifndef CILK2GPU_CILK_REDUCER_VECTOR_H
#define CILK2GPU_CILK_REDUCER_VECTOR_H

#include <cilk/reducer_list.h>

#ifdef __cplusplus

#include <iterator>
#include <vector>

namespace cilk {

namespace internal {
template <typename Vector> struct join_vectors {
  static void join(Vector &left, Vector &right) {
    left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
  }
};
} // namespace internal

template <typename T, typename Allocator = std::allocator<T>>
class op_vector_view
    : public internal::pieced_view<std::vector<T, Allocator>, internal::join_vectors<std::vector<T, Allocator>>> {
  typedef std::vector<T, Allocator> vector_type;

public:
  using internal::pieced_view<vector_type, internal::join_vectors<vector_type>>::pieced_view;
  op_vector_view() {}
  void push_back(const T &x) { this->m_value.push_back(x); }
  void insert_back(typename vector_type::size_type n, const T &x) { this->m_value.insert(this->m_value.end(), n, x); }
  template <typename Iterator> void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.end(), first, last);
  }
};

template <typename T, typename Allocator = std::allocator<T>>
struct op_vector : public monoid_with_view<op_vector_view<T, Allocator>> {};

/* The older form. */
template <typename T, typename Allocator = std::allocator<T>>
class reducer_vector : public reducer<op_vector<T, Allocator>> {
public:
  reducer_vector() {}
  explicit reducer_vector(const std::vector<T, Allocator> &initial) : reducer<op_vector<T, Allocator>>(initial) {}
  void push_back(const T &x) { this->view().push_back(x); }
};

} // namespace cilk

#endif
#endif
