// cilk_scope for the parser: its token has the kind of one of Clang's keyword attributes, which may stand wherever
// [[...]] may, so `cilk_scope { }` parses as a block with an attribute. Clang asks the plugin what the attribute means.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H

#include "clang/AST/Attr.h"
#include "clang/Basic/TokenKinds.h"

namespace cilk2gpu {

/// Takes no arguments, and is a keyword in no dialect of the languages by another name than its own.
inline constexpr clang::tok::TokenKind kScopeToken = clang::tok::kw___arm_locally_streaming;

/// Whether this attribute of a statement came from cilk_scope.
bool isScopeAttribute(const clang::Attr *attribute);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_SCOPEATTRIBUTE_H
