// Tests the thunks through which the host calls functions for tasks. They pass arguments and results of all kinds of types, to
// variadic functions, too, and structs by value. An exception that leaves a thunk gives a message. The program finds the thunk
// among the addresses that images get.
// RUN: %clangxx -O1 -DBODIES -c %s -o %t.o
// RUN: %cilk2gpuxx -O0 -DTHE_CALL=Sine --offload-arch=gfx90a %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host sin double (double) double" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=Sine --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host sin double (double) double" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=Narrow --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host narrow i16 (i8, i16, float, i1) signext i8 zeroext i16 float zeroext i1" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=Variadic --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host snprintf i32 (ptr, i64, ptr, ...) ptr i64 ptr i32 ptr double i64 i32" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=Print --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host fprintf i32 (ptr, ptr, ...) ptr ptr ptr i32 i32" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=ByValue --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host sum i64 (ptr, i32) byval(40, 8) ptr i32" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL='Sizes<false>' --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host sumOf i64 (i32, ...) i32 byval(24, 8) ptr i64" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL='Sizes<true>' --offload-arch=sm_90 %s %t.o -o %t && %python %S/Inputs/run-with-slot.py "host sumOf i64 (i32, ...) i32 byval(40, 8) ptr i64" %t
// RUN: %cilk2gpuxx -O2 -DTHE_CALL='Sizes<true>' --offload-arch=sm_90 --emit=llvm %s | FileCheck %s --check-prefix=SLOTS
// RUN: %cilk2gpuxx -O2 -DTHE_CALL='Sizes<true>' --offload-arch=gfx90a --emit=llvm %s | FileCheck %s --check-prefix=SLOTS
// SLOTS-COUNT-2: {{^}}@__cilk2gpu_address_
// RUN: %cilk2gpuxx -O2 -DTHE_CALL=Throwing --offload-arch=sm_90 %s %t.o -o %t
// RUN: not %python %S/Inputs/run-with-slot.py "host throwing i32 (i32) i32" %t 2>&1 | FileCheck %s
// CHECK: cilk2gpu: error: a task ends by returning; an exception was about to leave one
#ifndef BODIES
#include <cilk/cilk.h>
#endif
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>

struct Big {
  long values[5];
};
struct Smaller {
  long values[3];
};

#ifdef BODIES
// Compiled by Clang: the functions that only the host has.
extern "C" short narrow(signed char a, unsigned short b, float c, bool d) { return (short)(a - b + (int)(2 * c) + d); }
extern "C" long sum(Big big, int more) {
  long total = more;
  for (long &value : big.values)
    total += value, value = 0;
  return total;
}
extern "C" long sumOf(int count, ...) {
  va_list rest;
  va_start(rest, count);
  long total = 0;
  if (count == 3)
    for (long value : va_arg(rest, Smaller).values)
      total += value;
  else
    for (long value : va_arg(rest, Big).values)
      total += value;
  total = total * 100 + va_arg(rest, long);
  va_end(rest);
  return total;
}
extern "C" int throwing(int n) {
  if (n)
    throw std::runtime_error("thrown");
  return n;
}
#else

extern "C" short narrow(signed char a, unsigned short b, float c, bool d);
extern "C" long sum(Big big, int more);
extern "C" long sumOf(int count, ...);
extern "C" int throwing(int n);

template <class To> static To as(unsigned long word) {
  To value;
  memcpy(&value, &word, sizeof value);
  return value;
}

template <class From> static unsigned long word(From value) {
  unsigned long result = 0;
  memcpy(&result, &value, sizeof value);
  return result;
}

using Thunk = void (*)(unsigned long *words);

struct Sine {
  static double call(int n) { return std::sin(n); }
  static bool works(Thunk thunk) {
    unsigned long words[16] = {word(0.75)};
    thunk(words);
    return as<double>(words[0]) == std::sin(0.75);
  }
};

struct Narrow {
  static double call(int n) { return narrow((signed char)n, (unsigned short)n, (float)n, n != 0); }
  static bool works(Thunk thunk) {
    unsigned long words[16] = {0xff, 65535, word(0.5f), 1}; // the first word is -1, of which 8 bits are sent
    thunk(words);
    return (short)words[0] == (short)(-1 - 65535 + 1 + 1);
  }
};

struct Variadic {
  static double call(int n) {
    static char text[40];
    return snprintf(text, sizeof text, "%d %s %.2f %ld %c", n, "x", 0.5 * n, 7L, 'c');
  }
  static bool works(Thunk thunk) {
    char text[40];
    unsigned long words[16] = {word(text), sizeof text, word("%d %s %.2f %ld %c"), 0xfffffffb, word("y"), word(0.25), 1ul << 40, 'c'};
    thunk(words);
    return (int)words[0] == (int)strlen(text) && !strcmp(text, "-5 y 0.25 1099511627776 c");
  }
};

struct Print {
  static double call(int n) { return fprintf(stdout, "%2$hhd %1$ls %3$hu\n", L"wide", n, n); }
  static bool works(Thunk thunk) {
    char text[40] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    unsigned long words[16] = {word(stream), word("%2$hhd %1$ls %3$hu\n"), word(L"wide"), 0x1fd, 0x10007};
    thunk(words);
    fclose(stream);
    return (int)words[0] == (int)strlen(text) && !strcmp(text, "-3 wide 7\n");
  }
};

struct ByValue {
  static double call(int n) { return (double)sum(Big{{n, 1, 2, 3, 4}}, n); }
  static bool works(Thunk thunk) {
    Big big = {{1, 2, 3, 4, 5}};
    unsigned long words[16] = {word(&big), 100};
    thunk(words);
    return words[0] == 115 && big.values[0] == 1;
  }
};

// Both calls have the same types; the program of each looks for a thunk of its own.
template <bool IsBig> struct Sizes {
  static double call(int n) { return (double)(sumOf(3, Smaller{{n, 1, 2}}, 7L) + sumOf(5, Big{{n, 1, 2, 3, 4}}, 9L)); }
  static bool works(Thunk thunk) {
    Big big = {{1, 2, 3, 4, 5}};
    unsigned long words[16] = {IsBig ? 5 : 3, word(&big), 9};
    thunk(words);
    return words[0] == (IsBig ? 1509 : 609);
  }
};

struct Throwing {
  static double call(int n) { return throwing(n); }
  static bool works(Thunk thunk) {
    unsigned long words[16] = {1};
    thunk(words);
    return false; // not reached
  }
};

double task(int n) {
  if (n == 0)
    return THE_CALL::call(n);
  double a = cilk_spawn task(n - 1);
  double b = task(n - 1);
  cilk_sync;
  return a + b;
}

struct Address {
  const char *symbol;
  void *address;
  unsigned long bytes;
};
extern "C" const Address __start_cilk2gpu_addresses[], __stop_cilk2gpu_addresses[];

int main(int, char **argv) {
  for (const Address *at = __start_cilk2gpu_addresses; at != __stop_cilk2gpu_addresses; ++at)
    if (!std::strcmp(at->symbol, argv[1]))
      return !THE_CALL::works(reinterpret_cast<Thunk>(at->address));
  std::printf("there is no thunk\n");
  return 1;
}
#endif
