/* <cilk/reducer_opor.h> of Cilk Plus: reducers for disjunctions of bits. In C++, `cilk::reducer<cilk::op_or<T>>
   bits;` and `*bits |= mask;`. `cilk::reducer_opor<T>` is the older form, where the `*` is left out. In C,
   `CILK_C_REDUCER_OPOR(bits, int, 0);` declares a reducer, and REDUCER_VIEW(bits) is its view. */
#ifndef CILK2GPU_CILK_REDUCER_OPOR_H
#define CILK2GPU_CILK_REDUCER_OPOR_H

#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

template <typename T> class op_or_view : public scalar_view<T> {
  typedef view_expression<op_or_view> expression;

public:
  CILK2GPU_INLINE op_or_view() : scalar_view<T>(T(0)) {}
  op_or_view(const T &value) : scalar_view<T>(value) {}

  CILK2GPU_INLINE op_or_view &operator|=(const T &x) {
    this->m_value |= x;
    return *this;
  }
  friend expression operator|(const op_or_view &view, const T &x) {
    return expression(&view, static_cast<T>(view.m_value | x));
  }
  friend expression operator|(const expression &left, const T &x) {
    return expression(left.from, static_cast<T>(left.value | x));
  }
  /* `*r = *r | x` */
  op_or_view &operator=(const expression &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression begins with another reducer */
    this->m_value = result.value;
    return *this;
  }
  CILK2GPU_INLINE void reduce(op_or_view *right) { this->m_value |= right->m_value; }
};

template <typename T, bool = false> struct op_or : public monoid_with_view<op_or_view<T>> {};

/* The older form. */
template <typename T> class reducer_opor : public reducer<op_or<T>> {
public:
  reducer_opor() {}
  explicit reducer_opor(const T &initial) : reducer<op_or<T>>(initial) {}
  CILK2GPU_INLINE reducer_opor &operator|=(const T &x) {
    this->view() |= x;
    return *this;
  }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_OPOR(name, T)                                                                                         \
  __attribute__((__unused__)) static void __cilk_opor_identity_##name(void *view) { *(T *)view = (T)0; }               \
  __attribute__((__unused__)) static void __cilk_opor_reduce_##name(void *left, void *right) {                         \
    *(T *)left |= *(T *)right;                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_opor_identity_##name, __cilk_opor_reduce_##name) __cilk_opor_##name;
CILK2GPU_OPOR(char, char)
CILK2GPU_OPOR(schar, signed char)
CILK2GPU_OPOR(uchar, unsigned char)
CILK2GPU_OPOR(wchar_t, wchar_t)
CILK2GPU_OPOR(short, short)
CILK2GPU_OPOR(ushort, unsigned short)
CILK2GPU_OPOR(int, int)
CILK2GPU_OPOR(uint, unsigned int)
CILK2GPU_OPOR(long, long)
CILK2GPU_OPOR(ulong, unsigned long)
CILK2GPU_OPOR(longlong, long long)
CILK2GPU_OPOR(ulonglong, unsigned long long)
CILK2GPU_OPOR(unsigned, unsigned)
#undef CILK2GPU_OPOR

#define CILK_C_REDUCER_OPOR_TYPE(name) __cilk_opor_##name
#define CILK_C_REDUCER_OPOR(reducer, name, initial) __cilk_opor_##name reducer = {{0}, initial}

#endif
