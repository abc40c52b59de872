/* <cilk/reducer_list.h> of Cilk Plus: lists in the order of the serial elision.
   `cilk::reducer<cilk::op_list_append<T>> list;` and `list->push_back(x);`. cilk::op_list_prepend adds in front.
   `cilk::reducer_list_append<T>` and `cilk::reducer_list_prepend<T>` are the older forms. */
#ifndef CILK2GPU_CILK_REDUCER_LIST_H
#define CILK2GPU_CILK_REDUCER_LIST_H

#include <cilk/reducer.h>

#ifdef __cplusplus

#include <list>

namespace cilk {
namespace internal {

/* A view with a container. */
template <typename Container> class container_view {
protected:
  Container m_value;

public:
  typedef Container value_type;
  container_view() {}
  container_view(const Container &value) : m_value(value) {}
  template <typename... Arguments> explicit container_view(const Arguments &...arguments) : m_value(arguments...) {}
  void view_move_in(Container &value) { m_value = std::move(value); }
  void view_move_out(Container &value) { value = std::move(m_value); }
  void view_set_value(const Container &value) { m_value = value; }
  const Container &view_get_value() const { return m_value; }
};

/* A view with a string or a vector. Views on the way to the leftmost one are merged without copies of their elements:
   the elements stay in pieces, which are joined when the value is read. `Join` has a function join(left, right). */
template <typename Container, typename Join> class pieced_view : public container_view<Container> {
  typedef container_view<Container> base;
  std::list<Container> pieces; /* what is in front of m_value */

  void join() {
    if (pieces.empty())
      return;
    typename Container::size_type size = this->m_value.size();
    for (const Container &piece : pieces)
      size += piece.size();
    Container all(std::move(pieces.front()));
    pieces.pop_front();
    all.reserve(size);
    for (Container &piece : pieces)
      Join::join(all, piece);
    Join::join(all, this->m_value);
    pieces.clear();
    this->m_value = std::move(all);
  }

public:
  using base::base;
  pieced_view() {}
  void view_move_in(Container &value) {
    pieces.clear();
    base::view_move_in(value);
  }
  void view_move_out(Container &value) {
    join();
    base::view_move_out(value);
  }
  void view_set_value(const Container &value) {
    pieces.clear();
    base::view_set_value(value);
  }
  const Container &view_get_value() const {
    const_cast<pieced_view *>(this)->join();
    return this->m_value;
  }
  /* Moves a container to the end. */
  void move_back(Container &x) {
    const typename Container::size_type few = 64; /* elements that are copied rather than kept as a piece */
    if (this->m_value.empty()) {
      this->m_value.swap(x);
    } else if (x.size() <= few) {
      Join::join(this->m_value, x);
    } else {
      pieces.push_back(std::move(this->m_value));
      this->m_value = std::move(x);
    }
    x.clear();
  }
  void reduce(pieced_view *right) {
    if (!right->pieces.empty()) {
      if (!this->m_value.empty())
        pieces.push_back(std::move(this->m_value));
      this->m_value.clear();
      pieces.splice(pieces.end(), right->pieces);
    }
    move_back(right->m_value);
  }
};
} // namespace internal

template <typename T, typename Allocator = std::allocator<T>>
class op_list_append_view : public internal::container_view<std::list<T, Allocator>> {
  typedef std::list<T, Allocator> list_type;

public:
  using internal::container_view<list_type>::container_view;
  op_list_append_view() {}
  void push_back(const T &x) { this->m_value.push_back(x); }
  template <typename... Arguments> void emplace_back(Arguments &&...arguments) {
    this->m_value.emplace_back(std::forward<Arguments>(arguments)...);
  }
  void insert_back(typename list_type::size_type n, const T &x) { this->m_value.insert(this->m_value.end(), n, x); }
  template <typename Iterator> void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.end(), first, last);
  }
  void splice_back(list_type &x) { this->m_value.splice(this->m_value.end(), x); }
  void reduce(op_list_append_view *right) { splice_back(right->m_value); }
};

template <typename T, typename Allocator = std::allocator<T>>
class op_list_prepend_view : public internal::container_view<std::list<T, Allocator>> {
  typedef std::list<T, Allocator> list_type;

public:
  using internal::container_view<list_type>::container_view;
  op_list_prepend_view() {}
  void push_front(const T &x) { this->m_value.push_front(x); }
  template <typename... Arguments> void emplace_front(Arguments &&...arguments) {
    this->m_value.emplace_front(std::forward<Arguments>(arguments)...);
  }
  void insert_front(typename list_type::size_type n, const T &x) { this->m_value.insert(this->m_value.begin(), n, x); }
  template <typename Iterator> void insert_front(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.begin(), first, last);
  }
  void splice_front(list_type &x) { this->m_value.splice(this->m_value.begin(), x); }
  void reduce(op_list_prepend_view *right) { splice_front(right->m_value); }
};

template <typename T, typename Allocator = std::allocator<T>, bool = false>
struct op_list_append : public monoid_with_view<op_list_append_view<T, Allocator>> {};
template <typename T, typename Allocator = std::allocator<T>, bool = false>
struct op_list_prepend : public monoid_with_view<op_list_prepend_view<T, Allocator>> {};

/* The older forms. */
template <typename T, typename Allocator = std::allocator<T>>
class reducer_list_append : public reducer<op_list_append<T, Allocator>> {
  typedef reducer<op_list_append<T, Allocator>> base;

public:
  reducer_list_append() {}
  explicit reducer_list_append(const std::list<T, Allocator> &initial) : base(initial) {}
  void push_back(const T &x) { this->view().push_back(x); }
  void append(const T &x) { this->view().push_back(x); }
  const std::list<T, Allocator> &get_reference() const { return this->get_value(); }
  reducer_list_append &operator*() { return *this; }
  reducer_list_append *operator->() { return this; }
};
template <typename T, typename Allocator = std::allocator<T>>
class reducer_list_prepend : public reducer<op_list_prepend<T, Allocator>> {
  typedef reducer<op_list_prepend<T, Allocator>> base;

public:
  reducer_list_prepend() {}
  explicit reducer_list_prepend(const std::list<T, Allocator> &initial) : base(initial) {}
  void push_front(const T &x) { this->view().push_front(x); }
  void prepend(const T &x) { this->view().push_front(x); }
  const std::list<T, Allocator> &get_reference() const { return this->get_value(); }
  reducer_list_prepend &operator*() { return *this; }
  reducer_list_prepend *operator->() { return this; }
};

} // namespace cilk

#endif
#endif
