// Rewrites reducers. Each expression that names a reducer becomes an access to the view of the strand that runs:
//
//   x   ->   *(T *)__hyper_lookup(&x, sizeof(x), identity, reduce)
//
// A reducer that is a local variable, or is made by `new`, is registered where its lifetime begins. It is unregistered
// before its lifetime ends. The serial elision has no views: there, nothing is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREWRITE_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREWRITE_H

#include "Frontend/Syntax/ReducerType.h"
#include "ReducerReferences.h"
#include "SpawnRewrite.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

/// Each translation unit has one object of this class.
class ReducerRewriter {
public:
  ReducerRewriter(clang::Sema &sema, MarkerBuilder &markers, const Keywords &keywords, bool elides)
      : sema(sema), context(sema.Context), markers(markers), keywords(keywords), elides(elides),
        references(sema.getDiagnostics(), context, reported) {}

  /// Rewrites the body of the function and of lambdas in it. Later calls for the function have no effect.
  void rewriteFunction(clang::FunctionDecl *function);
  /// Rewrites the initializer of a variable outside of functions.
  void rewriteVariable(clang::VarDecl *variable);
  /// Rewrites the initializer in the declaration of a member.
  void rewriteField(clang::FieldDecl *field);
  /// Marks the functions of the reducer as used. An elision does not call them, and Clang would warn.
  void useFunctions(const ReducerType &reducer);

private:
  /// The functions of a reducer, as arguments of a lookup.
  struct Callbacks {
    clang::Expr *identity = nullptr, *reduce = nullptr;
  };

  clang::Stmt *rewrite(clang::Stmt *stmt);
  clang::Expr *rewriteExpression(clang::Expr *expr);
  void rewriteChildren(clang::Stmt *parent);
  void rewriteDeclarations(clang::DeclStmt *statement);
  clang::VarDecl *rewriteLocal(clang::VarDecl *variable);
  void rewriteLambda(clang::LambdaExpr *lambda);
  void rewriteCall(clang::CallExpr *call);
  void rewriteConstruct(clang::CXXConstructExpr *construct);
  void refuseSpawn(const clang::Expr *value);
  void rewriteAssignment(clang::BinaryOperator *assignment);
  void rewriteMember(clang::MemberExpr *member);
  void rewriteDefaultArgument(clang::ParmVarDecl *parameter);
  void rewriteInitializers(clang::CXXConstructorDecl *constructor);
  clang::Expr *rewriteNew(clang::CXXNewExpr *made);
  clang::Expr *rewriteDelete(clang::CXXDeleteExpr *deleted);
  clang::Expr *rewriteSource(clang::QualType target, clang::Expr *source);
  void rewriteKey(clang::Expr *expr, clang::QualType target);

  Callbacks callbacks(const ReducerType &reducer, const clang::Expr *named);
  clang::Expr *instantiate(const ReducerType &reducer, const clang::Expr *named);
  clang::MultiLevelTemplateArgumentList argumentsOf(const ReducerType &reducer, const clang::Expr *named,
                                                    const clang::DeclContext *&owner);
  clang::Expr *lookup(clang::Expr *key, const ReducerType &reducer, const clang::Expr *named);
  clang::Expr *lookupNamed(clang::Expr *named, const ReducerType &reducer);

  /// Makes one statement for a reducer, an lvalue.
  using Action = llvm::function_ref<clang::Expr *(clang::Expr *reducer, const ReducerType &type)>;
  /// Makes the object's expression.
  using Object = llvm::function_ref<clang::Expr *()>;
  void forEachReducer(clang::QualType type, Object object, Action action, llvm::SmallVectorImpl<clang::Stmt *> &output);
  void forEachElement(const clang::ConstantArrayType *array, Object object, Action action,
                      llvm::SmallVectorImpl<clang::Stmt *> &output);
  void forEachMember(clang::RecordDecl *record, Object object, Action action,
                     llvm::SmallVectorImpl<clang::Stmt *> &output);
  clang::Expr *makeRegister(clang::Expr *reducer, const ReducerType &type);
  clang::Expr *makeUnregister(clang::Expr *reducer);
  clang::FunctionDecl *makeFunction(clang::QualType object, bool registers);
  clang::Expr *callFor(clang::FunctionDecl *callee, clang::Expr *object);
  clang::Expr *registerCall(clang::QualType type, clang::Expr *object);
  clang::Expr *unregisterCall(clang::QualType type, clang::Expr *object);
  void addCleanup(clang::VarDecl *variable);

  clang::Expr *reference(clang::ValueDecl *decl, clang::QualType type);
  clang::Expr *sizeLiteral(uint64_t value, clang::SourceLocation at);
  void refuse(clang::SourceLocation at, Message message, unsigned kind);

  clang::Sema &sema;
  clang::ASTContext &context;
  MarkerBuilder &markers;
  const Keywords &keywords;
  bool elides;
  clang::FunctionDecl *function = nullptr;    ///< being rewritten, or null
  clang::FunctionDecl *objectOwner = nullptr; ///< function of an object's reducers that is being made
  clang::FunctionDecl *lookupFunction = nullptr, *registerFunction = nullptr, *unregisterFunction = nullptr;
  llvm::DenseSet<const clang::Decl *> done;
  unsigned numLookups = 0;
  llvm::DenseMap<std::pair<const void *, const void *>, Callbacks> resolved;
  llvm::DenseMap<std::pair<const clang::Type *, unsigned>, clang::FunctionDecl *> made;
  llvm::DenseSet<clang::SourceLocation> reported;
  ReducerReferences references;
};

/// Checks the declarations of reducers below `decl`, and rewrites all uses.
void handleReducers(clang::Decl *decl, ReducerRewriter &rewriter, clang::Sema &sema);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREWRITE_H
