// The records of cilk2gpu/abi/Records.def as the compiler fills them in. Each record has a structure with a member for
// each field, which starts with the field's default. A misspelled field does not compile, and a new field keeps its
// default until code fills it in.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RECORDVALUES_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RECORDVALUES_H

#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <type_traits>

namespace cilk2gpu {

/// A constant in a record: a number of 32 or 64 bits, or the address of a symbol.
struct RecordValue {
  unsigned bits;           ///< size of the number; 0: the constant is an address
  uint64_t number = 0;     ///< value of a number
  std::string symbol = {}; ///< symbol of an address; empty: null

  template <typename T> static RecordValue initially(T value) {
    if constexpr (std::is_pointer_v<T>)
      return {.bits = 0};
    else
      return {.bits = 8 * sizeof(T), .number = static_cast<uint64_t>(value)};
  }
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  RecordValue &operator=(T value) {
    number = static_cast<uint64_t>(value);
    return *this;
  }
  RecordValue &operator=(const std::string &name) {
    symbol = name;
    return *this;
  }
};

namespace abi {

// For each kind of record NAME a structure NAMEValues, with a RecordValue for each field.
// clang-format off
#define CILK2GPU_RECORD(name) struct name##Values {
#define CILK2GPU_ANY_FIELD(type, name, value) RecordValue name = RecordValue::initially<type>(value);
#define CILK2GPU_RECORD_END llvm::SmallVector<const RecordValue *> list() const; /* the fields in order */ };
#include "cilk2gpu/abi/Records.def"

#define CILK2GPU_RECORD(name) inline llvm::SmallVector<const RecordValue *> name##Values::list() const { return {
#define CILK2GPU_ANY_FIELD(type, name, value) &name,
#define CILK2GPU_RECORD_END }; }
#include "cilk2gpu/abi/Records.def"
// clang-format on

} // namespace abi
} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RECORDVALUES_H
