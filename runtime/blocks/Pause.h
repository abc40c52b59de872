// Tells the processor that a loop waits for another thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_PAUSE_H
#define CILK2GPU_RUNTIME_BLOCKS_PAUSE_H

namespace cilk2gpu::rt {

inline void pauseProcessor() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_PAUSE_H
