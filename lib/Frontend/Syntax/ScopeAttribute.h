// Makes cilk_scope an attribute for the parser, and cilk_spawn in front of a block or another statement with a keyword.
// Its token has the kind of one of Clang's keyword attributes. A keyword
// attribute may stand wherever [[...]] may, so `cilk_scope { }` parses as a block with an attribute. The plugin gives
// the attribute its meaning.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H

#include "clang/AST/Attr.h"
#include "clang/Basic/TokenKinds.h"

namespace cilk2gpu {

/// The kind of token that cilk_scope uses, and cilk_spawn in front of a block. Clang's own attribute of this kind takes
/// no arguments, and has no second spelling in any dialect of C or C++.
inline constexpr clang::tok::TokenKind kScopeToken = clang::tok::kw___arm_locally_streaming;

/// The name of a spawn keyword in front of a block. No program can spell it.
inline constexpr const char kSpawnedBlockName[] = "cilk_spawn block";

/// Returns true if this attribute of a statement came from cilk_scope.
bool isScopeAttribute(const clang::Attr *attribute);

/// Returns true if this attribute of a statement came from cilk_spawn.
bool isSpawnAttribute(const clang::Attr *attribute);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H
