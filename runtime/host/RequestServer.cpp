// See RequestServer.h.
#include "host/RequestServer.h"
#include "host/Loops.h"
#include "host/Message.h"
#include "host/ServeRequests.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace cilk2gpu::rt {

using abi::HostFunction;

//===--------------------------------------------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------------------------------------------===//

template <class T> static T fromWord(uint64_t word) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(word);
  else
    return static_cast<T>(word);
}

template <class T> static uint64_t toWord(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(value);
}

/// Calls a function with as many words as it has parameters.
template <class Result, class... Parameters, size_t... I>
static uint64_t callWith(Result (*function)(Parameters...), const uint64_t *words, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<Result>) {
    function(fromWord<Parameters>(words[I])...);
    return 0;
  } else {
    return toWord(function(fromWord<Parameters>(words[I])...));
  }
}

/// `noexcept` in a C library's declarations is part of the type.
template <class Result, class... Parameters>
static uint64_t callHost(Result (*function)(Parameters...), const uint64_t *words) {
  return callWith(function, words, std::index_sequence_for<Parameters...>());
}

/// The C library's functions. Where this file is compiled as HIP, which has malloc and free for devices, too, `::malloc` is
/// no single function.
namespace calls {

static void *malloc(size_t bytes) { return ::malloc(bytes); }
static void free(void *memory) { ::free(memory); }
using ::_exit, ::abort, ::aligned_alloc, ::calloc, ::clock, ::exit, ::fflush, ::fputc, ::fputs, ::fwrite, ::putchar, ::puts,
    ::realloc, ::time;

} // namespace calls

static bool isAllocation(HostFunction function) {
  return function == HostFunction::Call_malloc || function == HostFunction::Call_calloc ||
         function == HostFunction::Call_realloc || function == HostFunction::Call_aligned_alloc;
}

[[noreturn]] static void failFunction(void *address) {
  Dl_info info = {};
  const char *name = dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?";
  fatal("a task on the GPU calls a function (%s, at %p) through a pointer, of which no image has a version for GPUs; compile its "
        "file with --offload-arch, or use CILK2GPU_DEVICE=native",
        name, address);
}

/// A function that only the host has, called for a lane by code that the compiler made for it.
static uint64_t callThunk(const uint64_t *arguments, uint32_t count) {
  uint64_t words[abi::kRequestArguments] = {};
  for (uint32_t i = 1; i < count; ++i)
    words[i - 1] = arguments[i];
  reinterpret_cast<void (*)(uint64_t *)>(arguments[0])(words);
  return words[0];
}

uint64_t RequestServer::perform(HostFunction function, const uint64_t *arguments, uint32_t count) {
  if (isAllocation(function) && !allocates)
    fatal("a task on the GPU allocates memory, but the device does not reach pageable memory, so that it could not use "
          "what malloc returns; allocate outside the tasks, or use CILK2GPU_DEVICE=native");
  switch (function) {
  case HostFunction::Print:
    return uint64_t(printWords(reinterpret_cast<void *>(arguments[0]), reinterpret_cast<const char *>(arguments[1]),
                               arguments + 2, count - 2));
  case HostFunction::Thunk:
    return callThunk(arguments, count);
  case HostFunction::Endless:
    failEndless(int64_t(arguments[0]), int64_t(arguments[1]), int64_t(arguments[2]));
  case HostFunction::NoFunction:
    failFunction(reinterpret_cast<void *>(arguments[0]));
  case HostFunction::OutOfMemory:
    fatal("out of memory: a task on the GPU could not allocate %llu bytes", static_cast<unsigned long long>(arguments[0]));
#define CILK2GPU_HOST_FUNCTION(name)                                                                                   \
  case HostFunction::Call_##name:                                                                                      \
    return callHost(calls::name, arguments);
    CILK2GPU_HOST_FUNCTIONS(CILK2GPU_HOST_FUNCTION)
#undef CILK2GPU_HOST_FUNCTION
  }
  internalError("a GPU asks for function %u of the host, which there is not", unsigned(function));
}

namespace {

/// The host's words and memory, for compilers that have no atomic operations with a scope, too.
struct HostMachine {
  template <int Order, class T> static T load(const T *word) { return __atomic_load_n(word, Order); }
  template <int Order, class T> static void store(T *word, T value) { __atomic_store_n(word, value, Order); }
  template <class T> static T get(const T *place) { return *place; }
  template <class T> static void set(T *place, T value) { *place = value; }
  template <class T> static T own(const T *word) { return *word; }
};

} // namespace

