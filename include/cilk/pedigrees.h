/* <cilk/pedigrees.h>: pedigrees of strands, and random numbers that depend on nothing else. <cilk/cilk_api.h> includes
   it in programs that are compiled with -fcilk-pedigrees.

   The numbers follow DotMix (Leiserson, Schardl and Sukha, "Deterministic Parallel Random-Number Generation on
   Dynamic-Multithreading Platforms", PPoPP 2012). The ranks of a pedigree are multiplied with one random factor for
   each depth, and added modulo the prime 2^64 - 59. The sum is then mixed. */
#ifndef CILK2GPU_CILK_PEDIGREES_H
#define CILK2GPU_CILK_PEDIGREES_H

#ifndef __cilk2gpu_pedigrees__
#error "compile all files of the program with -fcilk-pedigrees"
#endif

#ifndef CILK2GPU_CILK_CILK_API_H
#error "include <cilk/cilk_api.h>"
#endif

/* What a strand knows. The compiler makes these records, and fills all fields up to `depth`. */
struct __cilk2gpu_strand {
  __cilkrts_pedigree place;  /* the place of the strand's task, or iteration */
  unsigned long long rank;   /* the strand's own rank, below that place */
  unsigned long long depth;  /* number of places, counted from the root; 0: not computed, as the two fields below */
  unsigned long long factor; /* factor of the strand's own rank */
  unsigned long long sum;    /* sum for the places */
  unsigned long long seed;   /* the seed for which they were computed */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the record of the running strand. The compiler replaces each call. */
struct __cilk2gpu_strand *__cilk2gpu_strand(void) __attribute__((__nothrow__));

extern unsigned long long __cilk2gpu_pedigree_seed;

#define CILK2GPU_PRIME (0ULL - 59)

/* Returns x modulo the prime, with all bits of x mixed: four rounds of a permutation of 64 bits. */
static __inline__ unsigned long long __cilk2gpu_mix(unsigned long long x) {
  int round;
  for (round = 0; round < 4; ++round) {
    x *= 2 * x + 1;
    x = x << 32 | x >> 32;
  }
  return x >= CILK2GPU_PRIME ? x - CILK2GPU_PRIME : x;
}

/* Returns sum + (rank + 1) * factor modulo the prime. */
static __inline__ unsigned long long __cilk2gpu_add_rank(unsigned long long sum, unsigned long long rank,
                                                         unsigned long long factor) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)(rank + 1) * factor + sum;
  /* 2^64 is 59 modulo the prime. The second step leaves less than 2^64 + 59 * 60. */
  product = (wide)(unsigned long long)product + (product >> 64) * 59;
  product = (wide)(unsigned long long)product + (product >> 64) * 59;
  while (product >= CILK2GPU_PRIME)
    product -= CILK2GPU_PRIME;
  return (unsigned long long)product;
}

/* Adds up the places above a strand. */
static __inline__ void __cilk2gpu_sum_places(struct __cilk2gpu_strand *strand) {
  const __cilkrts_pedigree *place;
  unsigned long long seed = __cilk2gpu_pedigree_seed, depth = 0, sum = __cilk2gpu_mix(~seed), i;
  for (place = &strand->place; place; place = place->parent)
    ++depth;
  for (i = depth, place = &strand->place; place; place = place->parent)
    sum = __cilk2gpu_add_rank(sum, place->rank, __cilk2gpu_mix(seed + --i));
  strand->depth = depth;
  strand->sum = sum;
  strand->seed = seed;
  strand->factor = __cilk2gpu_mix(seed + depth);
}

/* Returns the pedigree of the running strand. The places above it are valid until the strand's task ends. */
static __inline__ __cilkrts_pedigree __cilkrts_get_pedigree(void) {
  const struct __cilk2gpu_strand *strand = __cilk2gpu_strand();
  __cilkrts_pedigree leaf;
  leaf.rank = strand->rank;
  leaf.parent = &strand->place;
  return leaf;
}

/* Raises the rank of the running strand by 1, as a spawn does. Returns 0. */
static __inline__ int __cilkrts_bump_worker_rank(void) {
  ++__cilk2gpu_strand()->rank;
  return 0;
}

/* Sets the seed of the random numbers. Call it while no other strand runs. */
static __inline__ void __cilkrts_dprand_set_seed(uint64_t seed) { __cilk2gpu_pedigree_seed = seed; }

/* Does nothing: the random numbers need no preparation. */
static __inline__ void __cilkrts_init_dprng(void) {}

/* Raises the rank of the running strand, and returns a random number for its pedigree, less than 2^64 - 59. */
static __inline__ uint64_t __cilkrts_get_dprand(void) {
  struct __cilk2gpu_strand *strand = __cilk2gpu_strand();
  ++strand->rank;
  if (!strand->depth || strand->seed != __cilk2gpu_pedigree_seed)
    __cilk2gpu_sum_places(strand);
  return __cilk2gpu_mix(__cilk2gpu_add_rank(strand->sum, strand->rank, strand->factor));
}

#undef CILK2GPU_PRIME

#ifdef __cplusplus
}
#endif

#endif
