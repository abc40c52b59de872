/* <cilk/reducer_min_max.h> of Cilk Plus: reducers for the least and the greatest value, also with the index of the
   first value that is so. In C++, `cilk::reducer<cilk::op_max<T>> most;` and `most->calc_max(x);`, or `*most =
   cilk::max_of(*most, x);`. `cilk::reducer_max<T>` and `cilk::reducer_max_index<Index, T>` are the older forms. In C,
   `CILK_C_REDUCER_MAX(most, int, INT_MIN);` and `CILK_C_REDUCER_MAX_CALC(most, x);`. With an index,
   `CILK_C_REDUCER_MAX_INDEX(most, int, INT_MIN);` and `CILK_C_REDUCER_MAX_INDEX_CALC(most, i, x);`. */
#ifndef CILK2GPU_CILK_REDUCER_MIN_MAX_H
#define CILK2GPU_CILK_REDUCER_MIN_MAX_H

#include <cilk/reducer.h>
#include <limits.h>

#ifdef __cplusplus

#include <functional>
#include <limits>

namespace cilk {
namespace internal {

/* Orders values, and has the identity, if there is one: no value comes after it. */
template <typename T, typename Compare, bool Max> struct order {
  static const bool bounded = false;
  static bool before(const T &x, const T &y) { return Max ? Compare()(y, x) : Compare()(x, y); }
  static T last() { return T(); }
};
template <typename T, bool Max> struct order<T, std::less<T>, Max> {
  typedef std::numeric_limits<T> limits;
  static const bool bounded = limits::is_specialized;
  CILK2GPU_INLINE static bool before(const T &x, const T &y) { return Max ? y < x : x < y; }
  static T last() {
    if (Max)
      return limits::has_infinity ? -limits::infinity() : limits::lowest();
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
};

/* A view that has seen values, or none. */
template <typename T, typename Order, bool = Order::bounded> class extreme_view : public scalar_view<T> {
  bool m_is_set;

public:
  extreme_view() : m_is_set(false) {}
  extreme_view(const T &value) : scalar_view<T>(value), m_is_set(true) {}
  bool is_set() const { return m_is_set; }
  void view_set_value(const T &value) {
    this->m_value = value;
    m_is_set = true;
  }
  void view_move_in(T &value) { view_set_value(value); }
  void calc(const T &x) {
    if (!m_is_set || Order::before(x, this->m_value))
      view_set_value(x);
  }
  void reduce(extreme_view *right) {
    if (right->m_is_set)
      calc(right->m_value);
  }
};
template <typename T, typename Order> class extreme_view<T, Order, true> : public scalar_view<T> {
public:
  extreme_view() : scalar_view<T>(Order::last()) {}
  extreme_view(const T &value) : scalar_view<T>(value) {}
  bool is_set() const { return true; }
  CILK2GPU_INLINE void calc(const T &x) { this->m_value = Order::before(x, this->m_value) ? x : this->m_value; }
  CILK2GPU_INLINE void reduce(extreme_view *right) { calc(right->m_value); }
};

/* A view with the index of its value. Of equal values, the one that the serial elision meets first stays. */
template <typename Index, typename T, typename Order> class indexed_view {
  std::pair<Index, T> m_value;
  bool m_is_set;

public:
  typedef std::pair<Index, T> value_type;
  indexed_view() : m_value(), m_is_set(false) {}
  indexed_view(const Index &index, const T &value) : m_value(index, value), m_is_set(true) {}
  indexed_view(const value_type &value) : m_value(value), m_is_set(true) {}
  bool is_set() const { return m_is_set; }
  const Index &get_index() const { return m_value.first; }
  const Index &get_index_reference() const { return m_value.first; }
  const T &get_reference() const { return m_value.second; }
  void view_set_value(const value_type &value) {
    m_value = value;
    m_is_set = true;
  }
  void view_move_in(value_type &value) { view_set_value(value); }
  void view_move_out(value_type &value) { value = m_value; }
  const value_type &view_get_value() const { return m_value; }
  void calc(const Index &index, const T &x) {
    if (!m_is_set || Order::before(x, m_value.second))
      view_set_value(value_type(index, x));
  }
  void reduce(indexed_view *right) {
    if (right->m_is_set)
      calc(right->m_value.first, right->m_value.second);
  }
};
} // namespace internal

template <typename T, typename Compare = std::less<T>>
class op_min_view : public internal::extreme_view<T, internal::order<T, Compare, false>> {
  typedef internal::extreme_view<T, internal::order<T, Compare, false>> base;

public:
  op_min_view() {}
  op_min_view(const T &value) : base(value) {}
  CILK2GPU_INLINE void calc_min(const T &x) { this->calc(x); }

