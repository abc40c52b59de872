// Makes tokens for the parser, and looks at the token that follows a pragma.
#include "PragmaTokens.h"
#include "Keywords.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

Token makeToken(Preprocessor &pp, tok::TokenKind kind, SourceLocation at) {
  Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(at);
  if (const char *keyword = tok::getKeywordSpelling(kind))
    token.setIdentifierInfo(pp.getIdentifierInfo(keyword));
  return token;
}

void enterTokens(Preprocessor &pp, ArrayRef<Token> tokens) {
  auto stream = std::make_unique<Token[]>(tokens.size());
  llvm::copy(tokens, stream.get());
  pp.EnterTokenStream(std::move(stream), tokens.size(), /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

bool standsAlone(Preprocessor &pp, SourceLocation end, const Keywords &keywords) {
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

} // namespace cilk2gpu
