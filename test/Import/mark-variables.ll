; Tests that records of variables become marks: at the declaration, behind a spawn and behind a sync, in scope and without
; optimisation only. Tests that marks become records again, of variables on the stack and of variables in a frame.
; RUN: split-file %s %t
; RUN: cilk-llvm-opt --passes=cilk-mark-variables %t/before.ll | FileCheck %s
; RUN: cilk-llvm-opt --passes=cilk-finish-export %t/after.ll | FileCheck %s --check-prefix=AFTER

; CHECK-LABEL: define void @task
; CHECK: call void @__cilk2gpu_variable(ptr %x, i32 0), !dbg [[DECLARED:![0-9]+]]
; CHECK-NEXT: store i32 1, ptr %x
; CHECK: call void @__cilk2gpu_variable(ptr %inner, i32 1)
; CHECK: call void @__cilk2gpu_spawn_end(i32 0)
; CHECK-NEXT: call void @__cilk2gpu_variable(ptr %x, i32 0), !dbg [[AGAIN:![0-9]+]]
; CHECK-NEXT: call void @__cilk2gpu_variable(ptr %inner, i32 1)
; CHECK: call void @__cilk2gpu_sync()
; CHECK-NEXT: call void @__cilk2gpu_variable(ptr %x, i32 0), !dbg [[AGAIN]]
; CHECK-NEXT: ret void
; CHECK-LABEL: define void @optimised
; CHECK-NOT: __cilk2gpu_variable
; CHECK: ret void
; CHECK: !cilk2gpu.variables = !{[[FIRST:![0-9]+]], {{![0-9]+}}}
; Marks behind the declaration have no line, so that a debugger does not step there.
; CHECK-DAG: [[DECLARED]] = !DILocation(line: {{[1-9]}}
; CHECK-DAG: [[AGAIN]] = !DILocation(line: 0, scope:

; AFTER-LABEL: define void @task.k1
; AFTER: [[SLOT:%.*]] = alloca ptr
; AFTER: %local = alloca i32
; AFTER: store ptr %frame, ptr [[SLOT]]
; AFTER: #dbg_declare(ptr [[SLOT]], [[FRAME:![0-9]+]], !DIExpression()
; AFTER: #dbg_declare(ptr [[SLOT]], [[X:![0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8)
; AFTER: #dbg_declare(ptr %local, [[INNER:![0-9]+]], !DIExpression()
; AFTER-NOT: call
; AFTER: ret void
; AFTER: [[KERNEL:![0-9]+]] = distinct !DISubprogram(name: "task", linkageName: "task.k1"
; AFTER-DAG: [[FRAME]] = !DILocalVariable(name: "__cilk_frame", scope: [[KERNEL]], {{.*}}flags: DIFlagArtificial
; AFTER-DAG: !DICompositeType(tag: DW_TAG_structure_type, name: "task.frame"
; AFTER-DAG: !DIDerivedType(tag: DW_TAG_member, name: "x", {{.*}}size: 32, offset: 64
; AFTER-DAG: [[X]] = !DILocalVariable(name: "x", scope: [[KERNEL]]
; AFTER-DAG: [[INNER]] = !DILocalVariable(name: "inner", scope: [[KERNEL]]

;--- before.ll
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
declare void @child()

define void @task() noinline optnone !dbg !4 {
  %x = alloca i32
  %inner = alloca i32
    #dbg_declare(ptr %x, !7, !DIExpression(), !10)
  store i32 1, ptr %x, !dbg !10
    #dbg_declare(ptr %inner, !8, !DIExpression(), !11)
  store i32 2, ptr %inner, !dbg !11
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null), !dbg !11
  call void @child(), !dbg !11
  call void @__cilk2gpu_spawn_end(i32 0), !dbg !11
  call void @__cilk2gpu_sync(), !dbg !10
  ret void, !dbg !10
}

define void @optimised() !dbg !12 {
  %x = alloca i32
    #dbg_declare(ptr %x, !13, !DIExpression(), !14)
  call void @__cilk2gpu_sync(), !dbg !14
  ret void, !dbg !14
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "task.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "task", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DILexicalBlock(scope: !4, file: !1, line: 3)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !6)
!8 = !DILocalVariable(name: "inner", scope: !5, file: !1, line: 3, type: !6)
!10 = !DILocation(line: 2, scope: !4)
!11 = !DILocation(line: 3, scope: !5)
!12 = distinct !DISubprogram(name: "optimised", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!13 = !DILocalVariable(name: "x", scope: !12, file: !1, line: 7, type: !6)
!14 = !DILocation(line: 7, scope: !12)

;--- after.ll
declare void @__cilk2gpu_variable(ptr, i32)

define void @task.k1(ptr %frame) !dbg !4 {
  %local = alloca i32
  call void @__cilk2gpu_variable(ptr %frame, i32 -1), !dbg !10
  %x = getelementptr i8, ptr %frame, i64 8
  call void @__cilk2gpu_variable(ptr %x, i32 0), !dbg !10
  call void @__cilk2gpu_variable(ptr %local, i32 1), !dbg !10
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!cilk2gpu.variables = !{!14, !15}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "task.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "task", linkageName: "task.k1", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "task", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 2, type: !6)
!8 = !DILocalVariable(name: "inner", scope: !5, file: !1, line: 3, type: !6)
!10 = !DILocation(line: 2, scope: !4)
!14 = !{!7, !DIExpression()}
!15 = !{!8, !DIExpression()}
