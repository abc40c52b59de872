; Tests that a parameter is replaced by a constant that all calls pass, through recursive calls and variables. Tests which
; parameters stay. Addresses of functions stay, and so do parameters of functions with unknown calls.
; RUN: cilk-llvm-opt --passes=cilk-replace-constant-arguments %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
declare void @use(ptr)
@table = internal global [4 x i32] zeroinitializer
@own = internal thread_local global i32 0

; The recursive call passes the depth on as it is, and the table, and another position.
; CHECK-LABEL: define internal i32 @walk(i32 %at, i64 %depth, ptr %numbers)
; CHECK: store i64 12, ptr %depth.addr
; CHECK: store ptr @table, ptr %numbers.addr
; CHECK: %next = add i32 %at, 1
define internal i32 @walk(i32 %at, i64 %depth, ptr %numbers) {
  %depth.addr = alloca i64
  %numbers.addr = alloca ptr
  %slot = alloca i32
  store i64 %depth, ptr %depth.addr
  store ptr %numbers, ptr %numbers.addr
  %next = add i32 %at, 1
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %passed = load i64, ptr %depth.addr
  %leads = load ptr, ptr %numbers.addr
  %below = call i32 @walk(i32 %next, i64 %passed, ptr %leads)
  store i32 %below, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret i32 %at
}

; CHECK-LABEL: define internal i32 @differs(i32 %a, i32 %b, i32 %c, ptr %f, ptr %t)
; CHECK-NEXT: %1 = add i32 %a, 7
; CHECK-NEXT: %2 = add i32 %1, %c
; CHECK-NEXT: call void @use(ptr %f)
; CHECK-NEXT: call void @use(ptr %t)
define internal i32 @differs(i32 %a, i32 %b, i32 %c, ptr %f, ptr %t) {
  %1 = add i32 %a, %b
  %2 = add i32 %1, %c
  call void @use(ptr %f)
  call void @use(ptr %t)
  ret i32 %2
}

; Any file may call this function with other numbers.
; CHECK-LABEL: define i32 @exported(i32 %a)
; CHECK-NEXT: ret i32 %a
define i32 @exported(i32 %a) {
  ret i32 %a
}

; So may whoever gets this function's address.
; CHECK-LABEL: define internal i32 @kept(i32 %a)
; CHECK-NEXT: ret i32 %a
define internal i32 @kept(i32 %a) {
  ret i32 %a
}

; The variable `twice` is written twice, `given` is written by @use, and `late` is read before its store.
; CHECK-LABEL: define internal i32 @variables(i32 %once, i32 %twice, i32 %given, i32 %late)
; CHECK-NEXT: %1 = add i32 3, %twice
; CHECK-NEXT: %2 = add i32 %given, %late
define internal i32 @variables(i32 %once, i32 %twice, i32 %given, i32 %late) {
  %1 = add i32 %once, %twice
  %2 = add i32 %given, %late
  %3 = add i32 %1, %2
  ret i32 %3
}

; A value that only a call of the function itself gives is not known.
; CHECK-LABEL: define internal i32 @unreached(i32 %a)
; CHECK-NEXT: call i32 @unreached(i32 %a)
define internal i32 @unreached(i32 %a) {
  %1 = call i32 @unreached(i32 %a)
  ret i32 %1
}

define i32 @main() {
  %narrow = alloca i32
  %once = alloca i32
  %twice = alloca i32
  %given = alloca i32
  %late = alloca i32
  store i32 12, ptr %narrow
  %number = load i32, ptr %narrow
  %wide = sext i32 %number to i64
  %1 = call i32 @walk(i32 0, i64 %wide, ptr @table)
  %2 = call i32 @differs(i32 1, i32 7, i32 undef, ptr @exported, ptr @own)
  %3 = call i32 @differs(i32 2, i32 7, i32 3, ptr @exported, ptr @own)
  %4 = call i32 @exported(i32 5)
  %5 = call i32 @kept(i32 5)
  call void @use(ptr @kept)
  store i32 3, ptr %once
  store i32 3, ptr %twice
  store i32 3, ptr %twice
  store i32 3, ptr %given
  call void @use(ptr %given)
  %v1 = load i32, ptr %once
  %v2 = load i32, ptr %twice
  %v3 = load i32, ptr %given
  %v4 = load i32, ptr %late
  store i32 3, ptr %late
  %6 = call i32 @variables(i32 %v1, i32 %v2, i32 %v3, i32 %v4)
  ret i32 0
}
