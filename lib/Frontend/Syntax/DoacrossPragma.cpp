// Reads the doacross pragma and puts its expressions before the loop.
#include "DoacrossPragma.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "PragmaTokens.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

namespace {
class DoacrossHandler : public PragmaHandler {
public:
  explicit DoacrossHandler(Keywords *keywords) : PragmaHandler("doacross"), keywords(keywords) {}
  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) override;

private:
  Keywords *keywords;
};

// Errors in the text, in the order of Message::DoacrossSyntax's %select.
enum class BadText { None, NoSink, Coordinate, Unclosed, EmptySize, Rest };

/// Reads one pragma. `tokens` receives what the parser sees.
class DoacrossReader {
public:
  DoacrossReader(Preprocessor &pp, SourceLocation at) : pp(pp) { pragma.at = at; }

  BadText read();

  DoacrossPragma pragma;
  SmallVector<Token, 32> tokens;
  Token token; ///< next token
  SourceLocation end;

private:
  void advance() {
    end = token.getLocation();
    pp.Lex(token);
  }
  BadText readList(llvm::function_ref<BadText(ArrayRef<Token>)> add);
  BadText addCoordinate(ArrayRef<Token> text);
  BadText addSize(ArrayRef<Token> text);
  void addSwitch(ArrayRef<Token> value, SourceLocation at);

  Preprocessor &pp;
};
} // namespace

unsigned DoacrossPragma::countExpressions() const {
  unsigned count = sizes.size();
  for (const Sink &sink : sinks)
    count += llvm::count_if(sink, [](const Coordinate &coordinate) { return coordinate.hasDistance; });
  return count;
}

// Appends `switch ((value)) default:`. All tokens behind the value have the location of its last token: the token
// watcher then sees the end of the pragma.
void DoacrossReader::addSwitch(ArrayRef<Token> value, SourceLocation at) {
  for (tok::TokenKind kind : {tok::kw_switch, tok::l_paren, tok::l_paren})
    tokens.push_back(makeToken(pp, kind, at));
  tokens.append(value.begin(), value.end());
  for (tok::TokenKind kind : {tok::r_paren, tok::r_paren, tok::kw_default, tok::colon})
    tokens.push_back(makeToken(pp, kind, value.back().getLocation()));
}

// Reads `(text, text, ...)`. Commas in parentheses belong to their text.
BadText DoacrossReader::readList(llvm::function_ref<BadText(ArrayRef<Token>)> add) {
  advance(); // over the parenthesis
  SmallVector<Token, 8> text;
  for (int depth = 0;; advance()) {
    if (token.is(tok::eod))
      return BadText::Unclosed;
    bool isEnd = depth == 0 && token.is(tok::r_paren);
    if (isEnd || (depth == 0 && token.is(tok::comma))) {
      if (BadText bad = add(text); bad != BadText::None)
        return bad;
      text.clear();
      if (isEnd)
        return advance(), BadText::None;
      continue;
    }
    depth += token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
    depth -= token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
    text.push_back(token);
  }
}

// A coordinate is a name, or a name and an expression that begins with + or -.
BadText DoacrossReader::addCoordinate(ArrayRef<Token> text) {
  if (text.empty() || text[0].isNot(tok::identifier))
    return BadText::Coordinate;
  ArrayRef<Token> distance = text.drop_front();
  if (!distance.empty() && (distance.size() == 1 || !distance[0].isOneOf(tok::plus, tok::minus)))
    return BadText::Coordinate;
  pragma.sinks.back().push_back({text[0].getIdentifierInfo(), text[0].getLocation(), !distance.empty()});
  if (!distance.empty())
    addSwitch(distance, distance[0].getLocation());
  return BadText::None;
}

BadText DoacrossReader::addSize(ArrayRef<Token> text) {
  if (text.empty())
    return BadText::EmptySize;
  pragma.sizes.push_back(text[0].getLocation());
  addSwitch(text, text[0].getLocation());
  return BadText::None;
}

BadText DoacrossReader::read() {
  SourceLocation at = pragma.at;
  // Any constant will do for the first switch.
  Token constant[] = {makeToken(pp, tok::kw_sizeof, at), makeToken(pp, tok::l_paren, at),
                      makeToken(pp, tok::kw_int, at), makeToken(pp, tok::r_paren, at)};
  addSwitch(constant, at);
  pp.Lex(token);
  if (token.isNot(tok::l_paren))
    return BadText::NoSink;
  while (token.is(tok::l_paren)) {
    pragma.sinks.emplace_back();
    if (BadText bad = readList([&](ArrayRef<Token> text) { return addCoordinate(text); }); bad != BadText::None)
      return bad;
  }
  if (token.is(tok::identifier) && token.getIdentifierInfo()->isStr("tile")) {
    advance();
    if (token.isNot(tok::l_paren))
      return BadText::EmptySize;
    if (BadText bad = readList([&](ArrayRef<Token> text) { return addSize(text); }); bad != BadText::None)
      return bad;
  }
  return token.is(tok::eod) ? BadText::None : BadText::Rest;
}

void DoacrossHandler::HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) {
  if (!keywords)
    return;
  DoacrossReader reader(pp, name.getLocation());
  BadText bad = reader.read();
  if (bad != BadText::None) {
    bool hasToken = reader.token.isNot(tok::eod);
    report(pp.getDiagnostics(), hasToken ? reader.token.getLocation() : name.getLocation(), Message::DoacrossSyntax)
        << unsigned(bad) - 1;
    return;
  }
  if (introducer.Kind == PIK_HashPragma && standsAlone(pp, reader.end, *keywords)) {
    report(pp.getDiagnostics(), name.getLocation(), Message::DoacrossWithoutLoop);
    return;
  }
  SourceLocation end = reader.tokens.back().getLocation();
  enterTokens(pp, reader.tokens);
  keywords->addDoacross(std::move(reader.pragma), end);
}

std::unique_ptr<PragmaHandler> makeDoacrossPragma(Keywords *keywords) {
  return std::make_unique<DoacrossHandler>(keywords);
}

} // namespace cilk2gpu