uint64_t RequestServer::serve() {
  return serveRequests<HostMachine>(queue, [this](HostFunction function, const uint64_t *arguments, uint32_t count) {
    return perform(function, arguments, count);
  });
}

//===--------------------------------------------------------------------------------------------------------------===//
// Printing
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

/// Takes values in turn; none is left when they are used up.
class Values {
public:
  Values(const uint64_t *values, uint32_t count) : next(values), end(values + count) {}
  bool has(uint32_t wanted) const { return uint32_t(end - next) >= wanted; }
  uint64_t take() { return *next++; }

private:
  const uint64_t *next, *end;
};

/// One conversion of a format: "%-*.3lld".
struct Conversion {
  char text[64];   ///< as a format of its own, integers' length made that of 8 bytes
  char kind;       ///< the letter; 0: it is not complete
  bool isNarrow;   ///< an int or shorter: only 4 bytes of the value count
  uint32_t stars;  ///< widths and precisions among the values
  uint32_t length; ///< in the format
};

} // namespace

static Conversion readConversion(const char *format) {
  Conversion result = {};
  size_t flags = 1 + strspn(format + 1, "-+ #0123456789.*'");
  size_t sizes = strspn(format + flags, "hlqjzt");
  for (size_t i = 1; i < flags; ++i)
    result.stars += format[i] == '*';
  result.kind = format[flags + sizes];
  result.length = uint32_t(flags + sizes + (result.kind != 0));
  result.isNarrow = sizes == 0 || format[flags] == 'h';
  bool isInteger = result.kind && strchr("diouxX", result.kind), isReal = result.kind && strchr("eEfFgGaA", result.kind);
  if (flags + 4 > sizeof result.text || result.stars > 2 || !(isInteger || isReal || (result.kind && strchr("csp%", result.kind))))
    result.kind = 0;
  memcpy(result.text, format, result.kind ? flags : 0);
  snprintf(result.text + (result.kind ? flags : 0), 8, "%s%c", isInteger ? "ll" : "", result.kind);
  return result;
}

/// What an int, or unsigned, of the lane's is as 8 bytes.
static uint64_t widen(const Conversion &conversion, uint64_t value) {
  if (!conversion.isNarrow)
    return value;
  return strchr("di", conversion.kind) ? uint64_t(int64_t(int32_t(value))) : uint64_t(uint32_t(value));
}

template <class Value> static int printOne(FILE *stream, const Conversion &conversion, Values &values, Value value) {
  const char *text = conversion.text;
  if (conversion.stars == 0)
    return fprintf(stream, text, value);
  int first = int(values.take());
  if (conversion.stars == 1)
    return fprintf(stream, text, first, value);
  int second = int(values.take());
  return fprintf(stream, text, first, second, value);
}

static int print(FILE *stream, const Conversion &conversion, Values &values) {
  Values behind = values; // the value stands behind its widths
  for (uint32_t i = 0; i < conversion.stars; ++i)
    behind.take();
  uint64_t word = behind.take();
  int printed;
  if (conversion.kind == 's')
    printed = printOne(stream, conversion, values, reinterpret_cast<const char *>(word));
  else if (conversion.kind == 'p')
    printed = printOne(stream, conversion, values, reinterpret_cast<void *>(word));
  else if (conversion.kind == 'c')
    printed = printOne(stream, conversion, values, int(word));
  else if (strchr("diouxX", conversion.kind))
    printed = printOne(stream, conversion, values, static_cast<unsigned long long>(widen(conversion, word)));
  else
    printed = printOne(stream, conversion, values, __builtin_bit_cast(double, word));
  values = behind;
  return printed;
}

int printWords(void *to, const char *format, const uint64_t *words, uint32_t count) {
  FILE *stream = to ? static_cast<FILE *>(to) : stdout;
  Values values(words, count);
  int total = 0;
  while (*format) {
    size_t plain = strcspn(format, "%");
    total += int(fwrite(format, 1, plain, stream));
    format += plain;
    if (!*format)
      break;
    Conversion conversion = readConversion(format);
    if (conversion.kind == '%' && conversion.length == 2) {
      total += fputc('%', stream) >= 0;
    } else if (conversion.kind == 0 || conversion.kind == '%' || !values.has(conversion.stars + 1)) {
      total += int(fwrite(format, 1, conversion.length, stream));
    } else {
      total += print(stream, conversion, values);
    }
    format += conversion.length;
  }
  return total;
}

} // namespace cilk2gpu::rt
