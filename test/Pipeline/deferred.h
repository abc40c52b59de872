// Macros for programs whose children throw. In a serial elision, where the keywords of Cilk mean nothing, they do what
// tasks do: they catch the exception of a child, and throw the first one where the parent syncs.
//
//   int f(int n) {
//     BEGIN
//     int x = 0;
//     SPAWN(x = cilk_spawn g(n))
//     SYNC
//     return x;
//     END
//   }
#ifndef DEFERRED_H
#define DEFERRED_H

#include <exception>
#include <utility>

#ifdef __cilk
#define BEGIN
#define END
#define SPAWN(...) __VA_ARGS__;
#define SYNC cilk_sync;
#define TRY try {
#define TRY_END
#define CATCH(...) } catch (__VA_ARGS__)
#define FOR_EACH(...) cilk_for (__VA_ARGS__) {
#define FOR_END }
#define BLOCK cilk_spawn {
#define BLOCK_END }
#define SCOPE cilk_scope {
#define SCOPE_END }
#define RETURN(...) return __VA_ARGS__; // outside of try blocks
#define RETURN_NOTHING return;
#else
struct Deferred {
  std::exception_ptr first;
  void keep() {
    if (!first)
      first = std::current_exception();
  }
  void sync() {
    if (first)
      std::rethrow_exception(std::exchange(first, nullptr));
  }
};
#define cilk_spawn
#define BEGIN Deferred deferred; try {
#define END deferred.sync(); } catch (...) { deferred.sync(); throw; }
#define SPAWN(...) try { __VA_ARGS__; } catch (...) { deferred.keep(); }
#define SYNC deferred.sync();
#define TRY try { try {
#define TRY_END deferred.sync(); // at the end of a try block that spawns
#define CATCH(...) } catch (...) { deferred.sync(); throw; } } catch (__VA_ARGS__)
#define FOR_EACH(...) { Deferred loop; for (__VA_ARGS__) { try { BEGIN
#define FOR_END END } catch (...) { loop.keep(); } } loop.sync(); }
#define BLOCK { Deferred &outer = deferred; try { BEGIN
#define BLOCK_END END } catch (...) { outer.keep(); } }
#define SCOPE {
#define SCOPE_END deferred.sync(); }
#define RETURN(...) { auto result = __VA_ARGS__; deferred.sync(); return result; }
#define RETURN_NOTHING { deferred.sync(); return; }
#endif
#define FOR(i, n) FOR_EACH(int i = 0; i < n; ++i)

#endif
