" Vim syntax file: C in MIT Cilk's dialect (.cilk)
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax
runtime! cilk-keywords.vim
syntax keyword cilkStatement spawn sync
syntax keyword cilkModifier cilk inlet
syntax keyword cilkConstant SYNCHED
let b:current_syntax = "cilk"
