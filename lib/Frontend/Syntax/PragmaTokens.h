// Tokens that pragmas put before a statement.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMATOKENS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMATOKENS_H

#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// Makes a punctuator or a keyword.
clang::Token makeToken(clang::Preprocessor &pp, clang::tok::TokenKind kind, clang::SourceLocation at);

/// Makes the parser read the tokens next.
void enterTokens(clang::Preprocessor &pp, llvm::ArrayRef<clang::Token> tokens);

/// Returns true if the source file shows that no cilk_for follows a pragma whose last token stands at `end`. Returns
/// false if only the preprocessor knows the next token; then the token watcher of Keywords checks it.
bool standsAlone(clang::Preprocessor &pp, clang::SourceLocation end, const Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMATOKENS_H
