/* Work and span of a region of a program, as in OpenCilk's header of this name.
 *
 *   wsp_t start = wsp_getworkspan();
 *   quicksort(a, n);
 *   wsp_dump(wsp_sub(wsp_getworkspan(), start), "quicksort");
 *
 * A program that was compiled with -fcilk-scale reports the region with its tag. In other programs all numbers are 0.
 * Both calls of wsp_getworkspan() stand in the same activation of a function, with no child of it running. */
#ifndef CILK2GPU_CILK_CILKSCALE_H
#define CILK2GPU_CILK_CILKSCALE_H

#include <stdint.h>
#ifdef __cplusplus
#include <ostream>
#endif

/* A number of executed instructions. */
typedef int64_t raw_duration_t;

/* Work, span and burdened span: of the program up to a point, or between two points. */
typedef struct wsp_t {
  raw_duration_t work, span, bspan;
} wsp_t;

static inline wsp_t wsp_zero(void) {
  wsp_t zero = {0, 0, 0};
  return zero;
}

#ifdef __cilkscale__

#ifdef __cplusplus
extern "C" {
#define CILK2GPU_NO_THROW noexcept
#else
#define CILK2GPU_NO_THROW __attribute__((nothrow))
#endif

/* Returns work and span from the program's start to this point. */
wsp_t wsp_getworkspan(void) CILK2GPU_NO_THROW;
wsp_t wsp_add(wsp_t left, wsp_t right) CILK2GPU_NO_THROW;
wsp_t wsp_sub(wsp_t left, wsp_t right) CILK2GPU_NO_THROW;
/* Adds a line to the report. */
void wsp_dump(wsp_t region, const char *tag);

#undef CILK2GPU_NO_THROW
#ifdef __cplusplus
}
#endif

#else

static inline wsp_t wsp_getworkspan(void) { return wsp_zero(); }

static inline wsp_t wsp_add(wsp_t left, wsp_t right) {
  (void)left;
  (void)right;
  return wsp_zero();
}

static inline wsp_t wsp_sub(wsp_t left, wsp_t right) {
  (void)left;
  (void)right;
  return wsp_zero();
}

static inline void wsp_dump(wsp_t region, const char *tag) {
  (void)region;
  (void)tag;
}

#endif

#ifdef __cplusplus
inline wsp_t &operator+=(wsp_t &left, const wsp_t &right) noexcept { return left = wsp_add(left, right); }
inline wsp_t &operator-=(wsp_t &left, const wsp_t &right) noexcept { return left = wsp_sub(left, right); }
inline wsp_t operator+(wsp_t left, const wsp_t &right) noexcept { return wsp_add(left, right); }
inline wsp_t operator-(wsp_t left, const wsp_t &right) noexcept { return wsp_sub(left, right); }
inline std::ostream &operator<<(std::ostream &out, const wsp_t &region) {
  double work = double(region.work);
  return out << region.work << ',' << region.span << ',' << (region.span ? work / double(region.span) : 0) << ','
             << region.bspan << ',' << (region.bspan ? work / double(region.bspan) : 0);
}
#endif

#endif /* CILK2GPU_CILK_CILKSCALE_H */
