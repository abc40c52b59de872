/* <cilk/reducer_opand.h> of Cilk Plus: reducers for conjunctions of bits. In C++, `cilk::reducer<cilk::op_and<T>>
   bits;` and `*bits &= mask;`. `cilk::reducer_opand<T>` is the older form, where the `*` is left out. In C,
   `CILK_C_REDUCER_OPAND(bits, int, ~0);` declares a reducer, and REDUCER_VIEW(bits) is its view. */
#ifndef CILK2GPU_CILK_REDUCER_OPAND_H
#define CILK2GPU_CILK_REDUCER_OPAND_H

#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

namespace internal {
/* The identity of `&`. */
template <typename T> struct all_bits {
  CILK2GPU_INLINE static T get() { return static_cast<T>(~T(0)); }
};
template <> struct all_bits<bool> {
  CILK2GPU_INLINE static bool get() { return true; }
};
} // namespace internal

template <typename T> class op_and_view : public scalar_view<T> {
  typedef view_expression<op_and_view> expression;

public:
  CILK2GPU_INLINE op_and_view() : scalar_view<T>(internal::all_bits<T>::get()) {}
  op_and_view(const T &value) : scalar_view<T>(value) {}

  CILK2GPU_INLINE op_and_view &operator&=(const T &x) {
    this->m_value &= x;
    return *this;
  }
  friend expression operator&(const op_and_view &view, const T &x) {
    return expression(&view, static_cast<T>(view.m_value & x));
  }
  friend expression operator&(const expression &left, const T &x) {
    return expression(left.from, static_cast<T>(left.value & x));
  }
  /* `*r = *r & x` */
  op_and_view &operator=(const expression &result) {
    if (result.from != this)
      __builtin_trap(); /* the expression begins with another reducer */
    this->m_value = result.value;
    return *this;
  }
  CILK2GPU_INLINE void reduce(op_and_view *right) { this->m_value &= right->m_value; }
};

template <typename T, bool = false> struct op_and : public monoid_with_view<op_and_view<T>> {};

/* The older form. */
template <typename T> class reducer_opand : public reducer<op_and<T>> {
public:
  reducer_opand() {}
  explicit reducer_opand(const T &initial) : reducer<op_and<T>>(initial) {}
  CILK2GPU_INLINE reducer_opand &operator&=(const T &x) {
    this->view() &= x;
    return *this;
  }
};

} // namespace cilk

#endif /* __cplusplus */

#define CILK2GPU_OPAND(name, T)                                                                                        \
  __attribute__((__unused__)) static void __cilk_opand_identity_##name(void *view) { *(T *)view = (T)~0; }             \
  __attribute__((__unused__)) static void __cilk_opand_reduce_##name(void *left, void *right) {                        \
    *(T *)left &= *(T *)right;                                                                                         \
  }                                                                                                                    \
  typedef CILK2GPU_C_FIXED_REDUCER(T, __cilk_opand_identity_##name, __cilk_opand_reduce_##name) __cilk_opand_##name;
CILK2GPU_OPAND(char, char)
CILK2GPU_OPAND(schar, signed char)
CILK2GPU_OPAND(uchar, unsigned char)
CILK2GPU_OPAND(wchar_t, wchar_t)
CILK2GPU_OPAND(short, short)
CILK2GPU_OPAND(ushort, unsigned short)
CILK2GPU_OPAND(int, int)
CILK2GPU_OPAND(uint, unsigned int)
CILK2GPU_OPAND(long, long)
CILK2GPU_OPAND(ulong, unsigned long)
CILK2GPU_OPAND(longlong, long long)
CILK2GPU_OPAND(ulonglong, unsigned long long)
CILK2GPU_OPAND(unsigned, unsigned)
#undef CILK2GPU_OPAND

#define CILK_C_REDUCER_OPAND_TYPE(name) __cilk_opand_##name
#define CILK_C_REDUCER_OPAND(reducer, name, initial) __cilk_opand_##name reducer = {{0}, initial}

#endif
