#include "cilk2gpu/Third/Third.h"

class Large {
public:
  Large();
  ~Large();
  Large(const Large &) = delete;
  int method0() const { return 0; }
  int method1() const { return 1; }
  int method2() const { return 2; }
  int method3() const { return 3; }
  int method4() const { return 4; }
  int method5() const { return 5; }
  int method6() const { return 6; }
  int method7() const { return 7; }
  int method8() const { return 8; }
  int method9() const { return 9; }
  int method10() const { return 10; }
  int method11() const { return 11; }
  int method12() const { return 12; }
  int method13() const { return 13; }
  int method14() const { return 14; }
  int method15() const { return 15; }
  int method16() const { return 16; }
  int method17() const { return 17; }
  int method18() const { return 18; }
  int method19() const { return 19; }

private:
  void method20(int value = f(20));
  void method21(int value = f(21));
  void method22(int value = f(22));
  void method23(int value = f(23));
  void method24(int value = f(24));
  void method25(int value = f(25));
  void method26(int value = f(26));
  void method27(int value = f(27));
  void method28(int value = f(28));
  void method29(int value = f(29));
  void method30(int value = f(30));
  void method31(int value = f(31));
  void method32(int value = f(32));
  void method33(int value = f(33));
  void method34(int value = f(34));
  void method35(int value = f(35));
  void method36(int value = f(36));
  void method37(int value = f(37));
  void method38(int value = f(38));
  void (*pointer)(int);
  int data = f(1);
};