  /* `*r = cilk::min_of(*r, x)` */
  view_expression<op_min_view> with(const T &x) const {
    op_min_view copy(*this);
    copy.calc(x);
    return view_expression<op_min_view>(this, copy.m_value);
  }
  op_min_view &operator=(const view_expression<op_min_view> &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression names another reducer */
    this->view_set_value(result.value);
    return *this;
  }
};

template <typename T, typename Compare>
view_expression<op_min_view<T, Compare>> min_of(const op_min_view<T, Compare> &view,
                                                const typename op_min_view<T, Compare>::value_type &x) {
  return view.with(x);
}
template <typename T, typename Compare>
view_expression<op_min_view<T, Compare>> min_of(const typename op_min_view<T, Compare>::value_type &x,
                                                const op_min_view<T, Compare> &view) {
  return view.with(x);
}

template <typename T, typename Compare = std::less<T>, bool = false>
struct op_min : public monoid_with_view<op_min_view<T, Compare>> {};

template <typename Index, typename T, typename Compare = std::less<T>>
class op_min_index_view : public internal::indexed_view<Index, T, internal::order<T, Compare, false>> {
  typedef internal::indexed_view<Index, T, internal::order<T, Compare, false>> base;

public:
  op_min_index_view() {}
  op_min_index_view(const Index &index, const T &value) : base(index, value) {}
  op_min_index_view(const std::pair<Index, T> &value) : base(value) {}
  void calc_min(const Index &index, const T &x) { this->calc(index, x); }
};

template <typename Index, typename T, typename Compare = std::less<T>, bool = false>
struct op_min_index : public monoid_with_view<op_min_index_view<Index, T, Compare>> {};

/* The older forms. */
template <typename T, typename Compare = std::less<T>> class reducer_min : public reducer<op_min<T, Compare>> {
public:
  reducer_min() {}
  explicit reducer_min(const T &initial) : reducer<op_min<T, Compare>>(initial) {}
  CILK2GPU_INLINE void calc_min(const T &x) { this->view().calc_min(x); }
  bool is_set() const { return this->view().is_set(); }
  reducer_min &operator=(const view_expression<op_min_view<T, Compare>> &result) {
    this->view() = result;
    return *this;
  }
};
/* `r = cilk::min_of(r, x)` */
template <typename T, typename Compare>
view_expression<op_min_view<T, Compare>> min_of(reducer_min<T, Compare> &r,
                                                const typename op_min_view<T, Compare>::value_type &x) {
  return r.view().with(x);
}
template <typename T, typename Compare>
view_expression<op_min_view<T, Compare>> min_of(const typename op_min_view<T, Compare>::value_type &x,
                                                reducer_min<T, Compare> &r) {
  return r.view().with(x);
}

template <typename Index, typename T, typename Compare = std::less<T>>
class reducer_min_index : public reducer<op_min_index<Index, T, Compare>> {
public:
  reducer_min_index() {}
  reducer_min_index(const Index &index, const T &initial) : reducer<op_min_index<Index, T, Compare>>(index, initial) {}
  void calc_min(const Index &index, const T &x) { this->view().calc_min(index, x); }
  bool is_set() const { return this->view().is_set(); }
  const Index &get_index() const { return this->view().get_index(); }
  const T &get_value() const { return this->view().get_reference(); }
  const T &get_reference() const { return this->view().get_reference(); }
};

template <typename T, typename Compare = std::less<T>>
class op_max_view : public internal::extreme_view<T, internal::order<T, Compare, true>> {
  typedef internal::extreme_view<T, internal::order<T, Compare, true>> base;

public:
  op_max_view() {}
  op_max_view(const T &value) : base(value) {}
  CILK2GPU_INLINE void calc_max(const T &x) { this->calc(x); }

