// Objects that know their address and their number: none may be copied as bytes, forgotten, or destroyed twice.
#ifndef CILK2GPU_TEST_E2E_PROGRAMS_COUNTED_H
#define CILK2GPU_TEST_E2E_PROGRAMS_COUNTED_H

struct Counted {
  static inline long alive = 0;
  long value;
  Counted *self;
  explicit Counted(long value) : value(value), self(this) { count(1); }
  Counted(const Counted &other) : value(other.get()), self(this) { count(1); }
  ~Counted() {
    if (self != this)
      value = -1000000;
    count(-1);
  }
  long get() const { return self == this ? value : -1000000; }
  static void count(long more) { __atomic_fetch_add(&alive, more, __ATOMIC_RELAXED); }
};

#endif // CILK2GPU_TEST_E2E_PROGRAMS_COUNTED_H
