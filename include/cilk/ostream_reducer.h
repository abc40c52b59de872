/* <cilk/ostream_reducer.h> of OpenCilk: `cilk::ostream_reducer<char> out(std::cout);` is a stream whose output has the
   order of the serial elision. The leftmost view writes to the stream; other views keep their text until they are
   merged. */
#ifndef CILK2GPU_CILK_OSTREAM_REDUCER_H
#define CILK2GPU_CILK_OSTREAM_REDUCER_H

#ifdef __cplusplus

#include <new>
#include <ostream>
#include <sstream>

namespace cilk {

template <typename Char, typename Traits = std::char_traits<Char>>
class ostream_view : public std::basic_ostream<Char, Traits> {
  typedef std::basic_ostream<Char, Traits> base;
  std::basic_stringbuf<Char, Traits> text; // of a view that is not leftmost

public:
  ostream_view() : base(nullptr) { this->init(&text); }

  /* The leftmost view shares buffer, format and state of `stream`. */
  ostream_view(const base &stream) : base(nullptr) {
    this->init(stream.rdbuf());
    this->flags(stream.flags());
    this->setstate(stream.rdstate());
  }

  /* Appends the text of `right`. */
  void reduce(ostream_view *right) {
    std::basic_string<Char, Traits> added = right->text.str();
    if (!added.empty())
      this->write(added.data(), static_cast<std::streamsize>(added.size()));
    this->flags(right->flags());
    this->setstate(right->rdstate());
  }

  static void identity(void *view) { ::new (view) ostream_view(); }
  static void reduce(void *left, void *right) {
    ostream_view *added = static_cast<ostream_view *>(right);
    static_cast<ostream_view *>(left)->reduce(added);
    added->~ostream_view();
  }
};

template <typename Char, typename Traits = std::char_traits<Char>>
using ostream_reducer = ostream_view<Char, Traits> _Hyperobject((&ostream_view<Char, Traits>::identity),
                                                                (&ostream_view<Char, Traits>::reduce));

} // namespace cilk

#endif
#endif