  /* `*r = cilk::max_of(*r, x)` */
  view_expression<op_max_view> with(const T &x) const {
    op_max_view copy(*this);
    copy.calc(x);
    return view_expression<op_max_view>(this, copy.m_value);
  }
  op_max_view &operator=(const view_expression<op_max_view> &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression names another reducer */
    this->view_set_value(result.value);
    return *this;
  }
};

template <typename T, typename Compare>
view_expression<op_max_view<T, Compare>> max_of(const op_max_view<T, Compare> &view,
                                                const typename op_max_view<T, Compare>::value_type &x) {
  return view.with(x);
}
template <typename T, typename Compare>
view_expression<op_max_view<T, Compare>> max_of(const typename op_max_view<T, Compare>::value_type &x,
                                                const op_max_view<T, Compare> &view) {
  return view.with(x);
}

template <typename T, typename Compare = std::less<T>, bool = false>
struct op_max : public monoid_with_view<op_max_view<T, Compare>> {};

template <typename Index, typename T, typename Compare = std::less<T>>
class op_max_index_view : public internal::indexed_view<Index, T, internal::order<T, Compare, true>> {
  typedef internal::indexed_view<Index, T, internal::order<T, Compare, true>> base;

public:
  op_max_index_view() {}
  op_max_index_view(const Index &index, const T &value) : base(index, value) {}
  op_max_index_view(const std::pair<Index, T> &value) : base(value) {}
  void calc_max(const Index &index, const T &x) { this->calc(index, x); }
};

template <typename Index, typename T, typename Compare = std::less<T>, bool = false>
struct op_max_index : public monoid_with_view<op_max_index_view<Index, T, Compare>> {};

/* The older forms. */
template <typename T, typename Compare = std::less<T>> class reducer_max : public reducer<op_max<T, Compare>> {
public:
  reducer_max() {}
  explicit reducer_max(const T &initial) : reducer<op_max<T, Compare>>(initial) {}
  CILK2GPU_INLINE void calc_max(const T &x) { this->view().calc_max(x); }
  bool is_set() const { return this->view().is_set(); }
  reducer_max &operator=(const view_expression<op_max_view<T, Compare>> &result) {
    this->view() = result;
    return *this;
  }
};
/* `r = cilk::max_of(r, x)` */
template <typename T, typename Compare>
view_expression<op_max_view<T, Compare>> max_of(reducer_max<T, Compare> &r,
                                                const typename op_max_view<T, Compare>::value_type &x) {
  return r.view().with(x);
}
template <typename T, typename Compare>
view_expression<op_max_view<T, Compare>> max_of(const typename op_max_view<T, Compare>::value_type &x,
                                                reducer_max<T, Compare> &r) {
  return r.view().with(x);
}

template <typename Index, typename T, typename Compare = std::less<T>>
class reducer_max_index : public reducer<op_max_index<Index, T, Compare>> {
public:
  reducer_max_index() {}
  reducer_max_index(const Index &index, const T &initial) : reducer<op_max_index<Index, T, Compare>>(index, initial) {}
  void calc_max(const Index &index, const T &x) { this->view().calc_max(index, x); }
  bool is_set() const { return this->view().is_set(); }
  const Index &get_index() const { return this->view().get_index(); }
  const T &get_value() const { return this->view().get_reference(); }
  const T &get_reference() const { return this->view().get_reference(); }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_EXTREME(name, T, kind, operation, last)                                                               \
  __attribute__((__unused__)) static void __cilk_##kind##_identity_##name(void *view) { *(T *)view = last; }           \
  __attribute__((__unused__)) static void __cilk_##kind##_reduce_##name(void *left, void *right) {                     \
    T x = *(T *)left, y = *(T *)right;                                                                                 \
    *(T *)left = y operation x ? y : x;                                                                                \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_##kind##_identity_##name, __cilk_##kind##_reduce_##name)                  \
      __cilk_##kind##_##name;                                                                                          \
  typedef struct {                                                                                                     \
    ptrdiff_t index;                                                                                                   \
    T value;                                                                                                           \
  } __cilk_##kind##_index_view_##name;                                                                                 \
  __attribute__((__unused__)) static void __cilk_##kind##_index_identity_##name(void *view) {                          \
    __cilk_##kind##_index_view_##name *made = (__cilk_##kind##_index_view_##name *)view;                               \
    made->index = 0;                                                                                                   \
    made->value = last;                                                                                                \
  }                                                                                                                    \
  __attribute__((__unused__)) static void __cilk_##kind##_index_reduce_##name(void *left, void *right) {               \
    __cilk_##kind##_index_view_##name *x = (__cilk_##kind##_index_view_##name *)left;                                  \
    __cilk_##kind##_index_view_##name *y = (__cilk_##kind##_index_view_##name *)right;                                 \
    if (y->value operation x->value)                                                                                   \
      *x = *y;                                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(__cilk_##kind##_index_view_##name, __cilk_##kind##_index_identity_##name,           \
                                   __cilk_##kind##_index_reduce_##name) __cilk_##kind##_index_##name;
#define CILK2GPU_MIN_MAX(name, T, least, greatest)                                                                     \
  CILK2GPU_EXTREME(name, T, min, <, greatest) CILK2GPU_EXTREME(name, T, max, >, least)
CILK2GPU_MIN_MAX(char, char, CHAR_MIN, CHAR_MAX)
CILK2GPU_MIN_MAX(schar, signed char, SCHAR_MIN, SCHAR_MAX)
CILK2GPU_MIN_MAX(uchar, unsigned char, 0, UCHAR_MAX)
CILK2GPU_MIN_MAX(wchar_t, wchar_t, (wchar_t) ~(wchar_t)__WCHAR_MAX__, __WCHAR_MAX__)
CILK2GPU_MIN_MAX(short, short, SHRT_MIN, SHRT_MAX)
CILK2GPU_MIN_MAX(ushort, unsigned short, 0, USHRT_MAX)
CILK2GPU_MIN_MAX(int, int, INT_MIN, INT_MAX)
CILK2GPU_MIN_MAX(uint, unsigned int, 0, UINT_MAX)
CILK2GPU_MIN_MAX(long, long, LONG_MIN, LONG_MAX)
CILK2GPU_MIN_MAX(ulong, unsigned long, 0, ULONG_MAX)
CILK2GPU_MIN_MAX(longlong, long long, LLONG_MIN, LLONG_MAX)
CILK2GPU_MIN_MAX(ulonglong, unsigned long long, 0, ULLONG_MAX)
CILK2GPU_MIN_MAX(unsigned, unsigned, 0, UINT_MAX)
CILK2GPU_MIN_MAX(float, float, -__builtin_inff(), __builtin_inff())
CILK2GPU_MIN_MAX(double, double, -__builtin_inf(), __builtin_inf())
CILK2GPU_MIN_MAX(longdouble, long double, -__builtin_infl(), __builtin_infl())
#undef CILK2GPU_MIN_MAX
#undef CILK2GPU_EXTREME

#define CILK_C_REDUCER_MIN_TYPE(name) __cilk_min_##name
#define CILK_C_REDUCER_MIN(reducer, name, initial) __cilk_min_##name reducer = {{0}, initial}
#define CILK_C_REDUCER_MIN_CALC(reducer, x)                                                                            \
  do {                                                                                                                 \
    __typeof__((reducer).value) __cilk_x = (x);                                                                        \
    __typeof__(__cilk_x) *__cilk_view = &REDUCER_VIEW(reducer);                                                        \
    *__cilk_view = __cilk_x < *__cilk_view ? __cilk_x : *__cilk_view;                                                  \
  } while (0)

#define CILK_C_REDUCER_MAX_TYPE(name) __cilk_max_##name
#define CILK_C_REDUCER_MAX(reducer, name, initial) __cilk_max_##name reducer = {{0}, initial}
#define CILK_C_REDUCER_MAX_CALC(reducer, x)                                                                            \
  do {                                                                                                                 \
    __typeof__((reducer).value) __cilk_x = (x);                                                                        \
    __typeof__(__cilk_x) *__cilk_view = &REDUCER_VIEW(reducer);                                                        \
    *__cilk_view = __cilk_x > *__cilk_view ? __cilk_x : *__cilk_view;                                                  \
  } while (0)

#define CILK2GPU_EXTREME_INDEX_CALC(reducer, i, x, operation)                                                          \
  do {                                                                                                                 \
    __typeof__(x) __cilk_x = (x);                                                                                      \
    __typeof__((reducer).value) *__cilk_view = &REDUCER_VIEW(reducer);                                                 \
    if (__cilk_x operation __cilk_view->value) {                                                                       \
      __cilk_view->index = (i);                                                                                        \
      __cilk_view->value = __cilk_x;                                                                                   \
    }                                                                                                                  \
  } while (0)

#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) __cilk_min_index_##name
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, initial) __cilk_min_index_##name reducer = {{0}, {0, initial}}
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, x) CILK2GPU_EXTREME_INDEX_CALC(reducer, i, x, <)

#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) __cilk_max_index_##name
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, initial) __cilk_max_index_##name reducer = {{0}, {0, initial}}
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, x) CILK2GPU_EXTREME_INDEX_CALC(reducer, i, x, >)

#endif
