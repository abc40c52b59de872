// Tests that sanitizers do not report a cilk_for's own arithmetic, which wraps around on its way down.
// RUN: %clang -fplugin=%plugin -fsanitize=integer,signed-integer-overflow,implicit-conversion -fsanitize-trap=all -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
void use(int);

// CHECK-LABEL: define {{.*}} @loops(
// CHECK-NOT: ubsantrap
// CHECK-LABEL: define {{.*}} @body(
void loops(int n, unsigned m, const char *first, const char *last) {
  cilk_for (int i = n; i >= 0; i--)
    use(i);
  cilk_for (unsigned short i = (unsigned short)200; i != 10; i -= 2)
    use(3);
  cilk_for (unsigned i = m; i > 3u; i -= m)
    use(4);
  cilk_for (const char *p = last; p > first; --p)
    use(*p);
}

// They report the program's own arithmetic.
// CHECK: call void @llvm.ubsantrap(
void body(int n, unsigned m) {
  cilk_for (int i = n; i >= 0; i--)
    use(i - m > 3);
}
