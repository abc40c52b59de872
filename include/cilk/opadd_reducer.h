/* <cilk/opadd_reducer.h> of OpenCilk: `cilk::opadd_reducer<T> sum = 0;` is a reducer for sums of T. */
#ifndef CILK2GPU_CILK_OPADD_REDUCER_H
#define CILK2GPU_CILK_OPADD_REDUCER_H

#ifdef __cplusplus

#include <new>

namespace cilk {

template <typename T> static inline void zero(void *view) { ::new (view) T(0); }

template <typename T> static inline void plus(void *left, void *right) {
  *static_cast<T *>(left) += *static_cast<T *>(right);
  static_cast<T *>(right)->~T();
}

template <typename T> using opadd_reducer = T _Hyperobject(zero<T>, plus<T>);

} // namespace cilk

#endif
#endif
