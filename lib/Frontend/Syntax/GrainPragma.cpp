// Handles the grainsize pragmas. A pragma puts a switch before its cilk_for, and the rewriting of the loop removes the
// switch. A cilk_for must follow the pragma. This file checks that as far as the source file shows the next token;
// otherwise, the token watcher of Keywords checks it.
#include "GrainPragma.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "PragmaTokens.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

namespace {
class GrainPragma : public PragmaHandler {
public:
  explicit GrainPragma(Keywords *keywords) : PragmaHandler("grainsize"), keywords(keywords) {}
  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) override;

private:
  Keywords *keywords;
};
} // namespace

// Reads the tokens up to the end of the line. Returns false if a parenthesis of the expression would close the
// parenthesis that the pragma puts around it.
static bool readExpression(Preprocessor &pp, Token token, SmallVectorImpl<Token> &tokens) {
  int depth = 0;
  for (; token.isNot(tok::eod) && depth >= 0; pp.Lex(token)) {
    depth += token.is(tok::l_paren) - token.is(tok::r_paren);
    tokens.push_back(token);
  }
  return depth == 0;
}

void GrainPragma::HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &name) {
  if (!keywords)
    return;
  Token token;
  pp.Lex(token);
  SourceLocation at = name.getLocation(), end = token.getLocation();
  if (token.is(tok::equal))
    pp.Lex(token);
  SmallVector<Token, 8> tokens = {makeToken(pp, tok::kw_switch, at), makeToken(pp, tok::l_paren, at),
                                  makeToken(pp, tok::l_paren, at)};
  size_t prefix = tokens.size();
  if (!readExpression(pp, token, tokens) || tokens.size() == prefix) {
    report(pp.getDiagnostics(), at, Message::GrainSyntax);
    return;
  }
  end = tokens.back().getLocation();
  if (introducer.Kind == PIK_HashPragma && standsAlone(pp, end, *keywords)) {
    report(pp.getDiagnostics(), at, Message::GrainWithoutLoop);
    return;
  }
  for (tok::TokenKind kind : {tok::r_paren, tok::r_paren, tok::kw_default, tok::colon})
    tokens.push_back(makeToken(pp, kind, end));
  enterTokens(pp, tokens);
  keywords->addGrain(at, end);
}

std::unique_ptr<PragmaHandler> makeGrainPragma(Keywords *keywords) { return std::make_unique<GrainPragma>(keywords); }

} // namespace cilk2gpu
