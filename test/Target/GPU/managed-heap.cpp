// -foffload-managed: large blocks of malloc and new are managed memory where the GPU cannot reach ordinary memory, and
// only there. Blocks of both kinds may be resized and freed by any thread and any library.
// REQUIRES: fake-gpu
// DEFINE: %{drivers} = %build_dir/test/unit/fake-drivers
// DEFINE: %{fake} = env CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=%{drivers}/libfakecuda.so FAKE_GPUS=Fake=9.0 FAKE_GPU_LOG=%t.log
// DEFINE: %{compile} = %cilk2gpu++ -O2 --offload-arch=gpu-host %s %{drivers}/liblane-image.a -Wl,--wrap=__cilk2gpu_register -lpthread
// RUN: %cilk2gpu++ -O2 -fserial-elision %s -o %t.serial -lpthread
// RUN: %t.serial > %t.want
// RUN: %{compile} -foffload-managed -o %t
// RUN: rm -f %t.log && %{fake} %t > %t.got && cmp %t.got %t.want && FileCheck %s --check-prefix=MANAGED --input-file=%t.log
// RUN: rm -f %t.log && %{fake} FAKE_GPU_PAGEABLE=1 %t > %t.got && cmp %t.got %t.want && FileCheck %s --check-prefix=ORDINARY --input-file=%t.log
// RUN: env CILK2GPU_DEVICE=native %t > %t.got && cmp %t.got %t.want
// RUN: %{compile} -o %t.plain
// RUN: rm -f %t.log && %{fake} %t.plain > %t.got && cmp %t.got %t.want && FileCheck %s --check-prefix=ORDINARY --input-file=%t.log

// The first allocation tries the device, and the second is the vector's. It comes before any launch.
// MANAGED: cuMemAllocManaged 2
// MANAGED: cuLaunchKernel 1
// MANAGED: cuMemAllocManaged 4
// ORDINARY: cuMemAllocManaged 1
// ORDINARY-NOT: cuMemAllocManaged 4

// RUN: not %cilk2gpu++ -foffload-managed %s -o %t.no 2>&1 | FileCheck %s --check-prefix=NO-GPU
// NO-GPU: error: '-foffload-managed' has no effect without a GPU; add --offload-arch=ARCH, or remove -foffload-managed
// RUN: not %cilk2gpu++ --offload-arch=sm_90 -foffload-managed -static %s -o %t.no 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: '-foffload-managed' and '-static' do not go together: it replaces malloc of the shared C library;
// RUN: not %cilk2gpu++ --offload-arch=sm_90 -foffload-managed -fsanitize=undefined,address %s -o %t.no 2>&1 | FileCheck %s --check-prefix=SANITIZE
// SANITIZE: error: '-foffload-managed' and '-fsanitize=address' do not go together
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <string>
#include <thread>
#include <vector>

static void fill(long *to, long n) { cilk_for(long i = 0; i < n; ++i) to[i] = i * 3; }
static long sum(const long *from, long n) {
  if (n < 1000) {
    long s = 0;
    for (long i = 0; i < n; ++i)
      s += from[i];
    return s;
  }
  long a = cilk_spawn sum(from, n / 2), b = sum(from + n / 2, n - n / 2);
  cilk_sync;
  return a + b;
}
int main() {
  long n = 100000;
  std::vector<long> v(n);
  fill(v.data(), n);
  printf("%ld\n", sum(v.data(), n));
  v.resize(2 * n);
  fill(v.data() + n, n);
  printf("%ld usable %d\n", sum(v.data(), 2 * n), malloc_usable_size(v.data()) >= 2 * n * sizeof(long));
  long *p = (long *)calloc(n, sizeof *p);
  printf("%ld\n", sum(p, n));
  p = (long *)realloc(p, 3 * n * sizeof *p);
  fill(p, 3 * n);
  p = (long *)realloc(p, 1000 * sizeof *p);
  printf("%ld\n", sum(p, 1000));
  p = (long *)realloc(p, n * sizeof *p);
  printf("%ld\n", sum(p, 1000));
  free(p);
  void *q = nullptr;
  if (posix_memalign(&q, 4096, 1 << 20))
    return 1;
  fill((long *)q, 1 << 17);
  printf("%ld\n", sum((long *)q, 1 << 17));
  free(q);
  q = aligned_alloc(1 << 21, 1 << 22);
  fill((long *)q, 1000);
  printf("%ld aligned %d\n", sum((long *)q, 1000), ((size_t)q & ((1 << 21) - 1)) == 0);
  free(q);
  // The library's own lists grow in the memory of a thread, which is among the blocks.
  std::thread([] {
    std::vector<long *> blocks;
    long total = 0;
    for (int i = 0; i < 700; ++i) {
      blocks.push_back((long *)malloc(1 << 18));
      blocks.back()[0] = i;
    }
    for (long *block : blocks) {
      total += sum(block, 1);
      free(block);
    }
    printf("%ld\n", total);
  }).join();
  std::vector<std::thread> threads;
  long sums[4] = {};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int r = 0; r < 50; ++r) {
        std::vector<long> w(40000 + 1000 * t, t);
        for (long x : w)
          sums[t] += x;
        std::string s(300000, 'x');
        sums[t] += s.size();
      }
    });
  for (auto &t : threads)
    t.join();
  printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
}
