/* <cilk/reducer.h> of Cilk Plus. In C++:

     cilk::reducer<cilk::op_add<long>> sum(0);
     cilk_for (int i = 0; i < n; ++i)
       *sum += a[i];
     return sum.get_value();

   A monoid is a class without data that has value_type, view_type, identity(view), reduce(left, right) and
   destroy(view). monoid_base and monoid_with_view have most of it.

   In C, CILK_C_DECLARE_REDUCER and CILK_C_INIT_REDUCER make a reducer from three functions, REDUCER_VIEW(r) is the view
   of the strand that runs, and CILK_C_REGISTER_REDUCER and CILK_C_UNREGISTER_REDUCER surround the use of a local
   one. */
#ifndef CILK2GPU_CILK_REDUCER_H
#define CILK2GPU_CILK_REDUCER_H

#include <cilk/hyperobject.h>

#define CILK2GPU_INLINE __attribute__((__always_inline__)) inline

#ifdef __cplusplus

#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

/* A monoid whose views are objects of the type View. A class derived from it defines reduce(left, right). */
template <typename Value, typename View = Value> class monoid_base {
public:
  typedef Value value_type;
  typedef View view_type;

  void identity(View *view) const { ::new (static_cast<void *>(view)) View(); }
  void destroy(View *view) const { view->~View(); }
};

/* A monoid whose views have a member function reduce(right). */
template <typename View, bool = false> class monoid_with_view : public monoid_base<typename View::value_type, View> {
public:
  CILK2GPU_INLINE void reduce(View *left, View *right) const { left->reduce(right); }
};

/* A view with one value. Views of numbers derive from it. */
template <typename T> class scalar_view {
protected:
  T m_value;

public:
  typedef T value_type;
  scalar_view() : m_value() {}
  scalar_view(const T &value) : m_value(value) {}

  void view_move_in(T &value) { m_value = std::move(value); }
  void view_move_out(T &value) { value = std::move(m_value); }
  void view_set_value(const T &value) { m_value = value; }
  const T &view_get_value() const { return m_value; }
};

/* The value of expressions such as `*r + x`, which may only be assigned to the view that they begin with. */
template <typename View> struct view_expression {
  const View *from;
  typename View::value_type value;
  view_expression(const View *from, const typename View::value_type &value) : from(from), value(value) {}
};

namespace internal {
/* Reads and writes the value of a view, which may be of the value's own type. */
template <typename Value, typename View> struct view_access {
  static const Value &get(const View &view) { return view.view_get_value(); }
  static void set(View &view, const Value &value) { view.view_set_value(value); }
  static void move_in(View &view, Value &value) { view.view_move_in(value); }
  static void move_out(View &view, Value &value) { view.view_move_out(value); }
};
template <typename Value> struct view_access<Value, Value> {
  static const Value &get(const Value &view) { return view; }
  static void set(Value &view, const Value &value) { view = value; }
  static void move_in(Value &view, Value &value) { view = std::move(value); }
  static void move_out(Value &view, Value &value) { value = std::move(view); }
};
} // namespace internal

/* Tag of the constructor that takes the value out of a variable. */
template <typename T> class move_in_wrapper {
public:
  T &value;
  explicit move_in_wrapper(T &value) : value(value) {}
};
template <typename T> inline move_in_wrapper<T> move_in(T &value) { return move_in_wrapper<T>(value); }

template <typename Monoid> class reducer {
public:
  typedef Monoid monoid_type;
  typedef typename Monoid::value_type value_type;
  typedef typename Monoid::view_type view_type;

private:
  typedef internal::view_access<value_type, view_type> access;
  static_assert(std::is_empty<Monoid>::value,
                "a monoid must have no data, because views are made without access to the reducer; put the data into "
                "the view");
  alignas(view_type) unsigned char m_leftmost[sizeof(view_type)];

  static void identity(void *view) { Monoid().identity(static_cast<view_type *>(view)); }
  static void reduce(void *left, void *right) {
    Monoid monoid;
    monoid.reduce(static_cast<view_type *>(left), static_cast<view_type *>(right));
    monoid.destroy(static_cast<view_type *>(right));
  }
  view_type *leftmost() { return reinterpret_cast<view_type *>(m_leftmost); }
  void begin() { __cilkrts_reducer_register(m_leftmost, sizeof(view_type), &identity, &reduce); }

public:
  reducer() {
    identity(m_leftmost);
    begin();
  }
  template <typename First, typename... Rest> explicit reducer(const First &first, const Rest &...rest) {
    ::new (static_cast<void *>(m_leftmost)) view_type(first, rest...);
    begin();
  }
  template <typename First> explicit reducer(First &first) {
    ::new (static_cast<void *>(m_leftmost)) view_type(first);
    begin();
  }
  explicit reducer(move_in_wrapper<value_type> initial) {
    identity(m_leftmost);
    access::move_in(*leftmost(), initial.value);
    begin();
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;
  ~reducer() {
    __cilkrts_reducer_unregister(m_leftmost);
    Monoid().destroy(leftmost());
  }

  /* Returns the view of the strand that runs. */
  CILK2GPU_INLINE view_type &view() {
    return *static_cast<view_type *>(__hyper_lookup(m_leftmost, sizeof(view_type), &identity, &reduce));
  }
  CILK2GPU_INLINE const view_type &view() const { return const_cast<reducer *>(this)->view(); }
  CILK2GPU_INLINE view_type &operator*() { return view(); }
  CILK2GPU_INLINE const view_type &operator*() const { return view(); }
  CILK2GPU_INLINE view_type *operator->() { return &view(); }
  CILK2GPU_INLINE const view_type *operator->() const { return &view(); }
  CILK2GPU_INLINE view_type &operator()() { return view(); }
  CILK2GPU_INLINE const view_type &operator()() const { return view(); }

  /* Read and write the value. They need a point where no child uses the reducer. */
  const value_type &get_value() const { return access::get(view()); }
  void set_value(const value_type &value) { access::set(view(), value); }
  void move_in(value_type &value) { access::move_in(view(), value); }
  void move_out(value_type &value) { access::move_out(view(), value); }
  const value_type &get_reference() const { return get_value(); }
};

} // namespace cilk

