; Tests that names of files become whole: a file in a folder that is not the one of the compilation gets its folder, and a
; path from the folder of the compilation stays as it is.
; RUN: cilk-llvm-opt --passes=cilk-name-files %s | FileCheck %s
define void @f() !dbg !5 {
  ret void, !dbg !9
}

define void @g() !dbg !7 {
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
; CHECK-DAG: !DIFile(filename: "/home/me/code/sort.c", directory: "/home/me")
; CHECK-DAG: !DIFile(filename: "/home/me/code/sort.h", directory: "/home/me")
; CHECK-DAG: !DIFile(filename: "../other/merge.c", directory: "/home/me/build")
; CHECK-DAG: !DIFile(filename: "/usr/include/stdlib.h", directory: "")
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "/home/me/code/sort.c", directory: "/home/me/build")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "code/sort.c", directory: "/home/me")
!4 = !DIFile(filename: "../other/merge.c", directory: "/home/me/build")
!5 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !{null})
!7 = distinct !DISubprogram(name: "g", scope: !4, file: !4, line: 2, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DIFile(filename: "/usr/include/stdlib.h", directory: "")
!9 = !DILocation(line: 3, scope: !11)
!10 = !DILocation(line: 4, scope: !12)
!11 = !DILexicalBlockFile(scope: !5, file: !13, discriminator: 0)
!12 = !DILexicalBlockFile(scope: !7, file: !8, discriminator: 0)
!13 = !DIFile(filename: "code/sort.h", directory: "/home/me")
