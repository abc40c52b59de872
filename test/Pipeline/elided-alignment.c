// Tests that the elided clone of a task copies an argument that is passed by value to a place with the argument's alignment,
// where fields of elements are less aligned.
// RUN: %cilk2gpu -O1 --emit=channel %s -o - | FileCheck %s
#include <cilk/cilk.h>

typedef struct __attribute__((aligned(64))) {
  long values[8];
} Line;

void visit(Line *line);

// CHECK: llvm.func internal @count.elided()
// CHECK: %[[COPY:.*]] = llvm.alloca {{.*}}"struct.Line"{{.*}} {alignment = 64 : i64}
// CHECK: %element, %[[FIELDS:[a-z]+]]:2 = channel.deq @cilk::@count
// CHECK: "llvm.intr.memcpy"(%[[COPY]], %[[FIELDS]]#1,
// CHECK: llvm.call @count.serial(%[[FIELDS]]#0, %[[COPY]])
void count(int depth, Line line) {
  visit(&line);
  if (depth > 0) {
    cilk_spawn count(depth - 1, line);
    count(depth - 2, line);
    cilk_sync;
  }
}
