; Tests that a coroutine becomes the functions that it consists of.
; RUN: cilk-llvm-opt --passes=cilk-split-coroutines %s | FileCheck %s
; CHECK-DAG: define ptr @counter(
; CHECK-DAG: define internal {{.*}}void @counter.resume(
; CHECK-DAG: define internal {{.*}}void @counter.destroy(
define ptr @counter(i32 %n) presplitcoroutine {
entry:
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %size = call i32 @llvm.coro.size.i32()
  %memory = call ptr @malloc(i32 %size)
  %handle = call ptr @llvm.coro.begin(token %id, ptr %memory)
  %state = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %state, label %suspend [i8 0, label %resume
                                    i8 1, label %cleanup]
resume:
  call void @use(i32 %n)
  br label %cleanup
cleanup:
  %freed = call ptr @llvm.coro.free(token %id, ptr %handle)
  call void @free(ptr %freed)
  br label %suspend
suspend:
  call void @llvm.coro.end(ptr %handle, i1 false, token none)
  ret ptr %handle
}

declare ptr @malloc(i32)
declare void @free(ptr)
declare void @use(i32)
