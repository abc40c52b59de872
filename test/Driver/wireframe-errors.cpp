// Tests that mistakes in launches of thread blocks are errors of the compiler with a clear text, and that spans and C work.
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DREFERENCE %s 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DOBJECT %s 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DRESULT %s 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DCOUNT %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DMUTABLE %s 2>&1 | FileCheck %s --check-prefix=MUTABLE
// RUN: not %cilk2gpuxx -std=c++17 -fsyntax-only -DSHORTS %s 2>&1 | FileCheck %s --check-prefix=SHORTS
// RUN: %cilk2gpuxx -std=c++20 -fsyntax-only -Wall -Wextra -Werror -DSPANS %s
// RUN: %cilk2gpu -std=c99 -fsyntax-only -Wall -Wextra -Werror -x c %s
#include <cilk2gpu/Wireframe.h>

#ifdef __cplusplus
#include <string>
#include <vector>

#ifdef REFERENCE
void kernel(int &) {}
void launch(int n) {
  wf::launch(dim3(4), dim3(1), [] {}, kernel, n);
}
// REFERENCE: wf::launch: a kernel takes values and pointers, and this one has a parameter that is a reference; pass a pointer instead
#endif

#ifdef OBJECT
void kernel(std::string) {}
void launch() {
  wf::launch(dim3(4), dim3(1), [] {}, kernel, "text");
}
// OBJECT: wf::launch: a kernel's parameters are trivially copyable, and this one has a parameter whose copies run code
#endif

#ifdef RESULT
int kernel() { return 1; }
void launch() {
  wf::launch(dim3(4), dim3(1), [] {}, kernel);
}
// RESULT: wf::launch: a kernel returns nothing, and this one returns a value
#endif

#ifdef COUNT
void kernel(int, int) {}
void launch() {
  wf::launch(dim3(4), dim3(1), [] {}, kernel, 1);
}
// COUNT: wf::launch: the arguments behind the kernel are those that the kernel takes, in number and type
#endif

#ifdef MUTABLE
void kernel() {}
void launch(int n) {
  wf::launch(dim3(4), dim3(1), [n]() mutable { WF::AddDependency({n++}); }, kernel);
}
// MUTABLE: wf::launch: a mapping function takes no arguments, and a lambda that is one is not mutable
#endif

#ifdef SHORTS
wf::Graph graph(1, std::vector<short>{0, 0}, std::vector<int>{});
// SHORTS: wf::Graph: starts and children are integers of 32 or 64 bits
#endif

#ifdef SPANS
#include <span>
void kernel(const double *) {}
void launch(std::span<const uint64_t> starts, std::span<int> children, double *values) {
  wf::launch(wf::Graph(starts.size() - 1, starts, children).policy(WF::LVL, 3), dim3(1), kernel, values);
}
#endif

#else
static void visit(uint64_t node, void *args) { *(uint64_t *)args += node; }
void launch(const uint64_t *starts, const uint32_t *children, uint64_t *sum) {
  wf_launch_graph(3, starts, children, visit, sum);
}
#endif
