// Ordered spawns, which have a `#pragma cilk depend`. A spawn creates a task in a table of the frame, and does not
// start it. A function of its own, the run function, runs the tasks of the table level by level:
//
//   #pragma cilk depend(in: a) depend(out: b)
//   b = cilk_spawn f(x);
//   cilk_sync;
//
//   ->  Record *task = __cilk2gpu_depend_create(&table, 0, sizeof(Record), alignof(Record));
//       __cilk2gpu_depend_item(&table, &a, 1, sizeof a, 0, "file.c:1"); ...
//       task->x = x; task->result = &b;
//       if (__cilk2gpu_depend_add(&table)) run(&table);
//       if (__cilk2gpu_depend_pending(&table)) run(&table);
//       sync;
//
//   static void run(void **table) {
//     sync;                                            // makes it a Cilk function
//     while (Record **tasks = __cilk2gpu_depend_level(table, &count))
//       cilk_for (uint64_t i = 0; i < count; ++i) {
//         __cilk2gpu_depend_enter(tasks[i]);             // these two calls are for units with reducers
//         switch (tasks[i]->site) { case 0: *tasks[i]->result = f(tasks[i]->x); ... }
//         __cilk2gpu_depend_leave(tasks[i]);
//       }
//   }
//
// If exceptions may leave tasks, a handler around the switch puts them into the frame's slot (DeferExceptions.cpp).
//
// The frame of a function has one table, and so has the frame of each iteration of a cilk_for.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_DEPENDFRAME_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_DEPENDFRAME_H

#include "Frontend/Syntax/DependPragma.h"
#include "SpawnRewrite.h"

namespace cilk2gpu {

class DependFrame {
public:
  DependFrame(MarkerBuilder &markers, clang::Sema &sema, clang::FunctionDecl *function);

  /// Makes the declaration of the table. It stands in front of all statements of the frame. The end of its scope frees
  /// the table.
  clang::Stmt *declareTable();

  /// Makes the expression that creates a task. Changes the site's call and assignment in place. Returns null if the
  /// site was refused.
  clang::Expr *makeTask(const SpawnSite &site, llvm::ArrayRef<DependItem> items);

  /// Makes the expression that runs all tasks of the table, if there are any.
  clang::Expr *makeRun(clang::SourceLocation at);

  /// Gives the run function its body, and passes it to CodeGen. Called when all spawns of the frame are rewritten.
  void finish();

private:
  /// A record that is being made for a spawn.
  struct Record {
    clang::RecordDecl *type;
    clang::Expr *created;     ///< its address in the frame
    clang::VarDecl *variable; ///< its address in the run function
    llvm::SmallVector<clang::Expr *, 8> stores;
  };

  bool accept(const SpawnSite &site);
  clang::Expr *callRuntime(clang::StringRef name, llvm::ArrayRef<clang::Expr *> arguments, clang::QualType result,
                           clang::SourceLocation at);
  clang::Expr *tableAddress(clang::SourceLocation at);
  void addItem(const DependItem &item, llvm::SmallVectorImpl<clang::Expr *> &parts);
  clang::Expr *lengthOf(const DependDimension &dimension, clang::SourceLocation at);
  Record makeRecord(clang::SourceLocation at);
  clang::Expr *member(clang::Expr *base, clang::FieldDecl *field);
  clang::FieldDecl *addField(Record &record, clang::QualType type);
  clang::Expr *keepValue(clang::Expr *value, Record &record);
  clang::Expr *keepObject(clang::Expr *object, Record &record);
  clang::Expr *keep(clang::Expr *operand, Record &record);
  void keepOperands(const SpawnSite &site, Record &record);
  void addCase(const SpawnSite &site, Record &record, clang::Expr *destination);
  clang::Stmt *makeChoice(clang::VarDecl *tasks, clang::VarDecl *index);
  clang::Stmt *makeLevel(clang::VarDecl *tasks, clang::VarDecl *count);

  MarkerBuilder &markers;
  clang::Sema &sema;
  clang::ASTContext &context;
  clang::SourceLocation at; ///< of the function
  clang::VarDecl *table;
  clang::FunctionDecl *run;
  clang::ParmVarDecl *parameter; ///< of the run function: the table's address
  clang::VarDecl *task;          ///< of the run function: the record of the task to run
  llvm::SmallVector<clang::Stmt *, 4> cases;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_DEPENDFRAME_H
