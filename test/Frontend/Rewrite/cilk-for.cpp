// Tests cilk_for in C++: templates, member functions, lambdas, initializers with parentheses and braces.
// RUN: %clangxx -std=c++20 -fplugin=%plugin -Wall -Wextra -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
extern "C" int f(long);
template <class T, int Step> void loop(T first, T last) {
#pragma cilk grainsize = Step * 2
  cilk_for (auto i{first}; i < last; i += Step)
    f(long(i));
}
// CHECK-LABEL: define {{.*}} @_Z4loopIhLi3EEvT_S0_(
// CHECK: [[F8:%.*]] = zext i8 %0 to i32
// CHECK: [[F:%.*]] = sext i32 [[F8]] to i64
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef [[F]], i64 noundef {{%.*}}, i64 noundef 3, i32 noundef 2064, i64 noundef 6)
// CHECK-LABEL: define {{.*}} @_Z4loopImLin2EEvT_S0_(
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef %0, i64 noundef %1, i64 noundef -2, i32 noundef 16408, i64 noundef -4)
template void loop<unsigned char, 3>(unsigned char, unsigned char);
template void loop<unsigned long, -2>(unsigned long, unsigned long);

struct Vector {
  int *data;
  int size() const { return 7; }
  int operator[](int i) const { return data[i]; }
  void each() const;
};
// CHECK-LABEL: define {{.*}} @_ZNK6Vector4eachEv(
// CHECK: call {{.*}}i32 @_ZNK6Vector4sizeEv(
// CHECK: call i64 @__cilk2gpu_for_begin(
// CHECK: call {{.*}}i32 @_ZNK6VectorixEi(
// CHECK: call void @__cilk2gpu_for_end(
void Vector::each() const {
  cilk_for (int i(0); i < size(); ++i)
    f((*this)[i]);
}
// CHECK-LABEL: define {{.*}} @_Z6lambdai(
// CHECK-NOT: __cilk2gpu
// CHECK: ret void
// CHECK: define internal {{.*}} @"_ZZ6lambdaiENK
// CHECK: call i64 @__cilk2gpu_for_begin(
void lambda(int n) {
  auto all = [&] {
    cilk_for (int i = 0; i != n; ++i) {
      auto own = [&] { return i + n; };
      f(own());
    }
  };
  all();
}
