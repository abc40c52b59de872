// Handles the grainsize pragmas. A pragma puts a switch before its cilk_for, and the rewriting of the loop removes the
// switch. A cilk_for must follow the pragma. This file checks that as far as the source file shows the next token;
// otherwise, the token watcher of Keywords checks it.
#include "GrainPragma.h"
#include "Diagnostics.h"
#include "Keywords.h"
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

static Token makeToken(Preprocessor &pp, tok::TokenKind kind, SourceLocation at) {
  Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(at);
  if (const char *keyword = tok::getKeywordSpelling(kind))
    token.setIdentifierInfo(pp.getIdentifierInfo(keyword));
  return token;
}

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

// Returns true if the source file shows that no cilk_for follows the pragma. `end` is the pragma's last token. Returns
// false if only the preprocessor knows the next token; then the token watcher of Keywords checks it.
static bool isAlone(Preprocessor &pp, SourceLocation end, const Keywords &keywords) {
  const SourceManager &sources = pp.getSourceManager();
  end = sources.getExpansionRange(end).getEnd();
  std::optional<Token> next = Lexer::findNextToken(end, sources, pp.getLangOpts());
  if (!next || next->is(tok::hash))
    return false;
  if (next->isNot(tok::raw_identifier))
    return true;
  StringRef name = next->getRawIdentifier();
  return !keywords.isForName(name) && !pp.isMacroDefined(name);
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
  if (introducer.Kind == PIK_HashPragma && isAlone(pp, end, *keywords)) {
    report(pp.getDiagnostics(), at, Message::GrainWithoutLoop);
    return;
  }
  for (tok::TokenKind kind : {tok::r_paren, tok::r_paren, tok::kw_default, tok::colon})
    tokens.push_back(makeToken(pp, kind, end));
  auto stream = std::make_unique<Token[]>(tokens.size());
  llvm::copy(tokens, stream.get());
  pp.EnterTokenStream(std::move(stream), tokens.size(), /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  keywords->addGrain(at, end);
}

void addGrainPragmas(Preprocessor &pp, Keywords *keywords) {
  pp.AddPragmaHandler("cilk", new GrainPragma(keywords));
  pp.AddPragmaHandler(new GrainPragma(keywords));
}

} // namespace cilk2gpu
