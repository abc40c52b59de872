/* <cilk/reducer_string.h> of Cilk Plus: strings in the order of the serial elision.
   `cilk::reducer<cilk::op_string> text;` and `*text += "x";` or `text->append("x");`. `cilk::reducer_string` is the
   older form. */
#ifndef CILK2GPU_CILK_REDUCER_STRING_H
#define CILK2GPU_CILK_REDUCER_STRING_H

#include <cilk/reducer_list.h>

#ifdef __cplusplus

#include <string>

namespace cilk {

namespace internal {
template <typename String> struct join_strings {
  static void join(String &left, const String &right) { left.append(right); }
};
} // namespace internal

template <typename Char, typename Traits = std::char_traits<Char>, typename Allocator = std::allocator<Char>>
class op_basic_string_view
    : public internal::pieced_view<std::basic_string<Char, Traits, Allocator>,
                                   internal::join_strings<std::basic_string<Char, Traits, Allocator>>> {
  typedef std::basic_string<Char, Traits, Allocator> string_type;

public:
  using internal::pieced_view<string_type, internal::join_strings<string_type>>::pieced_view;
  op_basic_string_view() {}
  template <typename... Arguments> op_basic_string_view &append(const Arguments &...arguments) {
    this->m_value.append(arguments...);
    return *this;
  }
  template <typename Text> op_basic_string_view &operator+=(const Text &text) {
    this->m_value += text;
    return *this;
  }
  void push_back(Char c) { this->m_value.push_back(c); }
};

template <typename Char, typename Traits = std::char_traits<Char>, typename Allocator = std::allocator<Char>,
          bool = false>
struct op_basic_string : public monoid_with_view<op_basic_string_view<Char, Traits, Allocator>> {};
typedef op_basic_string<char> op_string;
typedef op_basic_string<wchar_t> op_wstring;

/* The older form. */
template <typename Char, typename Traits = std::char_traits<Char>, typename Allocator = std::allocator<Char>>
class reducer_basic_string : public reducer<op_basic_string<Char, Traits, Allocator>> {
  typedef reducer<op_basic_string<Char, Traits, Allocator>> base;

public:
  reducer_basic_string() {}
  template <typename... Arguments>
  explicit reducer_basic_string(const Arguments &...arguments)
      : base(std::basic_string<Char, Traits, Allocator>(arguments...)) {}
  template <typename... Arguments> reducer_basic_string &append(const Arguments &...arguments) {
    this->view().append(arguments...);
    return *this;
  }
  template <typename Text> reducer_basic_string &operator+=(const Text &text) {
    this->view() += text;
    return *this;
  }
  void push_back(Char c) { this->view().push_back(c); }
  reducer_basic_string &operator*() { return *this; }
  reducer_basic_string *operator->() { return this; }
};
typedef reducer_basic_string<char> reducer_string;
typedef reducer_basic_string<wchar_t> reducer_wstring;

} // namespace cilk

#endif
#endif