#endif /* __cplusplus */

/* The C interface. There are two forms of reducers:
   - Form 1, made by the headers for sums and the like: the compiler knows the functions of the type.
   - Form 2, made by CILK_C_INIT_REDUCER: the reducer keeps pointers to its functions. They take the reducer's address
     as their first argument. A view is a whole reducer, so that its functions are at hand. */
typedef struct {
  void (*reduce)(void *reducer, void *left, void *right);
  void (*identity)(void *reducer, void *view);
  void (*destroy)(void *reducer, void *view);
  size_t offset; /* of the value in the reducer */
  void *key;     /* the reducer; null in the reducer itself */
} __cilk_c_functions;

/* Form 2 passes the reducer to `identity`, which has no parameter for it. */
static __thread __cilk_c_functions *__cilk_c_current __attribute__((__unused__));

__attribute__((__unused__)) static void __cilk_c_identity(void *view) {
  __cilk_c_functions *made = (__cilk_c_functions *)view;
  *made = *__cilk_c_current;
  made->key = __cilk_c_current;
  made->identity(made->key, (char *)view + made->offset);
}

__attribute__((__unused__)) static void __cilk_c_reduce(void *left, void *right) {
  __cilk_c_functions *from = (__cilk_c_functions *)right;
  from->reduce(from->key, (char *)left + from->offset, (char *)right + from->offset);
  if (from->destroy)
    from->destroy(from->key, (char *)right + from->offset);
}

__attribute__((__unused__, __noinline__)) static void *__cilk_c_lookup(void *reducer, size_t size) {
  __cilk_c_current = (__cilk_c_functions *)reducer;
  return __hyper_lookup(reducer, size, __cilk_c_identity, __cilk_c_reduce);
}

__attribute__((__unused__)) static void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view) {
  (void)reducer, (void)view;
}

/* Declares a reducer of form 1. */
#define CILK2GPU_C_FIXED_REDUCER(T, identity, reduce)                                                                  \
  struct {                                                                                                             \
    char __cilk_form[1];                                                                                               \
    T _Hyperobject(identity, reduce) value;                                                                            \
  }

#define CILK_C_DECLARE_REDUCER(T)                                                                                      \
  struct {                                                                                                             \
    __cilk_c_functions __cilk_functions;                                                                               \
    char __cilk_form[2];                                                                                               \
    T value;                                                                                                           \
  }

#define CILK_C_INIT_REDUCER(T, reduce, identity, destroy, ...)                                                         \
  {{reduce, identity, destroy, offsetof(CILK_C_DECLARE_REDUCER(T), value), 0}, {0, 0}, __VA_ARGS__}

#ifdef __cplusplus
#define REDUCER_VIEW(r)                                                                                                \
  (*(sizeof((r).__cilk_form) == 1                                                                                      \
         ? &(r).value                                                                                                  \
         : &static_cast<decltype(&(r))>(__cilk_c_lookup(__builtin_addressof(r), sizeof(r)))->value))
#else
#define REDUCER_VIEW(r)                                                                                                \
  (*__builtin_choose_expr(sizeof((r).__cilk_form) == 1, &(r).value,                                                    \
                          &((__typeof__(&(r)))__cilk_c_lookup(&(r), sizeof(r)))->value))
#endif

/* The compiler registers reducers of form 1. */
#define CILK_C_REGISTER_REDUCER(r)                                                                                     \
  (sizeof((r).__cilk_form) == 1                                                                                        \
       ? (void)0                                                                                                       \
       : __cilkrts_reducer_register(__builtin_addressof(r), sizeof(r), __cilk_c_identity, __cilk_c_reduce))
#define CILK_C_UNREGISTER_REDUCER(r)                                                                                   \
  (sizeof((r).__cilk_form) == 1 ? (void)0 : __cilkrts_reducer_unregister(__builtin_addressof(r)))

#endif
