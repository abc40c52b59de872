#include <string>

std::string describe(int value) { return "fib " + std::to_string(value); }
