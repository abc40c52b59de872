; Tests that the body of a Cilk function that the linker may replace moves to a function of its own. Plain calls in Cilk functions compare
; addresses, spawned calls stay. Functions that do not spawn, or that nothing replaces, stay as they are.
; RUN: cilk-llvm-opt --passes=cilk-split-replaceable %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

%pair = type { i32, i32 }

; CHECK: @walk.choice = internal constant [2 x ptr] [ptr @walk, ptr @walk.unit]
; CHECK: @walk.unit = internal alias void (ptr, i32), ptr @walk

; CHECK: define hidden void @walk.here(ptr byval(%pair) %pair, i32 %n) #[[BODY:[0-9]+]] {
; CHECK: call void @walk(ptr byval(%pair) %pair, i32 1)
; CHECK-NEXT: call void @__cilk2gpu_spawn_end
; CHECK-NEXT: %[[LINKED:.*]] = load ptr, ptr @walk.choice
; CHECK-NEXT: %[[OWN:.*]] = load ptr, ptr getelementptr inbounds ([2 x ptr], ptr @walk.choice, i64 0, i64 1)
; CHECK-NEXT: %[[SAME:.*]] = icmp eq ptr %[[LINKED]], %[[OWN]]
; CHECK-NEXT: br i1 %[[SAME]], label %[[HERE:.*]], label %[[OTHER:.*]]
; CHECK: [[HERE]]:
; CHECK-NEXT: call void @walk.here(ptr byval(%pair) %pair, i32 %n)
; CHECK: [[OTHER]]:
; CHECK-NEXT: call void @walk(ptr byval(%pair) %pair, i32 %n)

; CHECK: define weak void @walk(ptr byval(%pair) %0, i32 %1) {
; CHECK-NEXT: call void @walk.here(ptr byval(%pair) %0, i32 %1)
; CHECK-NEXT: ret void
define weak void @walk(ptr byval(%pair) %pair, i32 %n) memory(none) {
  call void @__cilk2gpu_spawn_begin(i32 1, ptr null)
  call void @walk(ptr byval(%pair) %pair, i32 1)
  call void @__cilk2gpu_spawn_end(i32 1)
  call void @walk(ptr byval(%pair) %pair, i32 %n)
  call void @__cilk2gpu_sync()
  ret void
}

$inline = comdat any

; CHECK: define hidden i32 @inline.here()
; CHECK: define weak i32 @inline() {
; CHECK-NEXT: %[[RESULT:.*]] = call i32 @inline.here()
; CHECK-NEXT: ret i32 %[[RESULT]]
define linkonce i32 @inline() comdat {
  call void @__cilk2gpu_sync()
  ret i32 0
}

; CHECK: define linkonce_odr void @same() comdat {
; CHECK-NEXT: call void @__cilk2gpu_sync()
$same = comdat any
define linkonce_odr void @same() comdat {
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define weak void @ordinary() {
; CHECK-NEXT: call void @walk(ptr byval(%pair) null, i32 0)
; CHECK-NEXT: ret void
define weak void @ordinary() {
  call void @walk(ptr byval(%pair) null, i32 0)
  ret void
}
; CHECK: attributes #[[BODY]] = { {{.*}}"cilk2gpu-replaceable"="walk"
