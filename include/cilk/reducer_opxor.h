/* <cilk/reducer_opxor.h> of Cilk Plus: reducers for exclusive disjunctions of bits. In C++,
   `cilk::reducer<cilk::op_xor<T>> bits;` and `*bits ^= mask;`. `cilk::reducer_opxor<T>` is the older form, where the
   `*` is left out. In C, `CILK_C_REDUCER_OPXOR(bits, int, 0);` declares a reducer, and REDUCER_VIEW(bits) is its
   view. */
#ifndef CILK2GPU_CILK_REDUCER_OPXOR_H
#define CILK2GPU_CILK_REDUCER_OPXOR_H

#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

template <typename T> class op_xor_view : public scalar_view<T> {
  typedef view_expression<op_xor_view> expression;

public:
  CILK2GPU_INLINE op_xor_view() : scalar_view<T>(T(0)) {}
  op_xor_view(const T &value) : scalar_view<T>(value) {}

  CILK2GPU_INLINE op_xor_view &operator^=(const T &x) {
    this->m_value ^= x;
    return *this;
  }
  friend expression operator^(const op_xor_view &view, const T &x) {
    return expression(&view, static_cast<T>(view.m_value ^ x));
  }
  friend expression operator^(const expression &left, const T &x) {
    return expression(left.from, static_cast<T>(left.value ^ x));
  }
  /* `*r = *r ^ x` */
  op_xor_view &operator=(const expression &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression begins with another reducer */
    this->m_value = result.value;
    return *this;
  }
  CILK2GPU_INLINE void reduce(op_xor_view *right) { this->m_value ^= right->m_value; }
};

template <typename T, bool = false> struct op_xor : public monoid_with_view<op_xor_view<T>> {};

/* The older form. */
template <typename T> class reducer_opxor : public reducer<op_xor<T>> {
public:
  reducer_opxor() {}
  explicit reducer_opxor(const T &initial) : reducer<op_xor<T>>(initial) {}
  CILK2GPU_INLINE reducer_opxor &operator^=(const T &x) {
    this->view() ^= x;
    return *this;
  }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_OPXOR(name, T)                                                                                        \
  __attribute__((__unused__)) static void __cilk_opxor_identity_##name(void *view) { *(T *)view = (T)0; }              \
  __attribute__((__unused__)) static void __cilk_opxor_reduce_##name(void *left, void *right) {                        \
    *(T *)left ^= *(T *)right;                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_opxor_identity_##name, __cilk_opxor_reduce_##name) __cilk_opxor_##name;
CILK2GPU_OPXOR(char, char)
CILK2GPU_OPXOR(schar, signed char)
CILK2GPU_OPXOR(uchar, unsigned char)
CILK2GPU_OPXOR(wchar_t, wchar_t)
CILK2GPU_OPXOR(short, short)
CILK2GPU_OPXOR(ushort, unsigned short)
CILK2GPU_OPXOR(int, int)
CILK2GPU_OPXOR(uint, unsigned int)
CILK2GPU_OPXOR(long, long)
CILK2GPU_OPXOR(ulong, unsigned long)
CILK2GPU_OPXOR(longlong, long long)
CILK2GPU_OPXOR(ulonglong, unsigned long long)
CILK2GPU_OPXOR(unsigned, unsigned)
#undef CILK2GPU_OPXOR

#define CILK_C_REDUCER_OPXOR_TYPE(name) __cilk_opxor_##name
#define CILK_C_REDUCER_OPXOR(reducer, name, initial) __cilk_opxor_##name reducer = {{0}, initial}

#endif
