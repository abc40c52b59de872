// Tests that an unknown argument of the plugin is an error that names the known ones.
// RUN: not %clang -fplugin=%plugin -fplugin-arg-cilk2gpu-dialect=fortran -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clang -fplugin=%plugin -Xclang -plugin-arg-cilk2gpu -Xclang dialect=fortran -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: the cilk2gpu plugin has no argument 'dialect=fortran'; it takes 'serial-elision', 'dialect=mit', 'lanes=auto|simd|scalar', 'vector-isa=auto|none|avx512+avx2+sse+neon', 'vector-length=4|8|16|32|64', 'veclib=NAME', 'no-combine', 'no-inline', 'device', 'count', 'strand-hooks', 'races', 'count-work' and 'pedigrees'
int x;
