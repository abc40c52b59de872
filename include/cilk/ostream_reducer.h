/* <cilk/ostream_reducer.h> of OpenCilk: `cilk::ostream_reducer<char> out(std::cout);` is a stream whose output has the
   order of the serial elision. The leftmost view writes to the stream; other views keep their text until they are
   merged. */
#ifndef CILK2GPU_CILK_OSTREAM_REDUCER_H
#define CILK2GPU_CILK_OSTREAM_REDUCER_H

#ifdef __cplusplus

#include <list>
#include <new>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace cilk {

namespace internal {

/* The text of a view that is not leftmost, in pieces. */
template <typename Char, typename Traits> class text_pieces : public std::basic_streambuf<Char, Traits> {
  typedef std::basic_streambuf<Char, Traits> base;
  typedef std::basic_string<Char, Traits> string;
  typedef typename Traits::int_type int_type;
  std::list<string> pieces;
  string last; /* what follows the pieces */
  Char area[256];

  void take() { /* the characters of the area */
    last.append(this->pbase(), static_cast<typename string::size_type>(this->pptr() - this->pbase()));
    this->setp(area, area + sizeof area / sizeof *area);
  }

protected:
  int_type overflow(int_type c) override {
    take();
    if (!Traits::eq_int_type(c, Traits::eof()))
      last.push_back(Traits::to_char_type(c));
    return Traits::not_eof(c);
  }
  std::streamsize xsputn(const Char *text, std::streamsize size) override {
    if (size <= this->epptr() - this->pptr()) {
      Traits::copy(this->pptr(), text, static_cast<typename string::size_type>(size));
      this->pbump(static_cast<int>(size));
    } else {
      take();
      last.append(text, static_cast<typename string::size_type>(size));
    }
    return size;
  }

public:
  text_pieces() { this->setp(area, area + sizeof area / sizeof *area); }

  /* Appends the text of `right`, without a copy of it. */
  void splice(text_pieces &right) {
    take();
    if (!last.empty())
      pieces.push_back(std::move(last));
    right.take();
    pieces.splice(pieces.end(), right.pieces);
    last = std::move(right.last);
  }
  void write_to(std::basic_ostream<Char, Traits> &stream) {
    take();
    for (const string &piece : pieces)
      stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (!last.empty())
      stream.write(last.data(), static_cast<std::streamsize>(last.size()));
  }
};

} // namespace internal

template <typename Char, typename Traits = std::char_traits<Char>>
class ostream_view : public std::basic_ostream<Char, Traits> {
  typedef std::basic_ostream<Char, Traits> base;
  internal::text_pieces<Char, Traits> text; // of a view that is not leftmost

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
    if (this->rdbuf() == &text)
      text.splice(right->text);
    else
      right->text.write_to(*this);
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
