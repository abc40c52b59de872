/* <cilk/reducer_opadd.h> of Cilk Plus: reducers for sums. In C++, `cilk::reducer<cilk::op_add<T>> sum;` and
   `*sum += x;`. `cilk::reducer_opadd<T>` is the older form, where the `*` is left out. In C,
   `CILK_C_REDUCER_OPADD(sum, int, 0);` declares a reducer, and REDUCER_VIEW(sum) is its view. */
#ifndef CILK2GPU_CILK_REDUCER_OPADD_H
#define CILK2GPU_CILK_REDUCER_OPADD_H

#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

template <typename T> class op_add_view : public scalar_view<T> {
  typedef view_expression<op_add_view> expression;

public:
  CILK2GPU_INLINE op_add_view() : scalar_view<T>(T(0)) {}
  op_add_view(const T &value) : scalar_view<T>(value) {}

  CILK2GPU_INLINE op_add_view &operator+=(const T &x) {
    this->m_value += x;
    return *this;
  }
  CILK2GPU_INLINE op_add_view &operator-=(const T &x) {
    this->m_value -= x;
    return *this;
  }
  CILK2GPU_INLINE op_add_view &operator++() { return *this += T(1); }
  CILK2GPU_INLINE op_add_view &operator--() { return *this -= T(1); }
  void operator++(int) { *this += T(1); }
  void operator--(int) { *this -= T(1); }
  friend expression operator-(const op_add_view &view, const T &x) { return expression(&view, view.m_value - x); }
  friend expression operator+(const op_add_view &view, const T &x) {
    return expression(&view, static_cast<T>(view.m_value + x));
  }
  friend expression operator+(const expression &left, const T &x) {
    return expression(left.from, static_cast<T>(left.value + x));
  }
  /* `*r = *r + x` */
  op_add_view &operator=(const expression &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression begins with another reducer */
    this->m_value = result.value;
    return *this;
  }
  CILK2GPU_INLINE void reduce(op_add_view *right) { this->m_value += right->m_value; }
};

template <typename T, bool = false> struct op_add : public monoid_with_view<op_add_view<T>> {};

/* The older form. */
template <typename T> class reducer_opadd : public reducer<op_add<T>> {
public:
  reducer_opadd() {}
  explicit reducer_opadd(const T &initial) : reducer<op_add<T>>(initial) {}
  CILK2GPU_INLINE reducer_opadd &operator+=(const T &x) {
    this->view() += x;
    return *this;
  }
  CILK2GPU_INLINE reducer_opadd &operator-=(const T &x) {
    this->view() -= x;
    return *this;
  }
  CILK2GPU_INLINE reducer_opadd &operator++() { return *this += T(1); }
  CILK2GPU_INLINE reducer_opadd &operator--() { return *this -= T(1); }
  void operator++(int) { this->view() += T(1); }
  void operator--(int) { this->view() -= T(1); }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_OPADD(name, T)                                                                                        \
  __attribute__((__unused__)) static void __cilk_opadd_identity_##name(void *view) { *(T *)view = (T)0; }              \
  __attribute__((__unused__)) static void __cilk_opadd_reduce_##name(void *left, void *right) {                        \
    *(T *)left += *(T *)right;                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_opadd_identity_##name, __cilk_opadd_reduce_##name) __cilk_opadd_##name;
CILK2GPU_OPADD(char, char)
CILK2GPU_OPADD(schar, signed char)
CILK2GPU_OPADD(uchar, unsigned char)
CILK2GPU_OPADD(wchar_t, wchar_t)
CILK2GPU_OPADD(short, short)
CILK2GPU_OPADD(ushort, unsigned short)
CILK2GPU_OPADD(int, int)
CILK2GPU_OPADD(uint, unsigned int)
CILK2GPU_OPADD(long, long)
CILK2GPU_OPADD(ulong, unsigned long)
CILK2GPU_OPADD(longlong, long long)
CILK2GPU_OPADD(ulonglong, unsigned long long)
CILK2GPU_OPADD(unsigned, unsigned)
CILK2GPU_OPADD(float, float)
CILK2GPU_OPADD(double, double)
CILK2GPU_OPADD(longdouble, long double)
#undef CILK2GPU_OPADD

#define CILK_C_REDUCER_OPADD_TYPE(name) __cilk_opadd_##name
#define CILK_C_REDUCER_OPADD(reducer, name, initial) __cilk_opadd_##name reducer = {{0}, initial}

#endif
