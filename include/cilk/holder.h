/* <cilk/holder.h> of OpenCilk: `cilk::holder<T> scratch;` gives each strand a T of its own, made by T's default
   constructor. The value that a strand leaves behind is lost, except for the leftmost one. */
#ifndef CILK2GPU_CILK_HOLDER_H
#define CILK2GPU_CILK_HOLDER_H

#ifdef __cplusplus

#include <new>

namespace cilk {

template <typename T> static inline void init(void *view) { ::new (view) T; }
template <typename T> static inline void reduce(void *, void *right) { static_cast<T *>(right)->~T(); }

template <typename T> using holder = T _Hyperobject(init<T>, reduce<T>);

} // namespace cilk

#endif
#endif
