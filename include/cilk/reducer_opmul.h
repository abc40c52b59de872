/* <cilk/reducer_opmul.h> of Cilk Plus: reducers for products. In C++, `cilk::reducer<cilk::op_mul<T>> product;` and
   `*product *= x;`. `cilk::reducer_opmul<T>` is the older form, where the `*` is left out. In C,
   `CILK_C_REDUCER_OPMUL(product, int, 1);` declares a reducer, and REDUCER_VIEW(product) is its view. */
#ifndef CILK2GPU_CILK_REDUCER_OPMUL_H
#define CILK2GPU_CILK_REDUCER_OPMUL_H

#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

template <typename T> class op_mul_view : public scalar_view<T> {
  typedef view_expression<op_mul_view> expression;

public:
  CILK2GPU_INLINE op_mul_view() : scalar_view<T>(T(1)) {}
  op_mul_view(const T &value) : scalar_view<T>(value) {}

  CILK2GPU_INLINE op_mul_view &operator*=(const T &x) {
    this->m_value *= x;
    return *this;
  }
  friend expression operator*(const op_mul_view &view, const T &x) {
    return expression(&view, static_cast<T>(view.m_value * x));
  }
  friend expression operator*(const expression &left, const T &x) {
    return expression(left.from, static_cast<T>(left.value * x));
  }
  /* `*r = *r * x` */
  op_mul_view &operator=(const expression &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression begins with another reducer */
    this->m_value = result.value;
    return *this;
  }
  CILK2GPU_INLINE void reduce(op_mul_view *right) { this->m_value *= right->m_value; }
};

template <typename T, bool = false> struct op_mul : public monoid_with_view<op_mul_view<T>> {};

/* The older form. */
template <typename T> class reducer_opmul : public reducer<op_mul<T>> {
public:
  reducer_opmul() {}
  explicit reducer_opmul(const T &initial) : reducer<op_mul<T>>(initial) {}
  CILK2GPU_INLINE reducer_opmul &operator*=(const T &x) {
    this->view() *= x;
    return *this;
  }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_OPMUL(name, T)                                                                                        \
  __attribute__((__unused__)) static void __cilk_opmul_identity_##name(void *view) { *(T *)view = (T)1; }              \
  __attribute__((__unused__)) static void __cilk_opmul_reduce_##name(void *left, void *right) {                        \
    *(T *)left *= *(T *)right;                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_opmul_identity_##name, __cilk_opmul_reduce_##name) __cilk_opmul_##name;
CILK2GPU_OPMUL(char, char)
CILK2GPU_OPMUL(schar, signed char)
CILK2GPU_OPMUL(uchar, unsigned char)
CILK2GPU_OPMUL(wchar_t, wchar_t)
CILK2GPU_OPMUL(short, short)
CILK2GPU_OPMUL(ushort, unsigned short)
CILK2GPU_OPMUL(int, int)
CILK2GPU_OPMUL(uint, unsigned int)
CILK2GPU_OPMUL(long, long)
CILK2GPU_OPMUL(ulong, unsigned long)
CILK2GPU_OPMUL(longlong, long long)
CILK2GPU_OPMUL(ulonglong, unsigned long long)
CILK2GPU_OPMUL(unsigned, unsigned)
CILK2GPU_OPMUL(float, float)
CILK2GPU_OPMUL(double, double)
CILK2GPU_OPMUL(longdouble, long double)
#undef CILK2GPU_OPMUL

#define CILK_C_REDUCER_OPMUL_TYPE(name) __cilk_opmul_##name
#define CILK_C_REDUCER_OPMUL(reducer, name, initial) __cilk_opmul_##name reducer = {{0}, initial}

#endif
