/* <cilk/reducer_ostream.h> of Cilk Plus: output in the order of the serial elision.
   `cilk::reducer<cilk::op_ostream> out(std::cout);` and `*out << x;`. `cilk::reducer_ostream` is the older form,
   where the `*` is left out. */
#ifndef CILK2GPU_CILK_REDUCER_OSTREAM_H
#define CILK2GPU_CILK_REDUCER_OSTREAM_H

#include <cilk/ostream_reducer.h>
#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {

template <typename Char, typename Traits = std::char_traits<Char>>
class op_basic_ostream_view : public ostream_view<Char, Traits> {
public:
  typedef std::basic_ostream<Char, Traits> value_type;
  op_basic_ostream_view() {}
  op_basic_ostream_view(const value_type &stream) : ostream_view<Char, Traits>(stream) {}
  void reduce(op_basic_ostream_view *right) {
    ostream_view<Char, Traits>::reduce(static_cast<ostream_view<Char, Traits> *>(right));
  }
  const value_type &view_get_value() const { return *this; }
};

template <typename Char, typename Traits = std::char_traits<Char>, bool = false>
struct op_basic_ostream : public monoid_with_view<op_basic_ostream_view<Char, Traits>> {};
typedef op_basic_ostream<char> op_ostream;
typedef op_basic_ostream<wchar_t> op_wostream;

/* The older form. */
template <typename Char, typename Traits = std::char_traits<Char>>
class reducer_basic_ostream : public reducer<op_basic_ostream<Char, Traits>> {
public:
  explicit reducer_basic_ostream(const std::basic_ostream<Char, Traits> &stream)
      : reducer<op_basic_ostream<Char, Traits>>(stream) {}
  template <typename T> std::basic_ostream<Char, Traits> &operator<<(const T &x) { return this->view() << x; }
  std::basic_ostream<Char, Traits> &
  operator<<(std::basic_ostream<Char, Traits> &(*change)(std::basic_ostream<Char, Traits> &)) {
    return this->view() << change;
  }
};
typedef reducer_basic_ostream<char> reducer_ostream;
typedef reducer_basic_ostream<wchar_t> reducer_wostream;

} // namespace cilk

#endif
#endif
