#include <iostream>
#include <string>

extern "C" int fib(int n);
std::string describe(int value);

int main() { std::cout << describe(fib(20)) << "\n"; }
