// Tests that a local array that tasks only lend to functions stays a local variable. It is copied to the frame where the task
// waits, if it is used behind a sync. An array whose address somebody keeps lives in the frame.
// RUN: cilk2gpu -O2 --emit=channel %s -o - | FileCheck %s
#include <cilk/cilk.h>

typedef struct {
  char at[24];
} Board;

__attribute__((noinline)) static int reads(const Board *board, int i) { return board->at[i] + board->at[i + 1]; }

static const Board *kept;
__attribute__((noinline)) static int keeps(const Board *board, int i) { return (kept = board)->at[i]; }

// Nothing is left to do behind the sync, and nobody has the board by then.
// CHECK-DAG: channel.frame @lends.frame of @lends size 0
void lends(int n, Board board) {
  for (int i = 0; i < n; ++i) {
    board.at[i] = (char)n;
    if (reads(&board, i))
      cilk_spawn lends(n - 1, board);
  }
  cilk_sync;
}

// The board is used again: its 24 bytes are saved, and n, before it, as that fits into a column of frames.
// CHECK-DAG: channel.frame @saves.frame of @saves size 32
// CHECK-DAG: channel.stack @saves.1 (!llvm.ptr) resumes @saves
void saves(int n, Board board) {
  board.at[n] = 1;
  if (reads(&board, n))
    cilk_spawn saves(n - 1, board);
  cilk_sync;
  cilk_spawn saves(reads(&board, n), board);
}

// CHECK-DAG: channel.frame @keeps_it.frame of @keeps_it size 24
// CHECK-DAG: channel.stack @keeps_it.1 (!llvm.ptr) resumes @keeps_it
void keeps_it(int n, Board board) {
  board.at[n] = 1;
  if (keeps(&board, n))
    cilk_spawn keeps_it(n - 1, board);
  cilk_sync;
}

// CHECK-LABEL: llvm.func internal @saves.k0
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<"struct.Board"
// CHECK: %[[FRAME:.*]] = channel.talloc @cilk::@saves.frame
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[FRAME]][8]
// CHECK: "llvm.intr.memcpy"(%[[PLACE]], %{{.*}}, %{{.*}})
// CHECK-LABEL: llvm.func internal @saves.k1
// CHECK: %{{.*}}, %[[FRAME:.*]] = channel.deq @cilk::@saves.1
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[FRAME]][8]
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[PLACE]], %{{.*}})
